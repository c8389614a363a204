"""sort and argsort along axes, ascending and descending, with gradients; vectors of length 1."""

import numpy as np


def build(tf):
    x = tf.placeholder_with_default(np.float32([[3, 1, 2], [0, -1, 5]]), [2, 3], name="x")
    y = tf.placeholder(tf.float32, name="y")
    z = tf.placeholder(tf.int32, [None, 2, None], name="z")
    made = [
        tf.sort(x), tf.sort(x, 0), tf.sort(x, -1, "DESCENDING", name="down"), tf.sort(y), tf.sort(y, 0),
        tf.sort(y, axis=-2, direction="DESCENDING"), tf.sort(z, 1), tf.sort(z, -3), tf.argsort(x),
        tf.argsort(x, 0, "DESCENDING"), tf.argsort(z, 0, stable=True), tf.argsort(y, name="places"),
        tf.argsort([3, 1, 2, 1]), *tf.linalg.normalize(x), *tf.linalg.normalize(x, 1, 0),
        *tf.linalg.normalize(y, np.inf, axis=1, name="largest"),
    ]  # fmt: skip
    grads = tf.gradients([made[0] ** 2, made[1] ** 2, made[13] ** 2], x)
    feed = {y: np.float32([[4, 2, 8], [1, 3, 0]]), z: np.arange(12).reshape(3, 2, 2) % 5}
    steps = [(f"{n} {t.name}", t, feed) for n, t in enumerate(made)]
    facts = {"shapes": [str(t.shape) for t in made]}
    return {"facts": facts, "steps": [*steps, ("gradients", grads)]}
