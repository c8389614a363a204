"""Fed constants: shapes, axes and sizes known to the graph and overridden by a step."""

import numpy as np

from tests.conformance.scenes.compiler_results import _numbers


def _fed(tf, stage, cases):
    """Records each case's fetches with its constants unchanged and fed, for each way to run a step."""
    for name, case in cases.items():
        with tf.Graph().as_default(), tf.Session() as session:
            stage.say(name)
            with stage.failing():
                made, *feeds = case()
                for feed in ({}, *feeds):
                    stage.attempt(session.run, made, feed)
                feed = feeds[0]
                keys, values = list(feed), list(feed.values())
                stage.attempt(session.make_callable(made, keys), *values)
                with stage.failing():
                    handle = session.partial_run_setup([made], keys)
                    stage.say(session.partial_run(handle, made, feed))


def shapes(tf, stage):
    x = _numbers(2, 6)

    def reshaped(*feeds, shape=(3, 4), through=tf.identity, after=tf.identity):
        def case():
            size = tf.constant(shape, name="size")
            made = after(tf.reshape(x, through(size)))
            return (made, *[{size: feed} for feed in feeds])

        return case

    def axis(function, first, *feeds):
        def case():
            number = tf.constant(first, name="axis")
            return (function(number), *[{number: feed} for feed in feeds])

        return case

    _fed(
        tf,
        stage,
        {
            "reshape": reshaped([6, 2], [4, 3], [-1, 1], [5, 2], [2, 2, 3]),
            "rest": reshaped([6, -1], [-1, 6], shape=(3, -1)),
            "next": reshaped([5, 1], shape=(2, 3), through=lambda size: size + 1),
            "softmax": reshaped([6, 2], after=tf.nn.softmax),
            "broadcast": axis(lambda n: tf.broadcast_to(x[0], n) + x[0], [2, 6], [3, 6], [1, 6]),
        },
    )


def gradients(tf, stage):
    x = _numbers(2, 6)

    def gradient(function, first, *feeds):
        def case():
            number, y = tf.constant(first, name="number"), tf.constant(x)
            made = function(y, number)
            return (tf.gradients(made, y, grad_ys=made * 2.0), *[{number: feed} for feed in feeds])

        return case

    _fed(
        tf,
        stage,
        {
            "reshape": gradient(tf.reshape, [3, 4], [6, 2], [4, 3]),
            "expand": gradient(tf.expand_dims, 0, 1, 2),
            "prod": gradient(tf.reduce_prod, 0, 1),
            "max": gradient(tf.reduce_max, 0, 1),
            "tile": gradient(tf.tile, [1, 2], [2, 1]),
            "pad": gradient(tf.pad, [[0, 1], [1, 0]], [[1, 1], [0, 2]]),
            "transpose": gradient(tf.transpose, [1, 0], [0, 1]),
            "fill": gradient(lambda y, n: tf.fill(n, y[0, 0]), [2, 3], [4, 1]),
        },
    )


def flow(tf, stage):
    x = _numbers(2, 6)

    def number(function, first, *feeds):
        def case():
            size = tf.constant(first, name="size")
            return (function(size), *[{size: feed} for feed in feeds])

        return case

    def loop(size):
        def body(i, y):
            return i + 1, y + tf.reshape(x, size)

        return tf.while_loop(lambda i, y: i < 3, body, [0, tf.zeros(size)])[1]

    def grown(size):
        body = lambda y: tf.concat([y, tf.reshape(x, size)], 0)  # noqa: E731
        y = tf.zeros([0, 4])
        return tf.while_loop(
            lambda y: tf.shape(y)[0] < 5, body, [y], shape_invariants=[tf.TensorShape([None, None])]
        )

    def mapped(size):
        return tf.map_fn(lambda row: tf.reshape(row, size) * 2.0, tf.constant(x))

    def branch(size):
        return tf.cond(
            tf.constant(x)[0, 0] < 100.0, lambda: tf.fill(size, 1.0), lambda: tf.fill(size, 2.0)
        )

    def called(size):
        function = tf.function(lambda n: tf.reshape(x, n) + 1.0)
        return function(size) * 2.0

    def inside(size):
        function = tf.function(lambda y: tf.reshape(y, size) + 1.0, autograph=False)
        return function(tf.constant(x)) * 2.0

    def listed(size):
        lists = tf.TensorArray(tf.float32, 3, dynamic_size=True).unstack(tf.reshape(x, size))
        return lists.stack() + 1.0

    def assigned(size):
        variable = tf.Variable(np.zeros([2, 6], "float32"), validate_shape=False)
        with tf.control_dependencies([variable.initializer]):
            return tf.assign(variable, tf.reshape(x, size), validate_shape=False) + 1.0

    _fed(
        tf,
        stage,
        {
            "loop": number(loop, [3, 4], [2, 6], [6, 2]),
            "grown": number(grown, [3, 4], [3, 4]),
            "map": number(mapped, [3, 2], [2, 3], [6]),
            "cond": number(branch, [3, 4], [2, 3]),
            "call": number(called, [3, 4], [2, 6]),
            "inside": number(inside, [3, 4], [2, 6]),
            "list": number(listed, [3, 4], [6, 2]),
            "assign": number(assigned, [3, 4], [6, 2]),
        },
    )


def sizes(tf, stage):
    """Constants read by the front end, which infers less than shape functions and forbids feeding them."""
    pairs = tf.data.Dataset.range(12)
    two = tf.constant(2, tf.int64)
    for size in (two, two * 2):
        for made in (
            pairs.batch(size, drop_remainder=True),
            pairs.batch(size),
            pairs.padded_batch(size, [], drop_remainder=True),
            pairs.map(lambda n: tf.fill([n], n)).padded_batch(2, [size]),
            pairs.apply(tf.data.experimental.map_and_batch(lambda n: n, size, drop_remainder=True)),
        ):
            stage.say(tf.compat.v1.data.get_output_shapes(made))
    array = tf.TensorArray(tf.float32, 2, element_shape=None, infer_shape=True)
    lengths = tf.constant([1, 1], tf.int64)
    stage.say(array.split(tf.zeros([2, 3]), lengths).read(0).shape)
    with tf.Session() as session:
        for tensor in (two, lengths):
            stage.attempt(session.run, tensor, {tensor: tensor.eval(session=session)})
