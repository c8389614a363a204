"""tf.contrib: invalid regularizers, missing variables."""

import numpy as np


def unique_variable_of_two(tf):
    tf.get_variable("weights_a", [1])
    tf.get_variable("weights_b", [1])
    tf.contrib.framework.get_unique_variable("weights")


def assign_to_one_of_two(tf):
    tf.get_variable("weights_a", [1])
    tf.get_variable("weights_b", [1])
    tf.contrib.framework.assign_from_values({"weights": np.zeros(1)})


def assign_of_another_shape(tf):
    tf.get_variable("weights", [2])
    tf.contrib.framework.assign_from_values({"weights": np.zeros(3)})


def global_step_of_floats(tf):
    step = tf.constant(1.0)
    tf.contrib.framework.assert_or_get_global_step(global_step_tensor=step)


def global_step_twice(tf):
    tf.contrib.framework.create_global_step()
    tf.contrib.framework.create_global_step()


def sampled_sparse_loss_of_more_classes_than_there_are(tf):
    x = tf.ones([2, 3])
    labels = tf.constant([[0], [1]], tf.int64)
    return tf.contrib.nn.sampled_sparse_softmax_loss(tf.ones([4, 3]), tf.ones([4]), labels, x, 9, 4)


def flipped_losses_of_other_shapes(tf):
    loss = tf.contrib.nn.deprecated_flipped_sigmoid_cross_entropy_with_logits
    return loss(tf.ones([2, 3]), tf.ones([3, 2]))
