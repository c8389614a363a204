"""Attrs of the wrong kind beside inputs of the wrong kind, ranks that only the kernel checks."""

import numpy as np


def partitions_that_are_no_number(tf):
    return tf.dynamic_partition([1.0], [0.5], np.ones(3, np.float32))


def index_type_of_a_list_that_is_ragged(tf):
    return tf.unique([[1, 2], [3]], 2.5)


def mode_that_is_not_allowed_beside_a_wrong_dtype(tf):
    return tf.extract_image_patches("text", [1] * 4, [1] * 4, [1] * 4, "FULL")


def top_k_of_many(tf):
    return tf.nn.in_top_k([[1.0, 2.0]], [1], tf.constant([1, 2]))


def parallel_stack_of_ranks_that_differ(tf):
    return tf.parallel_stack([tf.constant([1, 0]), 1])


def points_of_more_axes_than_there_are(tf):
    return tf.tensor_scatter_update(np.ones(3, np.float32), [1, 0], np.ones(3, np.float32))


def any_of_text(tf):
    return tf.reduce_any(np.array(["x", "y"]))
