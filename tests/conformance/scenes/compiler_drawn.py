"""Random programs: layers, elementwise groups, rows, parallel products, loops and conditions, with gradients and
updates. No pass may change the results.
"""

import numpy as np


class _Drawn:
    """A random program under construction: tensors of known shapes, and the choice of the next op."""

    def __init__(self, tf, seed):
        self.tf, self.rng = tf, np.random.RandomState(seed)
        self.tensors, self.inputs, self.feeds = [], [], {}

    def numbers(self, *shape):
        return np.round(self.rng.uniform(-1, 1, shape), 3).astype("f")

    def one_of(self, values):
        return values[self.rng.randint(len(values))]

    def flip(self):
        return bool(self.rng.randint(2))

    def given(self, *shape):
        """A random input: fed, possibly of unknown static shape, a variable of either kind, or a constant."""
        tf, value = self.tf, self.numbers(*shape)
        kind = self.rng.randint(5)
        if kind == 0:
            made = tf.placeholder(tf.float32, shape)
        elif kind == 1:
            made = tf.placeholder(tf.float32, [None if self.flip() else n for n in shape])
        elif kind == 4:
            made = tf.constant(value)
        else:
            made = tf.Variable(value, use_resource=kind == 2)
        if kind < 2:
            self.feeds[made] = value
        self.inputs.append(made)
        return self.add(made, shape)

    def add(self, tensor, shape):
        self.tensors.append((_tensor(self.tf, tensor), tuple(shape)))
        return self.tensors[-1]

    def recent(self):
        return self.tensors[-1 - min(self.rng.geometric(0.4) - 1, len(self.tensors) - 1)]

    def unary(self):
        tf = self.tf
        x, shape = self.recent()
        kinds = [tf.tanh, tf.sigmoid, tf.nn.relu, tf.nn.softplus, tf.nn.elu, tf.abs, tf.negative]
        kinds += [tf.sin, lambda t: tf.square(tf.tanh(t)), lambda t: tf.exp(-tf.abs(t))]
        kinds += [lambda t: tf.log1p(tf.abs(t)), lambda t: tf.sqrt(tf.abs(t) + 1.0), tf.identity]
        kinds += [lambda t: 1.0 / (1.0 + tf.square(t)), lambda t: t * 0.5 + 0.25, tf.stop_gradient]
        kinds += [lambda t: tf.cast(tf.cast(t, tf.float64) * 3, tf.float32), tf.nn.relu6]
        kinds += [lambda t: tf.where(t > 0, t, t * 0.1), lambda t: tf.clip_by_value(t, -0.5, 0.5)]
        self.add(self.one_of(kinds)(x), shape)

    def binary(self):
        tf = self.tf
        x, shape = self.recent()
        fitting = [t for t in self.tensors if _broadcast(shape, t[1]) in (shape, t[1])]
        y, other = self.one_of(fitting)
        kinds = [tf.add, tf.subtract, tf.multiply, tf.maximum, tf.minimum, tf.squared_difference]
        kinds += [lambda a, b: a / (1.0 + tf.abs(b)), lambda a, b: tf.tanh(a) * tf.sigmoid(b)]
        kinds += [lambda a, b: tf.cast(a > b, tf.float32) * a, lambda a, b: a * b + a]
        a, b = (x, y) if self.flip() else (y, x)
        self.add(tf.tanh(self.one_of(kinds)(a, b)), _broadcast(shape, other))

    def rows(self):
        tf = self.tf
        x, shape = self.recent()
        if not shape:
            return
        axis = self.rng.randint(len(shape))
        kinds = [tf.reduce_sum, tf.reduce_mean, tf.reduce_max, tf.reduce_min, tf.reduce_logsumexp]
        kept = [1 if n == axis else size for n, size in enumerate(shape)]
        which = self.rng.randint(3)
        if which == 0:
            self.add(self.one_of(kinds)(x, axis, True), kept)
        elif which == 1:
            self.add(self.one_of(kinds)(x, axis), shape[:axis] + shape[axis + 1 :])
        else:
            self.add(self.one_of([tf.nn.softmax, tf.nn.log_softmax, tf.cumsum])(x, axis), shape)

    def layout(self):
        tf = self.tf
        x, shape = self.recent()
        if len(shape) < 2:
            self.add(tf.expand_dims(x, 0), (1, *shape))
            return
        axis = self.rng.randint(len(shape))
        size = shape[axis]
        changed = lambda n: tuple(n if i == axis else s for i, s in enumerate(shape))  # noqa: E731
        which = self.rng.randint(9)
        if which == 0:
            order = self.rng.permutation(len(shape))
            self.add(tf.transpose(x, order), [shape[i] for i in order])
        elif which == 1:
            self.add(tf.reshape(x, [-1]), (int(np.prod(shape)),))
        elif which == 2:
            self.add(tf.concat([x, tf.tanh(x), x][: 2 + self.flip()], axis), changed(0))
            t = self.tensors.pop()[0]
            self.add(t, changed(size * (3 if len(t.op.inputs) == 4 else 2)))
        elif which == 3 and size > 1:
            parts = tf.split(x, [1, size - 1], axis)
            self.add(parts[1], changed(size - 1))
            self.add(parts[0], changed(1))
        elif which == 4 and size > 1:
            begin = [int(i == axis) for i in range(len(shape))]
            self.add(tf.slice(x, begin, [-1] * len(shape)), changed(size - 1))
        elif which == 5:
            pads = [[1, 2] if i == axis else [0, 0] for i in range(len(shape))]
            self.add(
                tf.pad(x, pads, self.one_of(["CONSTANT", "SYMMETRIC"][: 1 + (size > 1)])),
                changed(size + 3),
            )
        elif which == 6:
            self.add(
                tf.tile(x, [2 if i == axis else 1 for i in range(len(shape))]), changed(2 * size)
            )
        elif which == 7:
            self.add(tf.gather(x, [size - 1, 0, size - 1], axis=axis), changed(3))
        else:
            self.add(tf.stack(tf.unstack(x, size, axis)[::-1], axis), shape)

    def product(self):
        tf = self.tf
        x, shape = self.recent()
        while len(shape) > 2:
            x, shape = tf.reduce_mean(x, 0), shape[1:]
        if len(shape) < 2:
            return
        width = self.one_of([2, 3, 5])
        weights = [self.given(shape[1], width)[0] for _ in range(self.one_of([1, 1, 2, 3]))]
        made = [tf.matmul(x, w) for w in weights]
        if self.flip():
            bias, _ = self.given(width)
            made = [tf.nn.bias_add(y, bias) if self.flip() else y + bias for y in made]
        made = [self.one_of([tf.tanh, tf.nn.relu, tf.sigmoid, tf.identity])(y) for y in made]
        for y in made:
            self.add(y, (shape[0], width))

    def grow(self, steps, kinds):
        for _ in range(steps):
            getattr(self, self.one_of(kinds))()


