"""Losses: what is None, shapes that differ, weights that do not stretch, labels outside the classes."""

import numpy as np


def free(tf, name, dtype="float32"):
    return tf.placeholder(dtype, name=name)


def predictions_that_are_none(tf):
    return tf.losses.absolute_difference([1.0], None)


def logits_that_are_none(tf):
    return tf.losses.hinge_loss([1.0], None)


def huber_labels_that_are_none(tf):
    return tf.losses.huber_loss(None, [1.0])


def log_loss_of_none(tf):
    return tf.losses.log_loss([1.0], None)


def pairs_of_none(tf):
    return tf.losses.mean_pairwise_squared_error([[1.0]], None)


def classes_that_are_none(tf):
    return tf.losses.sigmoid_cross_entropy(None, [[1.0]])


def onehot_labels_that_are_none(tf):
    return tf.losses.softmax_cross_entropy(None, [[1.0]])


def sparse_labels_that_are_none(tf):
    return tf.losses.sparse_softmax_cross_entropy(None, [[1.0]])


def no_axis(tf):
    return tf.losses.cosine_distance([1.0], [1.0])


def axis_and_dim(tf):
    return tf.losses.cosine_distance([1.0], [1.0], axis=0, dim=0)


def axis_outside(tf):
    return tf.losses.cosine_distance(tf.ones([2]), tf.ones([2]), axis=1)


def ranks_that_differ(tf):
    return tf.losses.log_loss(tf.ones([2]), tf.ones([2, 1]))


def class_counts_that_differ(tf):
    return tf.losses.softmax_cross_entropy(tf.ones([2, 3]), tf.ones([2, 4]))


def weights_of_another_rank(tf):
    return tf.losses.mean_squared_error(tf.ones([2, 3]), tf.ones([2, 3]), tf.ones([2]))


def weights_of_another_size(tf):
    return tf.losses.mean_squared_error(tf.ones([2, 3]), tf.ones([2, 3]), tf.ones([2, 2]))


def weights_of_another_size_when_run(tf):
    weights = free(tf, "weights")
    loss = tf.losses.mean_squared_error(tf.ones([2, 3]), tf.ones([2, 3]), weights)
    return loss, {weights: np.ones([2, 2])}


def weights_of_another_rank_when_run(tf):
    weights = free(tf, "weights")
    loss = tf.losses.absolute_difference(tf.ones([2, 3]), tf.ones([2, 3]), weights)
    return loss, {weights: np.ones([3])}


def weights_that_are_none(tf):
    return tf.losses.mean_squared_error([1.0], [1.0], None)


def sparse_weights_of_another_rank(tf):
    labels = tf.constant([0, 1])
    return tf.losses.sparse_softmax_cross_entropy(labels, tf.ones([2, 3]), tf.ones([2, 3]))


def sparse_labels_of_another_rank(tf):
    return tf.losses.sparse_softmax_cross_entropy(tf.constant([[0, 1]]), tf.ones([2, 3]))


def float_labels_of_sparse(tf):
    return tf.losses.sparse_softmax_cross_entropy(tf.constant([0.0, 1.0]), tf.ones([2, 3]))


def negative_label(tf):
    labels = free(tf, "labels", "int64")
    return tf.losses.sparse_softmax_cross_entropy(labels, tf.ones([2, 3])), {labels: [0, -1]}


def integer_logits(tf):
    return tf.losses.softmax_cross_entropy(tf.ones([2, 2]), tf.ones([2, 2], tf.int32))


def unknown_reduction(tf):
    return tf.losses.mean_squared_error([1.0], [1.0], reduction="mean")


def reduction_that_is_no_text(tf):
    return tf.losses.Reduction.validate(3)


def no_losses_in_total(tf):
    return tf.losses.get_total_loss()


def losses_of_two_dtypes(tf):
    tf.losses.add_loss(tf.constant(1.0))
    tf.losses.add_loss(tf.constant(1.0, tf.float64))
    return tf.losses.get_total_loss()
