"""tf.norm of matrices: the spectral norm, over any pair of axes; tf.linalg.normalize with it."""

import numpy as np

X = np.arange(24.0, dtype="f").reshape(2, 3, 4) / 7 - 1


def build(tf):
    x = tf.placeholder(tf.float32, [2, 3, 4], name="x")
    loose = tf.placeholder(tf.float32, None, name="loose")
    m = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    norms = [
        tf.norm(m, ord=2, axis=(0, 1)),
        tf.norm(m, 2, [0, 1], keepdims=True, name="kept"),
        tf.norm(x, 2, axis=(-2, -1)),
        tf.norm(x, 2, axis=[0, 2], keepdims=True),
        tf.norm(x, 2.0, axis=(2, 1)),
        tf.linalg.norm(loose, ord=2, axis=(-1, 0)),
    ]
    parts = tf.linalg.normalize(x, ord=2, axis=(1, 2))
    gradient = tf.gradients(norms[2], x)
    feed = {x: X, loose: X}
    facts = {"shapes": [str(t.shape) for t in (*norms, *parts)]}
    return {
        "facts": facts,
        "steps": [("norms", norms, feed), ("parts", parts, feed), ("gradient", gradient, feed)],
    }
