"""Space-to-batch and space-to-depth blocks, with gradients and exact paddings."""

import numpy as np


def build(tf):
    x = tf.placeholder_with_default(np.arange(32.0).reshape(1, 4, 4, 2).astype("f"), [1, 4, 4, 2])
    y = tf.placeholder(tf.float32, [None, None, 4, 2], name="y")
    q = tf.placeholder(tf.float32, name="q")
    pads = tf.placeholder_with_default([[1, 1], [0, 2]], [2, 2])
    block = tf.placeholder_with_default([2, 2], [2])
    raw = tf.raw_ops
    made = [
        tf.space_to_batch(x, [[0, 0], [0, 0]], 2), tf.space_to_batch(y, [[1, 1], [0, 2]], block_size=2),
        tf.space_to_batch_nd(x, [2, 4], [[0, 0], [0, 0]]), tf.space_to_batch_nd(q, block, pads),
        tf.space_to_batch_nd(y, [2, 1], pads), tf.space_to_batch_nd(x, block, [[0, 0], [2, 0]]),
        tf.space_to_batch_nd(x, np.zeros([0]), np.zeros([0, 2])),
        tf.nn.space_to_batch(x, pads, 2, name="named"),
        raw.SpaceToBatch(input=y, paddings=[[0, 0], [0, 0]], block_size=2),
        raw.BatchToSpace(input=tf.tile(x, [4, 1, 1, 1]), crops=[[1, 0], [0, 1]], block_size=2),
        tf.batch_to_space(tf.tile(y, [4, 1, 1, 1]), [[1, 2], [0, 3]], 2),
        tf.batch_to_space_nd(tf.tile(q, [2, 1, 1, 1]), [2], [[0, 1]]),
        tf.batch_to_space_nd(tf.tile(x, [4, 1, 1, 1]), block, pads),
        tf.space_to_depth(x, 2), tf.nn.space_to_depth(y, 4, name="deep"), tf.space_to_depth(q, 2),
        tf.depth_to_space(tf.tile(x, [1, 1, 1, 4]), 2), tf.nn.depth_to_space(tf.space_to_depth(y, 2), 2),
    ]  # fmt: skip
    grads = tf.gradients([tf.square(t) for t in made], [x, y, q])
    required = [
        tf.required_space_to_batch_paddings([5, 4], [2, 3]),
        tf.required_space_to_batch_paddings(tf.shape(y)[1:3], [3, 3]),
        tf.required_space_to_batch_paddings([5, 4], [4, 4], [[1, 1], [0, 2]], name="with_base"),
        tf.required_space_to_batch_paddings([5, 4], [4, 4], pads),
    ]
    feed = {y: np.ones([2, 4, 4, 2]), q: np.arange(32.0).reshape(1, 4, 4, 2)}
    steps = [(f"{n} {t.name}", t, feed) for n, t in enumerate(made)]
    steps += [("gradients", grads, feed), ("required", required, feed)]
    return {"facts": {"shapes": [str(t.shape) for t in made]}, "steps": steps}
