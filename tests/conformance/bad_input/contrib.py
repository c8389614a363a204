"""tf.contrib: regularizers that cannot be, variables that are not there."""

import numpy as np


def l1_of_an_integer(tf):
    tf.contrib.layers.l1_regularizer(1)


def l1_below_zero(tf):
    tf.contrib.layers.l1_regularizer(-0.5)


def l2_of_an_integer(tf):
    tf.contrib.layers.l2_regularizer(True)


def l2_below_zero(tf):
    tf.contrib.layers.l2_regularizer(-1.0)


def l1_l2_of_an_integer(tf):
    tf.contrib.layers.l1_l2_regularizer(0.5, 2)


def regularization_of_nothing(tf):
    tf.contrib.layers.apply_regularization(tf.contrib.layers.l2_regularizer(1.0))


def regularization_not_scalar(tf):
    tf.contrib.layers.apply_regularization(lambda w: w, [tf.constant([1.0, 2.0])])


def unique_variable_missing(tf):
    tf.contrib.framework.get_unique_variable("nowhere")


def unique_variable_of_two(tf):
    tf.get_variable("weights_a", [1])
    tf.get_variable("weights_b", [1])
    tf.contrib.framework.get_unique_variable("weights")


def restore_of_a_string(tf):
    tf.contrib.framework.get_variables_to_restore("scope")


def restore_without_a_string(tf):
    tf.contrib.framework.get_variables_to_restore(exclude="scope")


def assign_to_no_variable(tf):
    tf.contrib.framework.assign_from_values({"nowhere": np.zeros(1)})


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


def op_without_arguments(tf):
    tf.nn.elu()


def op_with_too_many_arguments(tf):
    tf.floor(1.0, "name", 3)


def op_with_an_unknown_argument(tf):
    tf.nn.elu(1.0, zzz=2.0)


def op_with_an_argument_twice(tf):
    tf.nn.elu(1.0, features=2.0)


def op_without_two_arguments(tf):
    tf.igamma()


def op_without_three_arguments(tf):
    tf.betainc()


def alpha_dropout_of_everything(tf):
    return tf.contrib.nn.alpha_dropout(tf.ones([2]), 0.0)


def alpha_dropout_with_a_vector(tf):
    return tf.contrib.nn.alpha_dropout(tf.ones([2]), [0.5, 0.5])


def sampled_sparse_loss_of_more_classes_than_there_are(tf):
    x = tf.ones([2, 3])
    labels = tf.constant([[0], [1]], tf.int64)
    return tf.contrib.nn.sampled_sparse_softmax_loss(tf.ones([4, 3]), tf.ones([4]), labels, x, 9, 4)


def flipped_losses_of_other_shapes(tf):
    loss = tf.contrib.nn.deprecated_flipped_sigmoid_cross_entropy_with_logits
    return loss(tf.ones([2, 3]), tf.ones([3, 2]))
