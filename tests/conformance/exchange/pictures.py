"""An image classifier: two convolutions, and reconstruction by transposed convolution."""

import numpy as np

RANDOM = np.random.RandomState(12)
FEEDS = {"pictures": RANDOM.rand(4, 8, 9, 2).round(3).tolist(), "labels": [0, 2, 1, 2]}


def build(tf):
    pictures = tf.placeholder(tf.float32, [None, 8, 9, 2], name="pictures")
    labels = tf.placeholder(tf.int32, [None], name="labels")
    first = tf.get_variable("first", [3, 3, 2, 4])
    bias = tf.get_variable("bias", [4], initializer=tf.zeros_initializer())
    second = tf.get_variable("second", [2, 3, 4, 5])
    folded = tf.nn.relu(tf.nn.bias_add(tf.nn.conv2d(pictures, first, [1, 2, 2, 1], "SAME"), bias))
    pads = [[0, 0], [1, 0], [2, 1], [0, 0]]
    deep = tf.tanh(tf.nn.conv2d(folded, second, [1, 1, 2, 1], pads), name="deep")
    shape = tf.shape(folded)
    again = tf.nn.conv2d_transpose(deep, tf.get_variable("back", [2, 3, 4, 5]), shape, [1, 1, 2, 1])
    again.set_shape(folded.shape)
    flat = tf.reshape(deep, [-1, 4 * 3 * 5])
    logits = tf.layers.dense(flat, 3, name="logits", kernel_regularizer=tf.nn.l2_loss)
    each = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    penalty = 1e-3 * tf.add_n(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES))
    difference = tf.reduce_mean(tf.square(again - folded))
    loss = tf.add_n([tf.reduce_mean(each), penalty, difference], name="loss")
    train = tf.train.MomentumOptimizer(0.05, 0.9).minimize(loss)
    return {
        "train": train,
        "loss": loss,
        "feeds": FEEDS,
        "outputs": {"scores": logits, "again": again},
    }
