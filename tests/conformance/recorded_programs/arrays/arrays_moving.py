"""Transposing, reversing and rolling; diagonals and bands."""

import numpy as np


def build(tf):
    x = tf.constant(np.arange(24).reshape(2, 3, 4), tf.float32, name="x")
    i = tf.constant([[1, 2, 3], [4, 5, 6]], name="i")
    p = tf.placeholder(tf.float32, [None, 3], name="p")
    q = tf.placeholder(tf.float32, name="q")
    n = tf.placeholder(tf.int32, [], name="n")
    k = tf.placeholder(tf.int32, name="k")
    c = tf.constant([[1 + 2j, 3 - 1j]], tf.complex64)
    made = [
        tf.transpose(q), tf.transpose(q, [1, 0]), tf.transpose(3.0), tf.transpose(p, name="t"),
        tf.transpose(c, conjugate=True), tf.transpose(c, [1, 0], conjugate=True),
        tf.transpose(p, conjugate=True), tf.transpose(x, tf.constant([2, 0, 1], tf.int64)),
        tf.transpose(q, k), tf.matrix_transpose(x), tf.matrix_transpose(p),
        tf.matrix_transpose(q, name="mt"), tf.linalg.transpose(x),
        tf.invert_permutation(k), tf.reverse(q, [0]), tf.reverse(i, []), tf.reverse(p, k[:1]),
        tf.reverse_v2(p, [1], name="rv"), tf.reverse_sequence(x, [2, 1], seq_axis=1, batch_axis=0),
        tf.reverse_sequence(x, [2, 1, 0], seq_axis=0, batch_axis=1),
        tf.reverse_sequence(p, [1, 3], 1, name="rs"), tf.roll(i, [1, -1], [0, 1]),
        tf.roll(p, shift=2, axis=-1), tf.roll(q, n, 1, name="ro"), tf.manip.roll(i, 1, 0),
        tf.diag(i), tf.diag(q), tf.diag_part(tf.reshape(tf.range(36), [2, 3, 2, 3])),
        tf.diag_part(p[:, :2], name="dp"), tf.matrix_diag(i), tf.matrix_diag(p), tf.matrix_diag(q),
        tf.matrix_diag([1, 2], k=1), tf.matrix_diag([True, False], name="md"),
        tf.matrix_diag_part(x), tf.matrix_diag_part(p), tf.matrix_diag_part(q, k=1),
        tf.matrix_set_diag(x, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]),
        tf.matrix_set_diag(p, [7.0, 8.0]), tf.linalg.set_diag(i, [7, 8]),
        tf.matrix_band_part(x, 0, 1), tf.linalg.band_part(i, -1, 0),
        tf.matrix_band_part(q, n - 1, 0, name="mb"), tf.linalg.tensor_diag([1, 2]),
    ]  # fmt: skip
    feed = {p: [[1, 2, 3], [4, 5, 6]], q: [[1, 2, 3], [4, 5, 6]], n: 2, k: [1, 0]}
    facts = {"shapes": [str(t.shape) for t in made]}
    return {"facts": facts, "steps": [(f"{i} {t.name}", t, feed) for i, t in enumerate(made)]}
