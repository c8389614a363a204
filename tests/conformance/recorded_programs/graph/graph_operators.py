"""Operators of tensors and variables as Python dispatches them, reversed ones and names too."""

import numpy as np


def build(tf):
    x = tf.constant([[1.0, -2.0], [3.5, 4.0]], name="x")
    i = tf.constant([7, -7, 5], name="i")
    b = tf.constant([True, False], name="b")
    v = tf.Variable([[2.0, 1.0], [1.0, 2.0]], name="v")
    c = tf.constant([1 + 2j, 3 - 1j], name="c")
    floats = [
        x + 1, 1 + x, x - 1, 1 - x, x * 2, 2 * x, x / 2, 2 / x, x // 2, 2 // x, x % 2, 2 % x,
        x ** 2, 2 ** x, -x, abs(x), x @ v, v @ x, v + v, v * 3, 3 - v, v / x, -v, abs(v), v ** 2,
        x + np.ones([2, 2], np.float32), np.float32(2) * x, x + [[1.0, 2.0]], v + [1.0, 2.0],
    ]  # fmt: skip
    ints = [
        i + 1, i - 1, i * 2, i / 2, i // 2, i % 2, -i, abs(i), 7 // i, 7 % i, i ** 2,
        tf.truediv(i, 2), tf.floordiv(i, 2), tf.mod(i, 3), tf.truncatediv(i, 2),
        tf.truncatemod(i, 3), tf.div(i, 2), tf.floormod(i, 3),
    ]  # fmt: skip
    bools = [
        x < 2, x <= 2, x > 2, x >= 2, 2 > x, v < x, v >= 1.5, i > 0, b & [True, True],
        b | False, b ^ b, ~b, True & b, False | b, True ^ b,
    ]  # fmt: skip
    complexes = [c + 1, c * c, -c, abs(c), c / 2]
    everything = floats + ints + bools + complexes
    facts = {
        "names": [t.name for t in everything],
        "equality": [x == x, x == 1, v == v, x != i, hash(x) == hash(x)],
    }
    steps = [("init", v.initializer)]
    steps += [(t.name, t) for t in everything]
    return {"facts": facts, "steps": steps}
