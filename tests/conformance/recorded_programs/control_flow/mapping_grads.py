"""Gradients through map_fn, scan, foldl and foldr."""

import numpy as np

X = np.array([[0.5, -1.0], [2.0, 0.25], [1.0, 1.0]])


def build(tf):
    x = tf.placeholder(tf.float32, [3, 2], name="x")
    w = tf.Variable([[0.5, 0.1], [-0.2, 0.3]], name="w")
    mapped = tf.map_fn(lambda r: tf.tanh(tf.matmul(r[None, :], w)[0]), x)
    pairs = tf.map_fn(lambda p: p[0] * p[1] + w[0], (x, tf.exp(x)), dtype=tf.float32)
    scanned = tf.scan(lambda a, r: tf.tanh(tf.matmul((a + r)[None, :], w)[0]), x)
    started = tf.scan(lambda a, r: a * r + w[0], x, initializer=w[1], reverse=True)
    left = tf.foldl(lambda a, r: a * r + w[0], x)
    right = tf.foldr(lambda a, r: tf.sin(a) + r, x, initializer=w[0])
    steps = [("init", tf.global_variables_initializer())]
    named = zip(
        "mapped pairs scanned started left right".split(),
        [mapped, pairs, scanned, started, left, right],
    )
    for name, value in named:
        gradients = [g for g in tf.gradients(value, [x, w]) if g is not None]
        steps.append((name, [value, gradients], {x: X}))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(mapped * scanned))
    for i in range(3):
        steps.append((f"train {i}", train, {x: X}))
        steps.append((f"after {i}", w))
    return {"steps": steps}
