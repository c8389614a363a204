"""Two dense layers with Adam, a decayed rate, a global step and moving averages."""

import numpy as np

FEEDS = {"x": (np.arange(12, dtype=np.float32).reshape(4, 3) / 10).tolist(), "labels": [0, 2, 1, 2]}


def build(tf):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    labels = tf.placeholder(tf.int32, [None], name="labels")
    step = tf.train.get_or_create_global_step()
    with tf.variable_scope("hidden"):
        w = tf.get_variable("w", [3, 5])
        b = tf.get_variable("b", [5], initializer=tf.zeros_initializer())
        hidden = tf.tanh(tf.nn.xw_plus_b(x, w, b))
    with tf.variable_scope("out"):
        logits = tf.matmul(hidden, tf.get_variable("w", [5, 3]))
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    loss = tf.reduce_mean(losses, name="loss")
    rate = tf.train.exponential_decay(0.1, step, 2, 0.5, staircase=True)
    update = tf.train.AdamOptimizer(rate).minimize(loss, global_step=step)
    with tf.control_dependencies([update]):
        averages = tf.train.ExponentialMovingAverage(0.9, step)
        train = averages.apply(tf.trainable_variables())
    return {
        "train": train,
        "loss": loss,
        "feeds": FEEDS,
        "outputs": {"scores": tf.nn.softmax(logits), "class": tf.argmax(logits, 1)},
    }
