"""Constants, fills, ranges and their likes in many dtypes."""

import numpy as np


def build(tf):
    dtypes = [
        tf.float32, tf.float64, tf.float16, tf.int8, tf.int16, tf.int32, tf.int64, tf.uint8,
        tf.uint16, tf.complex64, tf.complex128,
    ]  # fmt: skip
    made = [tf.constant([1, 2], dtype) for dtype in dtypes]
    made += [
        tf.constant(3),
        tf.constant(2.5),
        tf.constant(True),
        tf.constant("text"),
        tf.constant([["a", "bc"], ["\u00e9", ""]]),
        tf.constant([b"\x00\xff", b"z"]),
        tf.constant(7, shape=[2, 3]),
        tf.constant(np.arange(4, dtype=np.uint8).reshape(2, 2)),
        tf.constant([], tf.float32),
        tf.constant(np.zeros([0, 3])),
        tf.constant([float("nan"), float("inf"), -0.0]),
        tf.constant(1 + 2j),
        tf.constant(2**40, tf.int64),
        tf.constant([[1, 2], [3, 4]], shape=[4], name="reshaped"),
        tf.constant(b"\x80"),
        tf.zeros([0, 2], tf.string),
        tf.constant(["a", "b"], tf.string, [0]),
        tf.constant("anything", shape=[3, 0]),
        tf.constant(7, shape=[0]),
        tf.zeros([2, 2]),
        tf.zeros([3], tf.int64),
        tf.zeros([], tf.string),
        tf.zeros([2], tf.bool),
        tf.ones([2, 1], tf.float64),
        tf.zeros([40, 40]),
        tf.fill([2, 2], 9.0),
        tf.fill([3], b"s"),
        tf.range(5),
        tf.range(3, 18, 3),
        tf.range(3.0, 1.0, -0.5),
        tf.range(tf.constant(2, tf.int64), 6),
        tf.linspace(0.0, 1.0, 5),
        tf.lin_space(10.0, 12.0, 3, name="lin"),
        tf.eye(3),
        tf.eye(2, 3, dtype=tf.int32),
        tf.eye(2, batch_shape=[2]),
    ]
    p = tf.placeholder(tf.float32, [None, 2])
    likes = [
        tf.zeros_like(p),
        tf.ones_like(p),
        tf.zeros_like(made[0], dtype=tf.int32),
        tf.ones_like(made[5], optimize=False),
        tf.zeros_like(p, optimize=False),
        tf.zeros(tf.shape(p)),
        tf.fill(tf.shape(p), 2),
        tf.zeros_like(made[14]),
    ]
    default = tf.placeholder_with_default([1.0, 2.0], [None], name="default")
    facts = {"shapes": [str(t.shape) for t in made + likes + [default]]}
    feed = {p: [[1, 2], [3, 4], [5, 6]]}
    steps = [(f"made {n}", t) for n, t in enumerate(made)]
    steps += [(f"like {n}", t, feed) for n, t in enumerate(likes)]
    steps += [("default", default), ("fed", default, {default: [5.0]})]
    return {"facts": facts, "steps": steps}
