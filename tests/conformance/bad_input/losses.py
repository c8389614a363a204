"""Losses: what is None, shapes that differ, weights that do not stretch, labels outside the classes."""

import numpy as np


def free(tf, name, dtype="float32"):
    return tf.placeholder(dtype, name=name)


def weights_of_another_rank_when_run(tf):
    weights = free(tf, "weights")
    loss = tf.losses.absolute_difference(tf.ones([2, 3]), tf.ones([2, 3]), weights)
    return loss, {weights: np.ones([3])}


def sparse_weights_of_another_rank(tf):
    labels = tf.constant([0, 1])
    return tf.losses.sparse_softmax_cross_entropy(labels, tf.ones([2, 3]), tf.ones([2, 3]))


def negative_label(tf):
    labels = free(tf, "labels", "int64")
    return tf.losses.sparse_softmax_cross_entropy(labels, tf.ones([2, 3])), {labels: [0, -1]}


def losses_of_two_dtypes(tf):
    tf.losses.add_loss(tf.constant(1.0))
    tf.losses.add_loss(tf.constant(1.0, tf.float64))
    return tf.losses.get_total_loss()


CASES = {
    "sparse_labels_that_are_none": lambda tf: tf.losses.sparse_softmax_cross_entropy(None, [[1.0]]),
    "axis_and_dim": lambda tf: tf.losses.cosine_distance([1.0], [1.0], axis=0, dim=0),
    "axis_outside": lambda tf: tf.losses.cosine_distance(tf.ones([2]), tf.ones([2]), axis=1),
    "sparse_labels_of_another_rank": lambda tf: tf.losses.sparse_softmax_cross_entropy(
        tf.constant([[0, 1]]), tf.ones([2, 3])
    ),
    "float_labels_of_sparse": lambda tf: tf.losses.sparse_softmax_cross_entropy(
        tf.constant([0.0, 1.0]), tf.ones([2, 3])
    ),
    "integer_logits": lambda tf: tf.losses.softmax_cross_entropy(
        tf.ones([2, 2]), tf.ones([2, 2], tf.int32)
    ),
    "unknown_reduction": lambda tf: tf.losses.mean_squared_error([1.0], [1.0], reduction="mean"),
    "reduction_that_is_no_text": lambda tf: tf.losses.Reduction.validate(3),
    "no_losses_in_total": lambda tf: tf.losses.get_total_loss(),
}
