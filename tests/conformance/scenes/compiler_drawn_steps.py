"""Random graphs of small whole numbers and random steps of each: other fetches, fed intermediates, timed runs,
callables, partial runs and failures. No pass and no earlier step may change the results, not even by rounding.

The conditions of the rewrites are drawn too: sizes of 1, ranks, transposed and shared matrices, whole and partial
slices, shapes known and unknown, branches, loops that swap variables, and effects in control order.
"""

import numpy as np


class _Graph:
    """A random graph.

    tensors: each with its shape and whether a step may feed it.
    last: the nodes with effects that precede the next one.
    checked: a tensor that fails unless a condition holds.
    """

    def __init__(self, tf, seed, kinds):
        self.tf, self.rng = tf, np.random.RandomState(seed)
        self.tensors, self.fed, self.last, self.targets, self.variables = [], {}, [], [], []
        self.queue = tf.FIFOQueue(9, tf.float32) if "effect" in kinds else None
        for shape in [(2, 3), (3, 3), (1, 3), (3,), ()]:
            self.add(self.given(*shape), shape)
        for _ in range(30):
            getattr(self, self.one_of(kinds))()
        x = self.recent()[0]
        # The check waits for all nodes with effects that the tensor needs.
        with tf.control_dependencies([tf.Assert(tf.reduce_sum(x) < 20.0, [tf.size(x)])]):
            self.checked = tf.identity(x)

    def flip(self, odds=2):
        return not self.rng.randint(odds)

    def one_of(self, values):
        return values[self.rng.randint(len(values))]

    def numbers(self, *shape):
        return self.rng.randint(-3, 6, shape).astype("f")

    def recent(self, rank=None):
        """A tensor and its shape, probably a recent one."""
        fit = [pair[:2] for pair in self.tensors if rank is None or len(pair[1]) == rank]
        return fit[-1 - min(self.rng.geometric(0.25) - 1, len(fit) - 1)]

    def pair(self):
        """Two tensors, the second of which broadcasts to the shape of the first, and this shape."""
        x, shape = self.recent()
        y, other = self.recent()
        return x, y if _broadcast(shape, other) == shape else self.tf.reduce_max(y), shape

    def add(self, tensor, shape, feedable=True):
        self.tensors.append((tensor, tuple(shape), feedable))

    def small(self, tensor):
        """The remainder of a tensor that may be large."""
        return self.tf.floormod(tensor, 11.0)

    def given(self, *shape):
        """A constant or a placeholder, whose static shape may be unknown."""
        value = self.numbers(*shape)
        if self.flip(3):
            return self.tf.constant(value)
        some = [n if self.flip() else None for n in shape]
        tensor = self.tf.placeholder(self.tf.float32, self.one_of([shape, shape, some]))
        self.fed[tensor] = value
        return tensor

    def unary(self):
        tf = self.tf
        x, shape = self.recent()
        one = self.one_of([1.0, [1.0], [[1.0]], 2.0, [3.0], 0.0])
        wide = _broadcast(shape, np.shape(one))
        dtype = self.one_of([tf.int32, tf.float64, tf.int64, tf.bool])
        kinds = [(x * one, wide), (one * x, wide), (x + one, wide), (tf.abs(x), shape)]
        kinds += [(tf.nn.relu(x) - tf.minimum(x, 2.0), shape), (self.small(tf.square(x)), shape)]
        kinds += [(tf.cast(tf.cast(x - 1.0, dtype), tf.float32), shape)]
        kinds += [(tf.where(x > 1.0, x, -x), shape)]
        self.add(*self.one_of(kinds))

    def binary(self):
        tf = self.tf
        x, shape = self.recent()
        y, other = self.one_of([t for t in self.tensors if _broadcast(shape, t[1]) is not None])[:2]
        kinds = [tf.add, tf.subtract, tf.maximum, tf.multiply, tf.squared_difference]
        kinds += [lambda a, b: tf.cast(a > b, tf.float32) - b]
        a, b = (x, y) if self.flip() else (y, x)
        self.add(self.small(self.one_of(kinds)(a, b)), _broadcast(shape, other))

    def rows(self):
        tf = self.tf
        x, shape = self.recent()
        axes, kept = self.one_of([[], None, [0]] if shape else [[]]), self.flip()
        made = self.one_of([tf.reduce_sum, tf.reduce_max, tf.reduce_min])(x, axes, keepdims=kept)
        gone = range(len(shape)) if axes is None else axes
        left = [1 if n in gone else size for n, size in enumerate(shape) if kept or n not in gone]
        self.add(self.small(made), left)

    def layout(self):
        tf = self.tf
        x, shape = self.recent(2)
        axis = self.rng.randint(2)
        changed = lambda n: shape[:axis] + (n,) + shape[axis + 1 :]  # noqa: E731
        first = self.rng.randint(shape[axis])
        begin, sizes = [0, 0], [self.one_of([-1, n]) for n in shape]
        begin[axis], sizes[axis] = first, 1 + self.rng.randint(shape[axis] - first)
        kinds = [
            lambda: (tf.slice(x, begin, sizes), changed(sizes[axis])),
            lambda: (tf.concat([x, x + 1.0], axis), changed(2 * shape[axis])),
            lambda: (tf.tile(x, [1, 1]), shape),
            lambda: (tf.tile(x, [2, 1]), (2 * shape[0], shape[1])),
            lambda: (tf.transpose(x), shape[::-1]),
            lambda: (tf.reshape(tf.reshape(x, [-1]), [shape[1], -1]), shape[::-1]),
            lambda: (
                tf.split(x, [first, shape[axis] - first], axis)[1],
                changed(shape[axis] - first),
            ),
            lambda: (tf.gather(x, [first, 0], axis=axis), changed(2)),
            lambda: (tf.reverse(x, [axis])[:, ::-1], shape),
        ]
        self.add(*self.one_of(kinds)())

    def products(self):
        """Products that share a matrix, plain, transposed and sliced, and their sum."""
        tf = self.tf
        x, (rows, inner) = self.recent(2)
        kind = self.rng.randint(3)
        width = self.one_of([1, 2, 4]) if kind == 0 else inner
        shared = self.given(inner, width)
        made = []
        for number in range(self.one_of([1, 2, 3, 4])):
            left = x if self.flip() else self.small(x + float(number))
            if kind == 2:
                made.append(tf.matmul(left, self.small(x * 2.0), transpose_a=True))
            else:
                made.append(tf.matmul(left, shared, transpose_b=kind == 1 and self.flip()))
        shape = (inner if kind == 2 else rows, width)
        first = self.rng.randint(width)
        last = self.rng.randint(first, width) + 1
        for product in made:
            if self.flip(3):
                count = self.one_of([-1, shape[0], 1])
                part = tf.slice(product, [0, first], [count, last - first])
                self.add(self.small(part), (1 if count == 1 else shape[0], last - first))
            elif self.flip(3):
                self.add(product, shape)
        if self.flip():
            made = [tf.nn.bias_add(product, self.given(width)) for product in made]
        self.add(self.small(tf.add_n(made) if len(made) > 1 else tf.floor(made[0] * 0.5)), shape)

    def shapes(self):
        """Values that depend on shapes."""
        tf = self.tf
        (x, shape), (y, _) = self.recent(2), self.recent(2)
        sizes = tf.shape(x) if self.flip() else tf.shape_n([y, x])[1]
        number = lambda value: tf.cast(value, tf.float32)  # noqa: E731
        kinds = [
            lambda: (number(sizes), (2,)),
            lambda: (number(tf.cast(sizes - 2, tf.bool)), (2,)),
            lambda: (number(tf.cast(sizes[1:], tf.bool)), (1,)),
            lambda: (tf.reshape(tf.reshape(x, [-1]), sizes), shape),
            lambda: (tf.zeros(sizes) + number(tf.size(y)), shape),
            lambda: (tf.broadcast_to(number(tf.rank(y)), sizes), shape),
            lambda: (tf.reshape(x, sizes[::-1]), shape[::-1]),
            lambda: (number(tf.range(sizes[0]) * tf.shape(y)[1]), shape[:1]),
        ]
        self.add(*self.one_of(kinds)())

    def predicate(self):
        if self.flip(4):
            return self.tf.constant(self.flip())
        return self.tf.reduce_sum(self.recent()[0]) > self.one_of([0.0, 5.0])

    def counted(self, is_resource=False):
        """A function that adds one to a variable, maybe, and the nodes that it waits for."""
        some = [v for v in self.variables if v.dtype == self.tf.float32 or not is_resource]
        if not some or self.flip():
            return self.tf.no_op, []
        variable = self.one_of(some)
        return lambda: variable.assign_add(self.tf.ones(variable.shape)).op, self.last

    def branches(self):
        """A condition with equal nodes in both branches, a nested one, and maybe an effect in one branch."""
        tf = self.tf
        x, y, shape = self.pair()
        count, before = self.counted()
        inner = self.predicate()

        def taken():
            with tf.control_dependencies([count()]):
                z = tf.identity(x)
            return tf.cond(inner, lambda: self.small((z + y) * 2.0), lambda: (z + y) - x)

        with tf.control_dependencies(before):
            predicate = tf.identity(self.predicate())
        made = tf.cond(predicate, taken, lambda: self.small((x + y) * y))
        self.last = [made.op] if before else self.last
        self.add(made, shape, not before)

    def merged(self):
        """A Merge of branches, some of which are never alive, and the number of its input."""
        tf = self.tf
        x, shape = self.recent()
        switch = lambda value, p: tf.raw_ops.Switch(data=value, pred=p)  # noqa: E731
        first, second = self.predicate(), self.predicate()
        always, either = switch(x + 1.0, first), switch(x, second)
        inputs = [always[0] + 2.0, always[1] * 2.0]
        inputs.insert(self.rng.randint(3), switch(either[0] + 1.0, second)[1])
        made, index = tf.raw_ops.Merge(inputs=inputs[:: self.one_of([1, -1])])
        self.add(made, shape)
        self.add(tf.cast(index, tf.float32), ())

    def loop(self):
        """A loop of up to three iterations that swaps, keeps and changes variables, maybe with an effect."""
        tf = self.tf
        x, own, shape = self.pair()
        times, kind, nested = self.rng.randint(4), self.rng.randint(4), self.flip(3)
        count, before = self.counted()
        inner = self.predicate()

        def small(tensor):
            tensor = self.small(tensor)
            tensor.set_shape(x.shape)
            return tensor

        def swap(j, c, d):
            return j + 1, d, small(c + own)

        def body(i, a, b, sizes, total):
            if kind == 2:
                a = small(tf.cond(inner, lambda: a * own, lambda: tf.identity(b)))
            elif kind == 3:
                a, b = small(a + b), small(own + tf.zeros_like(a))
            else:
                a, b = b, small(a + own) if kind else a
            if nested:
                a, b = tf.while_loop(lambda j, *_: j < 2, swap, [tf.constant(0), a, b])[1:]
            with tf.control_dependencies([count()]):
                i = tf.identity(i)
            total += tf.reduce_sum(tf.ones(sizes)) * tf.cast(sizes[0], tf.float32)
            return i + 1, a, b, sizes[::-1], total

        start = [tf.constant(0), x, self.small(x + 1.0), tf.constant([2, 3]), tf.constant(0.0)]
        with tf.control_dependencies(before):
            start = [tf.identity(t) for t in start] if self.flip() or before else start
            results = tf.while_loop(lambda i, *_: i < times, body, start)
        self.last = [results[0].op] if before else self.last
        for made, dims in ((results[1], shape), (results[2], shape), (results[4], ())):
            if self.flip():
                self.add(made, dims, False)

    def calls(self):
        """A call of a function that calls another one without arguments, which may have an effect."""
        tf = self.tf
        x, shape = self.recent()
        count, before = self.counted(is_resource=True)

        @tf.function(autograph=False)
        def inner():
            with tf.control_dependencies([count()]):
                return tf.zeros([2]) + 3.0

        @tf.function(autograph=False)
        def outer(tensor):
            return self.small(tensor * 2.0 + tf.reduce_max(inner()) + inner()[0])

        with tf.control_dependencies(before):
            made = outer(x)
        self.last = [made.op] if before else self.last
        self.add(made, shape, not before)

    def effect(self):
        """A read or a write of a variable, in order, or a round trip through a queue, for which the step waits."""
        tf = self.tf
        if not self.variables or self.flip(6):
            value = self.numbers(*self.one_of([(), (2,), (2, 3)]))
            self.variables.append(tf.Variable(value, use_resource=self.flip()))
        variable = self.one_of(self.variables)
        shape = tuple(variable.shape.as_list())
        x, other = self.recent()
        kind = self.rng.randint(5)
        with tf.control_dependencies(self.last):
            if kind == 4:
                with tf.control_dependencies([self.queue.enqueue([x])]):
                    made, shape = tf.reshape(self.queue.dequeue(), other), other
            else:
                x = tf.reduce_sum(x) if _broadcast(shape, other) != shape else x
                x = self.small(x + tf.zeros(shape))
                read = self.one_of([variable, variable.read_value()]) + self.one_of([1.0, x])
                made = [variable.assign(x), variable.assign_add(x), read, read][kind]
        self.last = [made.op]
        self.targets += [made.op] * (kind < 2)
        if kind > 1:
            self.add(made, shape, False)

    def step(self, session, kind):
        """The values of a random step."""
        tensors = [tensor for tensor, *_ in self.tensors]
        fetches = [self.one_of(tensors[-12:]) for _ in range(3)] + [self.one_of(tensors)]
        fetches += [self.one_of(self.targets)] if self.targets and self.flip() else []
        feeds = dict(self.fed)
        for _ in range(self.one_of([0, 0, 1, 2])):
            tensor, shape, _ = self.one_of([each for each in self.tensors if each[2]])
            feeds[tensor] = self.numbers(*shape)
        if kind == "timed":
            options = self.tf.RunOptions(trace_level=self.tf.RunOptions.FULL_TRACE)
            return session.run(fetches, feeds, options, self.tf.RunMetadata())
        if kind == "called":
            function = session.make_callable(fetches, list(feeds))
            _spoil(function(*feeds.values()))
            return function(*feeds.values())
        if kind == "in parts":
            first, second = self.one_of(tensors[-12:-6]), self.one_of(tensors[-6:])
            handle = session.partial_run_setup([first, second], list(self.fed))
            return [session.partial_run(handle, *each) for each in ((first, self.fed), (second,))]
        if kind == "failing":
            return [session.run(self.checked, feeds)]
        for _ in range(
            60 * (kind == "often")
        ):  # after which a plan may depend on the shapes of its feeds
            _spoil(session.run(fetches, feeds))
        return session.run(fetches, feeds)


