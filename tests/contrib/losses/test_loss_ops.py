"""The losses of a graph, as collected by `tf.contrib.losses`."""

import tfmini as tf


def test_arg_scope_sets_the_collection():
    with tf.Graph().as_default():
        with tf.contrib.framework.arg_scope([tf.contrib.losses.add_loss], loss_collection=None):
            tf.contrib.losses.absolute_difference(tf.constant([1.0]), tf.constant([2.0]))
            tf.contrib.losses.add_loss(tf.constant(1.0))
        assert tf.contrib.losses.get_losses() == []
        loss = tf.contrib.losses.absolute_difference(tf.constant([1.0]), tf.constant([2.0]))
        assert tf.contrib.losses.get_losses() == [loss]
