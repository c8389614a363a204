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


def another_shape(tf):
    return dense(tf, [2], [1.0, 2.0, 3.0])


def another_static_shape(tf):
    tf.ConditionalAccumulator(tf.float32, shape=[2]).apply_grad([1.0])


def another_dtype(tf):
    tf.ConditionalAccumulator(tf.float32).apply_grad(tf.constant(1.0, tf.float64))


def no_such_reduction(tf):
    tf.ConditionalAccumulator(tf.float32, reduction_type="MAX")


def none_required(tf):
    return tf.ConditionalAccumulator(tf.float32).take_grad(0)


def fewer_than_none_required(tf):
    return tf.SparseConditionalAccumulator(tf.float32).take_grad(given(tf, -1))


def several_numbers_required(tf):
    tf.ConditionalAccumulator(tf.float32).take_grad([1, 2])


def several_steps(tf):
    tf.ConditionalAccumulator(tf.float32).set_global_step([1, 2])


def a_matrix_of_numbers(tf):
    return sparse(tf, None, ([[0]], [[1.0, 2.0]], [1, 2]))


def fewer_slices_than_numbers(tf):
    return sparse(tf, None, ([0, 1], [[1.0, 2.0]], [1, 2]))


def a_scalar_slice(tf):
    return sparse(tf, None, ([0], 1.0, [2]))


def another_whole_shape(tf):
    return sparse(tf, [3, 2], ([0], [[1.0, 2.0]], [2, 2]))


def a_whole_shape_of_lower_rank(tf):
    return sparse(tf, [3, 2], ([0], [[1.0, 2.0]], [3]))


def a_number_outside(tf):
    return sparse(tf, [2, 2], ([3], [[1.0, 2.0]], None))


def slices_of_another_size(tf):
    return sparse(tf, [2, 2], ([0], [[1.0, 2.0, 3.0]], None))


def slices_of_another_rank(tf):
    return sparse(tf, [2, 2], ([0], [1.0], None))


def slices_of_another_rank_than_before(tf):
    return sparse(tf, None, ([0], [[1.0]], None), ([0], [1.0], None))
