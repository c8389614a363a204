"""A variational autoencoder: reparametrized normals, two losses, tied weights, exponentials."""

import numpy as np


def build(tf):
    rng = np.random.RandomState(8)
    x = tf.placeholder(tf.float32, [None, 6], name="x")

    def xavier(size):
        bound = np.sqrt(6.0 / sum(size))
        return tf.random_uniform(size, minval=-bound, maxval=bound, dtype=tf.float32)

    weights = {
        "h": tf.Variable(xavier([6, 5]), name="h"),
        "mean": tf.Variable(xavier([5, 2]), name="mean"),
        "log_var": tf.Variable(xavier([5, 2]), name="log_var"),
        "up": tf.Variable(xavier([2, 5]), name="up"),
    }
    biases = {
        key: tf.Variable(tf.zeros([size])) for key, size in [("h", 5), ("mean", 2), ("out", 6)]
    }
    hidden = tf.nn.softplus(tf.add(tf.matmul(x, weights["h"]), biases["h"]))
    mean = tf.add(tf.matmul(hidden, weights["mean"]), biases["mean"])
    log_var = tf.matmul(hidden, weights["log_var"])
    noise = tf.random_normal(tf.shape(log_var), 0, 1, dtype=tf.float32)
    z = tf.add(mean, tf.multiply(tf.sqrt(tf.exp(log_var)), noise))
    decoded = tf.nn.tanh(tf.matmul(z, weights["up"]))
    logits = tf.matmul(decoded, weights["h"], transpose_b=True) + biases["out"]
    out = tf.nn.sigmoid(logits)
    likelihood = -tf.reduce_sum(x * tf.log(1e-10 + out) + (1 - x) * tf.log(1e-10 + 1 - out), 1)
    same = tf.reduce_sum(tf.nn.sigmoid_cross_entropy_with_logits(logits=logits, labels=x), 1)
    divergence = -0.5 * tf.reduce_sum(1 + log_var - tf.square(mean) - tf.exp(log_var), 1)
    cost = tf.reduce_mean(likelihood + divergence)
    step = tf.train.AdamOptimizer(learning_rate=0.01).minimize(cost)
    everything = [weights[key] for key in sorted(weights)] + [biases[key] for key in sorted(biases)]
    feed = {x: (rng.rand(4, 6) > 0.5).astype(np.float32)}
    steps = [("init", tf.global_variables_initializer())]
    for k in range(4):
        steps += [(f"step {k}", [step, cost], feed), (f"parts {k}", [likelihood, same, z], feed)]
    steps += [("decoded", out, {z: rng.randn(3, 2)}), ("end", everything)]
    return {"steps": steps}