def _broadcast(a, b):
    try:
        return np.broadcast(np.empty(a), np.empty(b)).shape
    except ValueError:
        return None


def _brief(value):
    """The shape of an array and a sum that depends on each element."""
    flat = np.asarray(value, "d").reshape(-1)
    return "x".join(map(str, np.shape(value))), int(flat.dot(1 + np.arange(flat.size) % 17))


def _spoil(values):
    """Overwrites fetched arrays, which belong to the caller."""
    for value in values:
        if isinstance(value, np.ndarray) and value.ndim:
            value.fill(7)


def _record(tf, stage, seeds, kinds):
    # TensorFlow's rewrites of dead branches leave fetches without a value.
    config = tf.ConfigProto()
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    for seed in seeds:
        with tf.Graph().as_default(), stage.failing():
            drawn = _Graph(tf, seed, kinds)
            with tf.Session(config=config) as session:
                session.run(tf.global_variables_initializer())
                for kind in [
                    "plain",
                    "plain",
                    "timed",
                    "called",
                    "often",
                    "in parts",
                    "failing",
                    "plain",
                ]:
                    with stage.failing():
                        values = [v for v in drawn.step(session, kind) if v is not None]
                        stage.say(seed, kind, *map(_brief, values))
                        _spoil(values)
                    if drawn.variables:
                        stage.say(*map(_brief, session.run(drawn.variables)))


def numbers(tf, stage):
    _record(tf, stage, range(6), ["unary", "binary", "rows", "layout", "shapes"])


def flow(tf, stage):
    kinds = ["branches", "merged", "loop", "calls", "binary", "shapes", "rows"]
    _record(tf, stage, range(20, 26), kinds)


def effects(tf, stage):
    kinds = ["effect", "effect", "effect", "calls", "branches", "loop", "binary", "products"]
    _record(tf, stage, range(30, 40), kinds)
