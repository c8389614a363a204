"""Losses: None, mismatched shapes, weights that do not broadcast, labels outside the classes."""

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
