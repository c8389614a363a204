"""More of indexing and rearranging: pad, gather_nd, scatter_nd, meshgrid, roll and the like."""

import numpy as np


def build(tf):
    x = tf.constant(np.arange(24).reshape(2, 3, 4), tf.float32, name="x")
    i = tf.constant([[1, 2, 3], [4, 5, 6]], name="i")
    p = tf.placeholder(tf.float32, [None, 3], name="p")
    made = [
        tf.pad(i, [[1, 0], [0, 2]]), tf.pad(i, [[1, 1], [2, 2]], "REFLECT"),
        tf.pad(i, [[1, 1], [1, 1]], "SYMMETRIC"), tf.pad(p, [[1, 1], [0, 0]], constant_values=9),
        tf.gather_nd(x, [[0, 1], [1, 2]]), tf.gather_nd(i, [[[0, 0]], [[1, 2]]]),
        tf.batch_gather(i, [[2, 0], [1, 1]]), tf.broadcast_to(i[0], [2, 3]),
        tf.meshgrid([1, 2], [3, 4, 5])[0], tf.meshgrid([1, 2], [3, 4, 5], indexing="ij")[1],
        tf.sequence_mask([1, 3], 4), tf.shape_n([i, -i])[1], tf.diag([1, 2]), tf.roll(i, 1, 1),
        tf.repeat([1, 2], 2), tf.scatter_nd([[1], [3]], [9, 8], [5]),
        tf.searchsorted([1, 3, 5], [2, 5]), tf.setdiff1d([1, 2, 3], [2])[0],
        tf.unique_with_counts([3, 3, 9, 1, 9])[2], tf.parallel_stack([[1, 2], [3, 4]]),
        tf.matrix_diag([[1.0, 2.0], [3.0, 4.0]]), tf.matrix_diag_part(x), tf.trace(x[0, :, :3]),
        tf.matrix_band_part(x, 0, 1), tf.segment_sum(i, [0, 0]), tf.tensordot(x, p[0], 0),
        tf.bitcast(tf.constant([1.0, -2.0]), tf.int32),
        tf.bitcast(tf.constant([1, 2 ** 33], tf.int64), tf.int32),
        tf.bitcast(tf.constant([[1, 2, 3, 4]], tf.uint8), tf.float32),
    ]  # fmt: skip
    feed = {p: [[1, 2, 3], [4, 5, 6]]}
    facts = {"shapes": [str(t.shape) for t in made]}
    return {"facts": facts, "steps": [(f"{n} {t.name}", t, feed) for n, t in enumerate(made)]}
