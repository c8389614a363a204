"""Attrs of the wrong kind beside inputs of the wrong kind, ranks that only the kernel checks."""

import numpy as np

CASES = {
    "partitions_that_are_no_number": lambda tf: tf.dynamic_partition(
        [1.0], [0.5], np.ones(3, np.float32)
    ),
    "index_type_of_a_list_that_is_ragged": lambda tf: tf.unique([[1, 2], [3]], 2.5),
    "mode_that_is_not_allowed_beside_a_wrong_dtype": lambda tf: tf.extract_image_patches(
        "text", [1] * 4, [1] * 4, [1] * 4, "FULL"
    ),
    "top_k_of_many": lambda tf: tf.nn.in_top_k([[1.0, 2.0]], [1], tf.constant([1, 2])),
    "parallel_stack_of_ranks_that_differ": lambda tf: tf.parallel_stack([tf.constant([1, 0]), 1]),
    "points_of_more_axes_than_there_are": lambda tf: tf.tensor_scatter_update(
        np.ones(3, np.float32), [1, 0], np.ones(3, np.float32)
    ),
    "any_of_text": lambda tf: tf.reduce_any(np.array(["x", "y"])),
}
