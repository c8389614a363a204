"""Accumulators: gradients of other shapes, and taking too early."""


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
