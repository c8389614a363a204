"""tf.contrib: regularizers that cannot be, variables that are not there."""

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


CASES = {
    "l2_of_an_integer": lambda tf: tf.contrib.layers.l2_regularizer(True),
    "regularization_not_scalar": lambda tf: tf.contrib.layers.apply_regularization(
        lambda w: w, [tf.constant([1.0, 2.0])]
    ),
    "unique_variable_missing": lambda tf: tf.contrib.framework.get_unique_variable("nowhere"),
    "assign_to_no_variable": lambda tf: tf.contrib.framework.assign_from_values(
        {"nowhere": np.zeros(1)}
    ),
    "op_without_arguments": lambda tf: tf.nn.elu(),
    "op_with_too_many_arguments": lambda tf: tf.floor(1.0, "name", 3),
    "op_with_an_unknown_argument": lambda tf: tf.nn.elu(1.0, zzz=2.0),
    "op_with_an_argument_twice": lambda tf: tf.nn.elu(1.0, features=2.0),
    "op_without_two_arguments": lambda tf: tf.igamma(),
    "op_without_three_arguments": lambda tf: tf.betainc(),
}
