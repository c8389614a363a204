"""Accumulators that are given gradients of other shapes, or asked for too few of them."""


def given(tf, value, dtype=None):
    return tf.placeholder_with_default(tf.constant(value, dtype), None)


def dense(tf, shape, *values, **settings):
    made = tf.ConditionalAccumulator(tf.float32, shape=shape, **settings)
    adds = [made.apply_grad(given(tf, value)) for value in values]
    return lambda sess: [sess.run(add) for add in adds]


def sparse(tf, shape, *gradients):
    made = tf.SparseConditionalAccumulator(tf.float32, shape=shape)
    adds = []
    for numbers, values, whole in gradients:
        parts = [given(tf, numbers, tf.int64), given(tf, values, tf.float32)]
        whole = None if whole is None else given(tf, whole, tf.int64)
        adds.append(made.apply_grad(*parts, grad_shape=whole))
    return lambda sess: [sess.run(add) for add in adds]


CASES = {
    "another_shape": lambda tf: dense(tf, [2], [1.0, 2.0, 3.0]),
    "another_static_shape": lambda tf: tf.ConditionalAccumulator(tf.float32, shape=[2]).apply_grad(
        [1.0]
    ),
    "no_such_reduction": lambda tf: tf.ConditionalAccumulator(tf.float32, reduction_type="MAX"),
    "none_required": lambda tf: tf.ConditionalAccumulator(tf.float32).take_grad(0),
    "several_numbers_required": lambda tf: tf.ConditionalAccumulator(tf.float32).take_grad([1, 2]),
    "several_steps": lambda tf: tf.ConditionalAccumulator(tf.float32).set_global_step([1, 2]),
    "slices_of_another_size": lambda tf: sparse(tf, [2, 2], ([0], [[1.0, 2.0, 3.0]], None)),
    "slices_of_another_rank_than_before": lambda tf: sparse(
        tf, None, ([0], [[1.0]], None), ([0], [1.0], None)
    ),
}
