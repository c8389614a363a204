"""Shapes that tensors do not have."""

CASES = {
    "with_another_shape": lambda tf: tf.contrib.framework.with_shape(
        [2, 2], tf.ones([2, 3], name="x")
    ),
    "with_a_shape_of_floats": lambda tf: tf.contrib.framework.with_shape(
        [1.0, 2.0], tf.ones([1, 2], name="x")
    ),
    "with_a_matrix_for_a_shape": lambda tf: tf.contrib.framework.with_shape(
        [[1, 2]], tf.ones([1, 2], name="x")
    ),
    "with_a_tensor_of_longs_for_a_shape": lambda tf: tf.contrib.framework.with_shape(
        tf.constant([1, 2], tf.int64, name="s"), tf.ones([1, 2])
    ),
}