def _tensor(tf, value):
    return value if isinstance(value, tf.Tensor) else tf.convert_to_tensor(value)


def _broadcast(a, b):
    try:
        return np.broadcast(np.empty(a), np.empty(b)).shape
    except ValueError:
        return None


def _brief(value):
    """A small array; some elements and the sum of a larger one."""
    value = np.asarray(value)
    if value.size <= 8:
        return value
    flat = value.reshape(-1).astype("d")
    return [
        str(value.shape),
        flat[:: max(1, value.size // 4)].astype("f"),
        np.float32(np.abs(flat).mean()),
    ]


def _said(stage, tf, drawn, runs=2):
    """Records the last tensors, the gradients of their sum, and the variables after updates by these."""
    results = [t for t, _ in drawn.tensors[-3:]]
    loss = tf.add_n([tf.reduce_mean(t) for t in results])
    inputs = [x for x in drawn.inputs if x.dtype.base_dtype == tf.float32]
    slopes = [g for g in tf.gradients(loss, inputs) if g is not None]
    slopes = [tf.convert_to_tensor(g) for g in slopes]
    variables = tf.trainable_variables()
    pairs = [(g, v) for g, v in zip(tf.gradients(loss, variables), variables) if g is not None]
    pairs = [(tf.convert_to_tensor(g), v) for g, v in pairs]
    with tf.control_dependencies([*results, *slopes, *(g for g, _ in pairs)]):
        step = tf.train.MomentumOptimizer(0.25, 0.5).apply_gradients(pairs) if pairs else tf.no_op()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(runs):
            values = session.run([results, slopes, step], drawn.feeds)[:2]
            stage.say(*[[_brief(v) for v in each] for each in values])
        stage.say(*map(_brief, session.run(variables)))


def _programs(tf, stage, seeds, shapes, steps, kinds):
    for seed in seeds:
        with tf.Graph().as_default():
            drawn = _Drawn(tf, seed)
            for shape in shapes:
                drawn.given(*shape)
            drawn.grow(steps, kinds)
            stage.say(seed)
            with stage.failing():
                _said(stage, tf, drawn)


def elementwise(tf, stage):
    shapes = [(2, 3), (3,), (2, 1), (), (1, 3)]
    _programs(tf, stage, range(10), shapes, 14, ["unary", "binary", "binary"])
    _programs(tf, stage, range(10, 14), [(40, 60), (60,), (40, 1), ()], 14, ["unary", "binary"])


def rows(tf, stage):
    shapes = [(2, 3), (3,), (4, 2, 3)]
    _programs(tf, stage, range(20, 29), shapes, 12, ["unary", "binary", "rows"])
    _programs(tf, stage, range(30, 33), [(33, 50), (50,)], 12, ["unary", "binary", "rows"])


def layouts(tf, stage):
    shapes = [(2, 3), (3, 2, 2)]
    _programs(tf, stage, range(40, 50), shapes, 10, ["unary", "layout", "layout", "binary"])


def products(tf, stage):
    kinds = ["product", "product", "unary", "binary", "layout"]
    _programs(tf, stage, range(60, 69), [(2, 3), (4, 3)], 9, kinds)
    _programs(tf, stage, range(72, 76), [(32, 20), (20,)], 9, kinds)


def everything(tf, stage):
    kinds = ["product", "unary", "binary", "layout", "rows"]
    _programs(tf, stage, range(80, 90), [(2, 3), (3, 4), (2, 3, 2)], 14, kinds)


def _loop(tf, drawn, depth, level=1):
    """A loop with three variables whose body may contain a loop and a condition."""
    rng = drawn.rng
    shape = (2, 3)
    own = drawn.given(*shape)[0]
    rows = drawn.given(4, *shape)[0]
    start = [drawn.given(*shape)[0], drawn.given(3)[0]]
    count = rng.randint(2, 4) if depth < 3 else 2
    kinds = rng.randint(4, size=4)
    inner = _loop(tf, drawn, depth, level + 1) if level < depth else None

    def body(i, a, b, written):
        a = [tf.tanh(a * own + b), a + own * b, tf.maximum(a, own) - b, tf.sigmoid(a) * rows[i]][
            kinds[0]
        ]
        if kinds[1] == 0:
            a = tf.cond(tf.equal(i % 2, 0), lambda: a * a + own, lambda: tf.sin(a))
        elif kinds[1] == 1:
            a = tf.cond(tf.reduce_sum(a) > 0, lambda: a * 0.5, lambda: a - own)
        if inner is not None:
            a = a + inner(a)
        a = tf.tanh(a)  # so that rounding does not dominate the result
        b = [tf.reduce_mean(a, 0), b * 0.5 + a[0], tf.tanh(b), tf.reduce_max(a, 0) * b][kinds[2]]
        return i + 1, a, b, written.write(i, a * b)

    def run(entering):
        array = tf.TensorArray(tf.float32, count, element_shape=shape)
        state = [0, start[0] + 0.1 * entering, start[1], array]
        last = tf.while_loop(
            lambda i, *_: i < count,
            body,
            state,
            parallel_iterations=1 + 9 * bool(kinds[3] % 2),
            swap_memory=bool(kinds[3] == 2),
        )
        return last[1] + tf.reduce_mean(last[3].stack(), 0) * last[2]

    return run


def loops(tf, stage):
    for seed in (100, 101, 102, 103):
        with tf.Graph().as_default():
            drawn = _Drawn(tf, seed)
            x, _ = drawn.given(2, 3)
            drawn.add(_loop(tf, drawn, 1 + seed % 3)(x), (2, 3))
            stage.say(seed)
            with stage.failing():
                _said(stage, tf, drawn)


def _function(tf, drawn, inner, kind):
    """A function of two matrices with a random body, which calls another one twice."""
    rng = drawn.rng
    which = rng.randint(3, size=3)

    def compute(x, y):
        y = [tf.tanh(x * y), x - tf.sigmoid(y), tf.maximum(x, y) * 0.5][which[0]]
        if inner is not None:
            x = inner(y, x)
            y = y + inner(x, x) if which[1] else inner(y, y)
        if which[2] == 0:
            y = tf.cond(tf.reduce_sum(y) > tf.reduce_sum(x), lambda: y * x, lambda: y - x)
        elif which[2] == 1:
            y = tf.while_loop(lambda i, _: i < 2, lambda i, t: (i + 1, tf.sin(t) + x), [0, y])[1]
        return y

    if kind == "function":
        return tf.function(compute, autograph=False)
    defun = tf.contrib.eager.defun if kind == "defun" else None
    return compute if defun is None else defun(compute, autograph=False)


def _twice(tf, function, x, y):
    """Runs a function in a loop of two iterations."""
    start = [0, x]
    return tf.while_loop(lambda i, _: i < 2, lambda i, t: (i + 1, function(t, y)), start)[1]


def calls(tf, stage):
    kinds = ["function", "defun", "plain"]
    for seed in (120, 121, 123, 124, 126):
        with tf.Graph().as_default():
            drawn = _Drawn(tf, seed)
            x, y = (drawn.given(2, 3)[0] for _ in range(2))
            inner = None
            for level in range(3):
                inner = _function(tf, drawn, inner, kinds[(seed + level) % 3])
            made = inner(x, y)
            made = _twice(tf, inner, made, y) if seed % 2 else made
            drawn.add(made, (2, 3))
            stage.say(seed)
            with stage.failing():
                _said(stage, tf, drawn)
