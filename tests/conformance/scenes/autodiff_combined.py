"""Gradients with several options at once, of doubles, slices that are added, and checked with every option."""

import itertools

import numpy as np


def _sum(tf, x, w):
    rows = tf.gather(x, [0, 1, 0])
    more = tf.nn.embedding_lookup([w], [2, 2, 1])
    return [rows * 2.0, x * x, more, tf.reduce_sum(w) * more]


def options(tf, stage):
    """All ways to add up, with and without gates and colocations, in each dtype; nodes, devices, kinds."""
    methods = tf.AggregationMethod
    names = ("DEFAULT", "EXPERIMENTAL_TREE", "EXPERIMENTAL_ACCUMULATE_N")
    for name, gate, beside, dtype in itertools.product(
        names, (False, True), (False, True), (tf.float64, tf.float16)
    ):
        if dtype is tf.float16 and (gate or name != "DEFAULT"):
            continue
        with tf.Graph().as_default() as graph, tf.Session() as session, stage.failing():
            x = tf.constant([[1.0, 2.0], [3.0, 4.0]], dtype, name="x")
            w = tf.Variable([[1.0, 0.5], [2.0, 0.25], [4.0, 8.0]], dtype=dtype, name="w")
            with tf.device("/device:CPU:0"):
                ys = _sum(tf, x, w)
            found = tf.gradients(
                *(ys, [x, w]),
                grad_ys=[None, tf.ones_like(x) * 3, None, tf.fill([3, 2], tf.cast(0.5, dtype))],
                name="mine",
                colocate_gradients_with_ops=beside,
                gate_gradients=gate,
                aggregation_method=getattr(methods, name),
            )
            stage.say(
                name, gate, beside, [(type(g).__name__, str(g.shape), g.dtype) for g in found]
            )
            session.run(tf.global_variables_initializer())
            stage.say(session.run([tf.convert_to_tensor(g) for g in found]))
            stage.say(sorted({op.device for op in graph.get_operations() if op.name[:4] == "mine"}))
            stage.brief_graph(names=False)


def second_derivatives(tf, stage):
    def of(function, *values, **settings):
        def run():
            xs = [tf.constant(v, tf.float64) for v in values]
            return tf.hessians(function(*xs), xs if len(xs) > 1 else xs[0], **settings)

        return run

    tree = tf.AggregationMethod.EXPERIMENTAL_TREE
    stage.each(
        {
            "colocated": of(
                lambda x: tf.reduce_prod(x), [1.0, 2.0, 3.0], colocate_gradients_with_ops=True
            ),
            "tree": of(lambda x: tf.reduce_sum(x * x * x + x * x), [2.0], aggregation_method=tree),
            "empty": of(lambda x: tf.reduce_sum(x * x), np.zeros([0])),
            "fed": lambda: tf.hessians(
                *(lambda x: (tf.reduce_sum(x * x * x), x))(
                    tf.placeholder_with_default(np.array([1.0, 2.0]), [None])
                )
            ),
        }
    )


def checked(tf, stage):
    """`tf.test.compute_gradient` and its kin: steps, first values, feeds, lists, complex numbers, what is refused."""
    test = tf.test
    with tf.Session():
        x = tf.constant([[1.0, 2.0]], tf.float64, name="x")
        z = tf.constant([3.0], tf.float64)
        v = tf.Variable([2.0, 1.0], dtype=tf.float64)
        fed = tf.placeholder(tf.float64, [2], name="fed")
        y = x * x * z
        c = tf.constant([1.0 + 2.0j])
        single = tf.constant([[1.0, 2.0]])
        stage.attempts(
            lambda: test.compute_gradient(x, [1, 2], y, [1, 2]),
            lambda: test.compute_gradient(x, [1, 2], y, [1, 2], np.array([[3.0, 4.0]])),
            lambda: test.compute_gradient(x, [1, 2], y, [1, 2], delta=0.5),
            lambda: test.compute_gradient(x, [1, 2], x * x * x, [1, 2], np.ones([1, 2]), 0.5),
            lambda: test.compute_gradient(x, [1, 2], x * v, [1, 2], init_targets=v.initializer),
            lambda: test.compute_gradient(x, [1, 2], x * v, [1, 2], init_targets=[v.initializer]),
            lambda: test.compute_gradient(
                x, [1, 2], x * fed, [1, 2], np.ones([1, 2]), extra_feed_dict={fed: [5.0, 6.0]}
            ),
            lambda: test.compute_gradient(
                [x, z], [[1, 2], [1]], y, [1, 2], [np.ones([1, 2]), np.array([2.0])]
            ),
            lambda: test.compute_gradient([x], [[1, 2]], y, [1, 2], [np.ones([1, 2])], 0.25),
            lambda: test.compute_gradient(c, [1], c * c, [1], np.array([1.0 + 1.0j], np.complex64)),
            lambda: test.compute_gradient(single, [1, 2], single * 3.0, [1, 2], delta=0.125),
            lambda: test.compute_gradient(x, [1, 2], tf.zeros([0], tf.float64) * x[0, 0], [0]),
            lambda: test.compute_gradient(x, [2, 1], y, [1, 2]),
            lambda: test.compute_gradient(x, [1, 2], y, [1, 2], np.ones([2, 2])),
            lambda: test.compute_gradient([x, z], [[1, 2]], y, [1, 2]),
            lambda: test.compute_gradient(tf.constant([1]), [1], tf.constant([1]), [1]),
        )
        stage.attempts(
            lambda: test.compute_gradient_error(x, [1, 2], y, [1, 2], np.ones([1, 2])) < 1e-6,
            lambda: test.compute_gradient_error(x, [1, 2], x**3, [1, 2], np.ones([1, 2]), 0.5),
            lambda: test.compute_gradient_error(
                x, [1, 2], x * fed, [1, 2], extra_feed_dict={fed: [5.0, 6.0]}, delta=0.5
            ),
            lambda: test.compute_gradient_error(
                x, [1, 2], x * x * v, [1, 2], np.ones([1, 2]), 0.5, [v.initializer]
            ),
            lambda: test.compute_gradient_error(
                [x, z], [[1, 2], [1]], x * z * z, [1, 2], [np.ones([1, 2]), np.ones([1])], 1.0
            ),
            lambda: test.compute_gradient_error(
                x, [1, 2], tf.stop_gradient(y), [1, 2], np.ones([1, 2])
            ),
        )
