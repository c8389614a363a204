"""Comparison by value wherever tensors are created; variables, shapes, modules, gradients, random orders."""

import tempfile

import numpy as np


def _refused(call):
    try:
        return call()
    except Exception as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0]}"


def compared_tensors(tf):
    a, b = tf.constant([1, 2, 3]), tf.constant([1, 5, 3])
    return {
        "values": [a == b, a != b, a == 2, tf.constant(["a", "b"]) == "a", (a == b).numpy().all()],
        "arrays": [np.array([1, 2, 3]) == a, a == np.array([1, 2, 4]), a == [1, 2, 4]],
        "truth": [bool(tf.constant(2) == 2), bool(tf.constant(2) != 3), 2 in [tf.constant(2)]],
        "sought": [a in [a], _refused(lambda: a in [b]), [b, a].index(b)],
        "refused": [
            _refused(lambda: a == "a"),
            _refused(lambda: a == 1.5),
            _refused(lambda: a == [1, 2]),
            _refused(lambda: a == None),  # noqa: E711
            _refused(lambda: tf.constant(1) == tf.constant(1, tf.int64)),
        ],
    }


def compared_variables(tf):
    v, w, s = tf.Variable([1.0, 2.0]), tf.Variable([1.0, 3.0]), tf.Variable(1)

    @tf.function
    def inside():
        return v == w, s == 1, v != w

    return {
        "values": [v == w, v != w, s == 1, bool(s == 1), v == [1.0, 5.0], v[0] == 2.0],
        "inside": inside(),
        "sought": [_refused(lambda: v in [w]), s in [2, 1], [v, w].index(v)],
        "refused": _refused(lambda: v == None),  # noqa: E711
        "references": v.experimental_ref() == v.experimental_ref(),
        "changed": [v.assign_add([1.0, 1.0]), s + 1, s > 0, v.shape[0]],
    }


def compared_in_graphs(tf):
    with tf.Graph().as_default():
        x, y = tf.constant(1), tf.constant(1)
        return [x == y, x == x, x != y, x != 2, {x: 1}[x], y in [x]]


def compared_after_a_graph_was_built(tf):
    with tf.Graph().as_default():
        x, y = tf.constant(1), tf.constant(1)
    return [x == y, x == x, y in [x]]


def compared_in_functions(tf):
    traces = []

    @tf.function
    def named(x):
        traces.append(1)
        if x == 0:
            return tf.constant("zero")
        elif x != 1:
            return tf.constant("many")
        else:
            return tf.constant("one")

    @tf.function
    def sum_of_some(n):
        total = 0
        for i in tf.range(n):
            if i == 3:
                continue
            if i == 6:
                break
            total += i
        return total

    @tf.function
    def steps_to_one(x):
        count = 0
        while x != 1:
            x = x // 2 if x % 2 == 0 else 3 * x + 1
            count += 1
        return count

    @tf.function(input_signature=[tf.TensorSpec([None, 2])])
    def rows(x):
        return x == tf.constant([[1.0, 2.0]]), tf.shape(x)[0]

    @tf.function
    def picked(n):
        array = tf.TensorArray(tf.int32, 0, dynamic_size=True)
        for i in tf.range(n):
            if i % 3 == 0:
                array = array.write(array.size(), i)
        return array.stack()

    return {
        "named": [named(tf.constant(n)) for n in (0, 1, 5)] + [named(0), named(1), len(traces)],
        "sums": [
            sum_of_some(tf.constant(10)),
            steps_to_one(tf.constant(7)),
            picked(tf.constant(8)),
        ],
        "rows": [rows(tf.ones([3, 2])), _refused(lambda: rows(tf.ones([2])))],
    }


def compared_in_control_flow(tf):
    x = tf.constant([1, 2, 3])
    return [
        tf.map_fn(lambda e: tf.cast(e == 2, tf.int32), x),
        tf.while_loop(lambda i: i != 5, lambda i: (i + 1,), [tf.constant(0)]),
        tf.cond(tf.constant(3) == 3, lambda: 1, lambda: 2),
        tf.vectorized_map(lambda e: tf.cast(e == 2, tf.int32), x),
        tf.scan(lambda a, e: tf.where(e == 2, a, e), x),
        tf.case([(tf.constant(1) == 2, lambda: 1)], default=lambda: 7),
    ]


