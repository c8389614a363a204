"""Vectorized map functions: ops with rare options, control edges, structures; errors."""

import importlib

import numpy as np

X = (np.arange(24, dtype="f").reshape(4, 2, 3) * 5 % 11 - 4) / 4


def _modules(tf):
    """The modules of pfor and Jacobians."""
    if tf.__name__ == "tensorflow":
        names = ("control_flow_ops", "gradients")
        return [importlib.import_module("tensorflow.python.ops.parallel_for." + n) for n in names]
    names = ("pfor", "jacobians")
    return [importlib.import_module("tfmini._src.functions.parallel_for." + n) for n in names]


def controls(tf, stage):
    """Control dependencies, loop invariants, side effects, structures."""
    x = tf.constant(X, name="x")

    def counted(e):
        v = tf.get_variable("v", initializer=2.0, use_resource=True)
        with tf.control_dependencies([tf.Assert(v > 5.0, ["too small"])]):
            return e * v

    def called(e):
        f = tf.function(lambda a, b: (a * b, a - 1.0))
        return f(e, e[0]) + f(tf.constant(2.0), e)

    mapped = tf.vectorized_map
    stage.each(
        {
            "counted": lambda: mapped(counted, tf.constant(X)),
            "called": lambda: mapped(called, tf.constant(X)),
            "static_half": lambda: str(
                mapped(lambda e: e[:1], tf.placeholder(tf.float32, [None, 2, 3])).shape
            ),
            "sorted": lambda: mapped(lambda e: tf.nn.top_k(e, 2).values, tf.constant(X)),
            "shape_of_number": lambda: mapped(lambda e: tf.zeros([e]), tf.range(3)),
            "last_axes": lambda: mapped(lambda e: tf.concat([e, e + 1.0], -1), tf.constant(X)),
            "axis_of_number": lambda: mapped(lambda e: tf.reduce_sum(x, e), tf.range(2)),
        },
        graph=False,
    )


def numbered(tf, stage):
    """`pfor` and `for_loop` by index: chunks, reductions, operations without outputs, Jacobians."""
    package, gradients = _modules(tf)
    pfor, for_loop = package.pfor, package.for_loop
    square = lambda i: tf.cast(i * i, tf.float32)  # noqa: E731

    def centred(i, pfor_config):
        value = tf.gather(tf.constant([1.0, 2.0, 6.0]), i)
        return value - pfor_config.reduce_mean(value), pfor_config.reduce_sum(value * 2.0)

    def effect(i):
        with tf.control_dependencies([tf.Assert(i < 2, [i])]):
            return tf.no_op()

    def of(method, use_pfor, **given):
        y = tf.constant([[1.0, 2.0], [3.0, 4.0]])
        return getattr(gradients, method)(y * y[:, :1], y, use_pfor=use_pfor, **given)

    def unconnected(method):
        y = tf.constant([[1.0, 2.0]])
        return str(getattr(gradients, method)(tf.ones([1, 2]), y))

    def sparse(i):
        return tf.SparseTensor(
            [[0, tf.cast(i, tf.int64)]], [square(i)], tf.constant([2, 4], tf.int64)
        )

    def parts(s):
        return s.indices, s.values, s.dense_shape

    stage.each(
        {
            "two_at_once": lambda: pfor(square, 5, parallel_iterations=2),
            "more_at_once": lambda: pfor(square, 3, parallel_iterations=8),
            "fed_at_once": lambda: pfor(
                square, tf.placeholder_with_default(3, []), parallel_iterations=2
            ),
            "one_at_once": lambda: pfor(square, 3, parallel_iterations=1),
            "none_at_once": lambda: pfor(square, 3, parallel_iterations=0),
            "centred": lambda: pfor(centred, 3),
            "reduced_at_once": lambda: pfor(centred, 3, parallel_iterations=2),
            "effect": lambda: pfor(effect, 2),
            "sparse": lambda: parts(pfor(sparse, 3)),
            "loop_few": lambda: for_loop(lambda i: (i, i), tf.int32, 2),
            "loop_none": lambda: str(
                for_loop(lambda i: (square(i), None), [tf.float32, tf.int32], 2)[1]
            ),
            "jacobian": lambda: [of("jacobian", p) for p in (True, False)],
            "jacobian_two": lambda: of("jacobian", True, parallel_iterations=2),
            "batch": lambda: [of("batch_jacobian", p) for p in (True, False)],
            "jacobian_none": lambda: unconnected("jacobian"),
            "batch_none": lambda: unconnected("batch_jacobian"),
            "batch_sizes": lambda: gradients.batch_jacobian(tf.zeros([2, 1]), tf.zeros([3, 1])),
            "batch_fed": lambda: (
                lambda y: gradients.batch_jacobian(tf.placeholder_with_default(y * y, None), y)
            )(tf.constant([[1.0, 2.0]])),
            "arrays": lambda: pfor(
                lambda i: tf.TensorArray(tf.int32, 2).write(0, i).write(1, 7).stack(), 3
            ),
            "whiles": lambda: [
                tf.reshape(each, [-1])  # TensorFlow infers less of its shape
                for each in pfor(
                    lambda i: tf.while_loop(
                        lambda j, t: j < i, lambda j, t: (j + 1, t + i * 10), [0, 1]
                    ),
                    4,
                )
            ],
            "counted": lambda: pfor(
                lambda i: tf.get_variable("v", initializer=1.0, use_resource=True).assign_add(1.0),
                2,
            ),
        },
        graph=False,
    )
