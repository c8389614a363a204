"""Gradients of further array ops, to second order, with static and unknown shapes."""

import warnings

import numpy as np


def build(tf):
    default = np.arange(24.0).reshape(2, 3, 4).astype("f")
    x = tf.placeholder_with_default(default, [2, 3, 4], name="x")
    p = tf.placeholder(tf.float32, [None, 3], name="p")
    q = tf.placeholder(tf.float32, name="q")
    n = tf.placeholder(tf.int32, [], name="n")
    k = tf.placeholder(tf.int32, name="k")
    b = tf.placeholder(tf.bool, [None], name="b")
    c = tf.complex(p, p + 1.0)
    made = [
        tf.identity_n([x, p])[0], tf.ensure_shape(p, [2, 3]), tf.squeeze(tf.expand_dims(q, 0), 0),
        tf.concat([p, q[:, :3]], 0), tf.concat([x] * 17, 1), tf.concat([p] * 18, n - 1),
        tf.stack([p, p], 1), tf.unstack(x, axis=1)[1], tf.split(p, [1, 2], 1)[1], q[:n],
        tf.gather(x, k, axis=n), tf.gather(x, [[0, 1], [2, 2]], batch_dims=1),
        tf.gather(x, [[0, 1], [2, 2]], axis=2, batch_dims=1),
        tf.gather(x, [[[0], [1], [2]], [[2], [3], [3]]], axis=2, batch_dims=2),
        tf.gather_nd(x, [[0, 1], [1, 2]]), tf.gather_nd(x, [[1], [0], [1]]),
        tf.gather_nd(x, [[[0], [1]], [[2], [0]]], batch_dims=1),
        tf.batch_gather(x, [[2, 0], [1, 1]]),
        tf.scatter_nd([[0], [2], [0]], tf.concat([p, p[:1]], 0), [4, 3]),
        tf.tensor_scatter_update(p, [[0]], [[1.0, 2.0, 3.0]]),
        tf.tensor_scatter_add(p, [[0]], p[1:]),
        tf.tensor_scatter_sub(p, [[0]], p[1:]), tf.transpose(q), tf.transpose(x, [1, 0, 2]),
        tf.tile(p, [2, n]), tf.pad(p, [[1, 0], [2, 1]]),
        tf.pad(x, [[1, 0], [2, 1], [0, 0]], constant_values=3.0),
        tf.pad(p, [[1, 0], [2, 1]], "REFLECT"), tf.pad(p, [[1, 0], [2, 1]], "SYMMETRIC"),
        tf.reverse(p, [1]), tf.reverse_sequence(x, [2, 3], seq_axis=1, batch_axis=0),
        tf.roll(p, 1, 1), tf.broadcast_to(p, [2, 2, 3]), tf.broadcast_to(q[:1], [n, 4]),
        tf.where(b, p, p + 1.0), tf.where_v2(b[:, None], p, q[:, :3]), tf.boolean_mask(p, b),
        tf.dynamic_partition(x, k, 2)[1], tf.dynamic_stitch([[0, 2], [1, 3]], [p, p * 2.0]),
        tf.diag(p[0]), tf.diag_part(p[:, :2]), tf.matrix_diag(p), tf.matrix_diag_part(x),
        tf.matrix_diag_part(p), tf.matrix_diag_part(x[:, :, :3]),
        tf.matrix_set_diag(x, x[:, 0, :3]),
        tf.matrix_set_diag(p, p[0, :2]), tf.matrix_band_part(x, 0, 1), tf.repeat(p, [1, 2], axis=0),
        tf.meshgrid(p[0], p[1])[0], tf.real(tf.transpose(c, [1, 0], conjugate=True)),
        tf.convert_to_tensor([p[0], [1.0, 2.0, 3.0]]),
    ]  # fmt: skip
    sparse = [
        tf.gather(tf.concat([p, p], 1), [0, 1]), tf.gather(tf.concat([p, p], 0), [0, 1, 3]),
        tf.gather(tf.concat([p, p], -1), [0, 1]), tf.gather(tf.tile(p, [2, 1]), [0, 3]),
        tf.gather(tf.dynamic_stitch([[0, 2], [1, 3]], [p, p * 2.0]), [0, 1]),
    ]  # fmt: skip
    steps = []
    feed = {p: [[1, 2, 3], [4, 5, 6]], q: [[1, 2, 3, 4], [4, 3, 2, 1]]}
    feed.update({n: 2, k: [0, 1], b: [True, False]})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # where slices are added to tensors
        for number, t in enumerate(made):
            first = [g for g in tf.gradients(tf.square(t), [x, p, q]) if g is not None]
            second = tf.gradients([g for g in first if isinstance(g, tf.Tensor)], [x, p, q])
            found = [first, [g for g in second if g is not None]]
            steps.append((f"{number} {t.name}", found, feed))
    for number, t in enumerate(sparse):
        steps.append((f"sparse {number}", tf.gradients(t, p), feed))
    return {"steps": steps}
