"""The classic network: convolutions, biases, ReLU, LRN, max pooling, a dense layer, dropout; trained by Adam."""

import numpy as np


def build(tf):
    x = tf.placeholder(tf.float32, [None, 64], name="x")
    y = tf.placeholder(tf.int64, [None], name="y")
    keep = tf.placeholder(tf.float32, name="keep")
    images = tf.reshape(x, [-1, 8, 8, 1])

    def weights(shape):
        return tf.Variable(tf.truncated_normal(shape, stddev=0.1))

    def layer(inputs, shape, name):
        with tf.name_scope(name):
            maps = tf.nn.conv2d(inputs, weights(shape), strides=[1, 1, 1, 1], padding="SAME")
            maps = tf.nn.relu(maps + tf.Variable(tf.constant(0.1, shape=shape[-1:])))
            maps = tf.nn.lrn(maps, 4, bias=1.0, alpha=0.001 / 9.0, beta=0.75)
            return tf.nn.max_pool(maps, [1, 2, 2, 1], [1, 2, 2, 1], padding="SAME")

    maps = layer(layer(images, [5, 5, 1, 4], "conv1"), [5, 5, 4, 6], "conv2")
    flat = tf.reshape(maps, [-1, 2 * 2 * 6])
    hidden = tf.nn.relu(
        tf.matmul(flat, weights([24, 10])) + tf.Variable(tf.constant(0.1, shape=[10]))
    )
    dropped = tf.nn.dropout(hidden, keep)
    logits = tf.matmul(dropped, weights([10, 3])) + tf.Variable(tf.constant(0.1, shape=[3]))
    loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
    train = tf.train.AdamOptimizer(1e-2).minimize(loss)
    right = tf.equal(tf.argmax(logits, 1), y)
    accuracy = tf.reduce_mean(tf.cast(right, tf.float32))
    rng = np.random.RandomState(1)
    feed = {x: rng.rand(6, 64).astype(np.float32), y: [0, 1, 2, 2, 1, 0]}
    return {
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            *[("step", [train, loss], {**feed, keep: 0.5}) for _ in range(10)],
            ("accuracy", [accuracy, loss], {**feed, keep: 1.0}),
        ]
    }
