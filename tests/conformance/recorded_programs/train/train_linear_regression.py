"""Linear regression as the first tutorials write it, with losses by hand and several optimizers."""

import numpy as np

TOLERANCE = 2e-4  # float32; the furthest value was off by less than 1e-4


def build(tf):
    rng = np.random.RandomState(3)
    xs = rng.rand(20).astype(np.float32)
    ys = xs * 0.1 + 0.3 + 0.01 * rng.randn(20).astype(np.float32)
    W = tf.Variable(tf.random_uniform([1], -1.0, 1.0))
    b = tf.Variable(tf.zeros([1]))
    y = W * xs + b
    squared = tf.reduce_mean(tf.square(y - ys))
    absolute = tf.reduce_mean(tf.abs(y - ys))
    error = tf.abs(y - ys)
    huber = tf.reduce_mean(tf.where(error < 0.1, 0.5 * tf.square(error), 0.1 * error - 0.005))
    hinge = tf.reduce_mean(tf.maximum(0.0, 1.0 - y * ys))
    log = tf.reduce_mean(-tf.log(tf.clip_by_value(tf.sigmoid(y), 1e-10, 1.0)))
    rmse = tf.sqrt(tf.reduce_mean(tf.squared_difference(y, ys)))
    cosine = 1.0 - tf.reduce_sum(tf.nn.l2_normalize(y, 0) * tf.nn.l2_normalize(ys, 0))
    losses = [squared, absolute, huber, hinge, log, rmse, cosine]
    train = tf.train.GradientDescentOptimizer(0.5).minimize(squared)
    others = [tf.train.MomentumOptimizer(0.01, 0.9).minimize(loss) for loss in losses[1:]]
    steps = [("init", tf.global_variables_initializer()), ("start", [W, b, losses])]
    for k in range(8):
        steps += [(f"train {k}", train), (f"values {k}", [W, b, squared])]
    for k, op in enumerate(others):
        steps += [(f"other {k}", op), ("values", [W, b, losses])]
    return {"steps": steps}