def gradients(tf):
    x, c = tf.Variable(3.0), tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(c)
        square = x * x
        pair = tf.stack([c[0] * c[1], c[0] ** 2])
        some = tf.reduce_sum(tf.where(c == 1.0, c * 5.0, c))
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            cube = x**3
        first = inner.gradient(cube, x)

    @tf.function
    def by_steps(y):
        with tf.GradientTape() as inside:
            inside.watch(y)
            z = y
            for i in tf.range(3):
                if i == 1:
                    z = z * z
                else:
                    z = z * 3.0
        return inside.gradient(z, y)

    @tf.function
    def by_branches(y):
        with tf.GradientTape() as outer:
            outer.watch(y)
            with tf.GradientTape() as inner:
                inner.watch(y)
                z = y**3 if tf.reduce_all(y == 2.0) else y * 5.0
            first = inner.gradient(z, y)
        return first, outer.gradient(first, y)

    return [
        tape.gradient(square, x),
        tape.jacobian(pair, c),
        tape.gradient(some, c),
        outer.gradient(first, x),
        tape.gradient(square, [x, c], unconnected_gradients="zero"),
        by_steps(tf.constant(2.0)),
        [by_branches(tf.constant(y)) for y in (2.0, 4.0)],
    ]


def sizes(tf):
    x = tf.zeros([2, 3])
    return [
        x.shape[0],
        type(x.shape[0]).__name__,
        x.shape == (2, 3),
        x.shape == [2, 3],
        x.shape != (2, 3),
        list(x.shape),
        tf.TensorShape([None, 2])[0],
        x.shape.rank,
        3 in x.shape,
        (tf.TensorShape([2]) + [3]).as_list(),
        _refused(lambda: len(tf.TensorShape(None))),
    ]


def modules(tf):
    class Scaled(tf.Module):
        def __init__(self, name=None):
            super().__init__(name=name)
            self.w = tf.Variable(2.0, name="w")
            self.n = None

        @tf.Module.with_name_scope
        def __call__(self, x):
            if self.n is None:
                self.n = tf.Variable(tf.ones_like(x), name="n")
            return x * self.w + self.n

        @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
        def scaled(self, x):
            return tf.where(x == 3.0, x * self.w, x)

    scaled = Scaled("own")
    called = scaled(tf.constant([1.0, 2.0]))
    directory = tempfile.mkdtemp()
    tf.saved_model.save(scaled, directory)
    loaded = tf.compat.v2.saved_model.load(directory)
    return {
        "called": [called, [v.name for v in scaled.variables]],
        "scaled": [scaled.scaled(tf.constant(x)) for x in (3.0, 4.0)],
        "loaded": [loaded.scaled(tf.constant(x)) for x in (3.0, 4.0)],
        "signatures": sorted(loaded.signatures),
    }


def components_of_composites(tf):
    def kinds(value):
        result = tf.nest.map_structure(np.asarray, value, expand_composites=True)
        return type(result).__name__

    return [
        kinds(tf.SparseTensor([[0]], [1.0], [2])),
        kinds(tf.ragged.constant([[1], [2, 3]])),
        kinds(tf.IndexedSlices(tf.ones([1]), tf.constant([0]), tf.constant([2]))),
    ]


def sequence_loss(tf):
    logits = tf.constant(np.random.RandomState(0).rand(5, 2, 4).astype("f"))
    labels, lengths, times = [[1, 2, 0], [2, 1, 1]], [2, 3], [4, 5]
    results = []
    for options in ({}, {"blank_index": -1}, {"logits_time_major": False}):
        with tf.GradientTape() as tape:
            tape.watch(logits)
            inputs = logits
            if "logits_time_major" in options:
                inputs = tf.transpose(logits, [1, 0, 2])
            loss = tf.compat.v2.nn.ctc_loss(labels, inputs, lengths, times, **options)
        results.append([loss, tape.gradient(loss, logits)])
    sparse = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], tf.constant([1, 2, 1]), [2, 2])
    results.append(tf.compat.v2.nn.ctc_loss(sparse, logits, None, times, blank_index=-1))
    return results


def constants_of_other_shapes(tf):
    constant = tf.compat.v2.constant
    return [
        constant([1, 2, 3, 4], shape=[2, 2]),
        constant(True, shape=[2]),
        *(
            _refused(lambda value=value, shape=shape: constant(value, shape=shape))
            for value, shape in (([1, 2], [2, 2]), ([1, 2], []), ([], [2]), ([1, 2], 0))
        ),
    ]


def blocks_of_no_vector(tf):
    blocks = tf.constant(2)
    return [
        _refused(lambda: tf.space_to_batch_nd(tf.zeros([1, 4, 4, 1]), blocks, [[0, 0], [0, 0]])),
        _refused(lambda: tf.batch_to_space_nd(tf.zeros([4, 2, 2, 1]), blocks, [[0, 0], [0, 0]])),
    ]
