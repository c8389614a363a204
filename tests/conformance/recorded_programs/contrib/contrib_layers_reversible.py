"""tf.contrib.layers: reversible blocks, recomputed functions, divisive normalization; trained."""

import numpy as np


def build(tf):
    layers = tf.contrib.layers
    x1 = tf.placeholder(tf.float32, [2, 3], name="x1")
    x2 = tf.placeholder(tf.float32, [2, 3], name="x2")
    images = tf.placeholder(tf.float32, [2, 4, 4, 3], name="images")
    start = tf.constant_initializer(np.linspace(-0.5, 0.7, 9))

    def dense(x):
        with tf.variable_scope("dense"):
            return tf.tanh(tf.matmul(x, tf.get_variable("w", [3, 3], initializer=start)))

    def shifted(x, side):
        return x * 0.5 + side[0]

    side = tf.sin(x1)
    y1, y2 = layers.rev_block(x1, x2, dense, shifted, g_side_input=[side])
    with tf.variable_scope("plain"):
        block = layers.RevBlock([dense] * 2, dense, 2, name="own", use_efficient_backprop=False)
        z1, z2 = block.forward(x1, x2)
        back = block.backward(z1, z2)

    @layers.recompute_grad
    def once(x, y):
        return dense(x) * y, y + 1.0

    @layers.recompute_grad(use_data_dep=True, tupleize_grads=True)
    def twice(x, is_recomputing=False):
        return dense(x) * (2.0 if is_recomputing else 2.0)

    with tf.variable_scope("again", use_resource=True):
        a, b = once(y1, z2)
    with tf.variable_scope("by_data", use_resource=True):
        c = twice(a)
    normed = layers.gdn(images, name="gdn")
    inverse = layers.GDN(inverse=True, gamma_init=0.2, beta_min=1e-4)(normed)
    loss = sum(tf.reduce_sum(tf.square(t)) for t in (y2, b, c, inverse))
    optimizer = tf.train.GradientDescentOptimizer(0.01)
    train = optimizer.minimize(loss)
    grads = tf.gradients(loss, [x1, x2, images])
    first_channels = tf.transpose(images, [0, 3, 1, 2])
    built = tf.contrib.slim.gdn(
        first_channels, data_format="channels_first", reuse=True, name="gdn"
    )
    long = layers.gdn(tf.reshape(images, [2, 16, 3]), reuse=True, name="gdn")
    deep = tf.reshape(images, [2, 2, 2, 4, 3])
    deep = layers.gdn(deep, reuse=True, name="gdn")
    rng = np.random.RandomState(2)
    feed = {x1: rng.randn(2, 3), x2: rng.randn(2, 3), images: rng.randn(2, 4, 4, 3)}
    return {
        "facts": {
            "variables": [v.name for v in tf.global_variables()],
            "trained": [v.name for v in tf.trainable_variables()],
            "of": [v.name for v in block.trainable_weights],
            "shape": str(built.shape),
        },
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            ("values", [y1, y2, z1, z2, *back, a, b, c, normed, inverse, long, deep], feed),
            ("gradients", grads, feed),
            *[("train", [train, loss], feed) for _ in range(20)],
        ],
    }
