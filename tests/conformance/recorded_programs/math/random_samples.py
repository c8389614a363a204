"""Crops, gamma and Poisson numbers with their gradients, stateless draws; scopes and seeds."""

import numpy as np

TOLERANCE = 2e-6


def build(tf):
    alpha = tf.constant([0.5, 1.0, 7.0], name="alpha")
    beta = tf.placeholder_with_default([[2.0], [0.5]], [None, 1], name="beta")
    n = tf.placeholder_with_default([2], [None], name="n")
    image = tf.constant(np.arange(60).reshape(4, 5, 3), name="image")
    gamma = tf.random_gamma([3], alpha, beta, seed=3)
    made = [
        gamma, tf.random_gamma([2, 2], 1.5), tf.random_gamma(n, [0.1], dtype=tf.float64, seed=1),
        tf.random.gamma([], [3.0, 4.0], name="scalar"),
        tf.random_poisson([0.5, 20.0], [4], seed=2), tf.random_poisson(3.0, n, dtype=tf.int32),
        tf.random.poisson(tf.constant([[1, 40]]), [2], dtype=tf.int64, name="counts"),
        tf.random_crop(image, [2, 3, 3], seed=5), tf.random_crop(image, [4, 1, 2], name="cropped"),
        tf.random.stateless_uniform([3], [1, 2]), tf.random.stateless_normal(n, [7, -7], 1.0, 2.0),
        tf.random.stateless_truncated_normal([2, 2], tf.constant([1, 2], tf.int64)),
        tf.random.stateless_uniform([4], [3, 4], 5, 50, tf.int32, name="integers"),
        tf.random.stateless_categorical([[0.0, 1.0, 2.0]], 6, [3, 4]),
        tf.random.stateless_multinomial([[0.0, 1.0, 2.0]], 6, [3, 4], output_dtype=tf.int32),
        tf.random_gamma([], 2.0, seed=6), tf.random_poisson(2.0, n[:0], seed=6),
    ]  # fmt: skip
    gradients = tf.gradients(tf.reduce_sum(gamma**2), [alpha, beta])
    steps = [(f"{k} {t.name}", t) for k in range(2) for t in made]
    facts = {"shapes": [str(t.shape) for t in made]}
    return {
        "facts": facts,
        "steps": steps + [("gradients", gradients), ("fed", made[2], {n: [1, 3]})],
    }
