"""Softmax regression on invented digits: placeholders, gradient descent, accuracy."""

import numpy as np


def build(tf):
    rng = np.random.RandomState(0)
    centers = rng.rand(10, 16)
    labels = rng.randint(0, 10, 60)
    images = centers[labels] + 0.1 * rng.randn(60, 16)
    x = tf.placeholder(tf.float32, [None, 16], name="x")
    y = tf.placeholder(tf.float32, [None, 10], name="y")
    W = tf.Variable(tf.zeros([16, 10]), name="W")
    b = tf.Variable(tf.zeros([10]), name="b")
    prediction = tf.nn.softmax(tf.matmul(x, W) + b)
    by_hand = tf.reduce_mean(-tf.reduce_sum(y * tf.log(prediction), reduction_indices=[1]))
    logits = tf.matmul(x, W) + b
    loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=logits))
    train = tf.train.GradientDescentOptimizer(0.5).minimize(by_hand)
    correct = tf.equal(tf.argmax(prediction, 1), tf.argmax(y, 1))
    accuracy = tf.reduce_mean(tf.cast(correct, tf.float32))
    steps = [("init", tf.global_variables_initializer())]
    for k in range(12):
        rows = slice(20 * (k % 3), 20 * (k % 3) + 20)
        feed = {x: images[rows], y: np.eye(10)[labels[rows]]}
        steps += [(f"train {k}", [train, by_hand], feed), (f"loss {k}", loss, feed)]
    feed = {x: images, y: np.eye(10)[labels]}
    return {"steps": steps + [("end", [accuracy, loss, W, b], feed)]}
