"""Arrays made, moved and filled: unknown ranks, gradients, what only raw ops are given."""

import numpy as np

from tests.conformance.scenes import unknown

X = np.arange(12.0, dtype="f").reshape(3, 4) - 5.5


def _slices(tf, parts):
    return [
        [x.values, x.indices, x.dense_shape] if isinstance(x, tf.IndexedSlices) else x
        for x in parts
    ]


def made_and_moved(tf, stage):
    u, raw = unknown(tf), tf.raw_ops
    p, convert = tf.placeholder, tf.convert_to_tensor
    shape, dim = tf.TensorShape, tf.Dimension
    band = lambda x, a, b: raw.MatrixBandPart(input=u(x), num_lower=u(a), num_upper=u(b))  # noqa: E731
    pad = lambda x, n: raw.Pad(input=u(x), paddings=u(n))  # noqa: E731
    images = np.arange(16, dtype="f").reshape(1, 4, 4, 1)
    update = raw.InplaceUpdate
    rows = lambda x, i, v, f=update: f(x=u(x), i=u(i), v=u(v))  # noqa: E731
    half = lambda x: tf.placeholder_with_default(x, [None, 4])  # noqa: E731

    def set_through(x, d):
        y = tf.matrix_set_diag(x, d)
        return tf.gradients(y * y, [x, d])

    def through(function):
        x = tf.constant(X)
        return _slices(tf, tf.gradients(function(x) * X, x))

    stage.each(
        {
            "of_shape": lambda: [
                convert(shape([2, 3])),
                convert(shape([2**31])),
                convert(shape([]), tf.int64, "own"),
                tf.constant(shape([1])),
            ],
            "of_shape_half": lambda: convert(shape([2, None])),
            "of_shape_float": lambda: convert(shape([2]), tf.float32),
            "of_shape_large": lambda: convert(shape([1, 2**31]), tf.int32),
            "of_dimension": lambda: [convert(dim(3)), convert(dim(3), tf.int64, "own")],
            "of_dimension_none": lambda: convert(dim(None)),
            "of_dimension_float": lambda: convert(dim(3), tf.float64),
            "constant_few": lambda: tf.constant([1, 2, 3], shape=[2]),
            "constant_verified": lambda: tf.constant([1, 2], shape=[3], verify_shape=True),
            "fed_any": lambda: p(tf.string, name="own"),
            "fed_scalar": lambda: p(tf.resource, [], name="own"),
            "default": lambda: tf.placeholder_with_default([1, 2], [3]),
            "default_rank": lambda: tf.placeholder_with_default([1, 2], []),
            "band_vector": lambda: band(X[0], 1, 0),
            "band_high": lambda: band(X, 0, 5),
            "band_lists": lambda: band(X, [1], 0),
            "band_lists_high": lambda: band(X, 1, [0]),
            "set": lambda: set_through(tf.constant(X), tf.constant(X[0, :3])),
            "set_fed": lambda: set_through(half(X), u(X[0, :3])),
            "set_unknown": lambda: set_through(u(X), u(X[0, :3])),
            "set_long": lambda: raw.MatrixSetDiag(input=u(X), diagonal=u(X[0])),
            "set_static": lambda: tf.matrix_set_diag(X, X[0]),
            "set_vector": lambda: raw.MatrixSetDiag(input=u(X[0]), diagonal=u(X[0])),
            "diagonals": lambda: [
                tf.matrix_diag([1, 2], "own"),
                tf.matrix_diag_part(X, "own"),
                tf.diag(X[0], "own"),
                tf.diag([[1, 2], [3, 4]]),
            ],
            "diagonal_shapes": lambda: [
                f(p(tf.int32, s)).shape
                for f in (tf.matrix_diag, tf.matrix_diag_part, tf.diag)
                for s in ([2, None], [None, 3], None)
            ],
            "diagonal_part": lambda: [
                tf.diag_part(np.arange(16).reshape(2, 2, 2, 2), "own"),
                tf.diag_part([[1, 2], [3, 4]]),
            ],
            "diagonal_part_odd": lambda: raw.DiagPart(input=u(X[0])),
            "diagonal_part_sizes": lambda: raw.DiagPart(input=u(X)),
            "diagonal_part_static": lambda: tf.diag_part(X),
            "diagonal_scalar": lambda: raw.Diag(diagonal=u(1.0)),
            "diagonal_of_scalar": lambda: raw.MatrixDiag(diagonal=u(1.0)),
            "diagonal_part_vector": lambda: raw.MatrixDiagPart(input=u(X[0])),
            "reshaped_negative": lambda: raw.Reshape(tensor=u(X), shape=u([-2, 6])),
            "reshaped_matrix": lambda: raw.Reshape(tensor=u(X), shape=u([[12]])),
            "reshaped_nothing": lambda: raw.Reshape(tensor=u(X[:0]), shape=u([0, -1])),
            "reshape_shapes": lambda: [
                tf.reshape(p(tf.int32, s), t).shape
                for s, t in (
                    ([None, 4], [0, -1]),
                    ([None, 4], [-1, 2]),
                    ([None], [3, 4]),
                    ([6], [p(tf.int32, []), 3]),
                    (None, [2, -1]),
                    ([2, 3], p(tf.int32, [2])),
                    ([2, None], [-1, 0]),
                    ([0, None], [-1, 3]),
                    ([2, 3], [-1, p(tf.int32, [])]),
                )
            ],
            "expanded_two": lambda: raw.ExpandDims(input=u(X), axis=u([1, 2])),
            "expanded_before": lambda: raw.ExpandDims(input=u(X), axis=u(-4)),
            "expanded_static": lambda: tf.expand_dims(X, 3),
            "expanded_both": lambda: tf.expand_dims(X, 1, dim=1),
            "expanded_neither": lambda: tf.expand_dims(X),
            "squeezed_both": lambda: tf.squeeze(X, 0, squeeze_dims=1),
            "squeezed_static_far": lambda: tf.squeeze(X, [-3]),
            "squeeze_shapes": lambda: [
                tf.squeeze(p(tf.int32, s), a).shape
                for s, a in (([1, None], None), ([1, None], [0]), (None, [0]), ([None, 2], [0]))
            ],
            "turned": lambda: [
                tf.transpose(u(X)),
                tf.transpose(X, [1, 0], "own"),
                tf.transpose(tf.constant(X * 1j), conjugate=True),
                tf.transpose(3),
            ],
            "turned_few": lambda: raw.Transpose(x=u(X), perm=u([0])),
            "turned_twice": lambda: raw.Transpose(x=u(X), perm=u([0, 0])),
            "turned_far": lambda: raw.Transpose(x=u(X), perm=u([0, 2])),
            "turned_negative": lambda: raw.Transpose(x=u(X), perm=u([0, -1])),
            "turned_matrix": lambda: raw.Transpose(x=u(X), perm=u([[0, 1]])),
            "turned_matrices": lambda: [
                tf.matrix_transpose([X * 1j], "own", True),
                tf.matrix_transpose(u([X])),
            ],
            "turned_vector": lambda: tf.matrix_transpose(X[0]),
            "inverted_far": lambda: tf.invert_permutation(u([0, 2])),
            "inverted_negative": lambda: tf.invert_permutation(u([0, -1])),
            "inverted_matrix": lambda: tf.invert_permutation(u([[0]])),
            "padded": lambda: [
                pad(X, [[0, 1], [2, 0]]),
                pad(1.0, np.zeros([0, 2], int)),
                pad(np.array(["a"]), [[1, 0]]),
            ],
            "padded_negative": lambda: pad(X, [[0, 0], [0, -1]]),
            "padded_columns": lambda: pad(X, [[0, 1, 1], [0, 1, 1]]),
            "padded_vector": lambda: pad(X, [0, 1]),
            "to_batch_rank": lambda: tf.space_to_batch_nd(X[0], [2], [[0, 0]]),
            "to_batch_negative": lambda: tf.space_to_batch_nd(images, [2, 2], [[0, 0], [-1, 1]]),
            "to_batch_blocks": lambda: tf.space_to_batch_nd(images, [0, 2], [[0, 0], [0, 0]]),
            "to_batch_pairs": lambda: tf.space_to_batch_nd(images, [2, 2], [[0, 0]]),
            "to_batch_unknown": lambda: tf.space_to_batch_nd(images, p(tf.int32), [[0, 0]]),
            "to_batch_size": lambda: tf.space_to_batch_nd(images, p(tf.int32, [None]), [[0, 0]]),
            "to_batch_shapes": lambda: [
                tf.space_to_batch_nd(p(tf.int32, s), b, n).shape
                for s, b, n in (
                    ([None, 4, 4], [2], [[0, 2]]),
                    ([1, None], [2], [[0, 0]]),
                    (None, [2], [[0, 0]]),
                    ([1, 4], [2], p(tf.int32, [1, 2])),
                    ([3, 4], p(tf.int32, [1]), [[0, 0]]),
                )
            ],
            "to_space_crop": lambda: tf.batch_to_space_nd(
                np.tile(images, [2, 1, 1, 1]), [2], [[5, 4]]
            ),
            "written": lambda: [
                rows(X, [0, 0, -1], X),
                rows(X, [4, 1, 1], X, raw.InplaceAdd),
                rows(X, [0, 0, 1], X, raw.InplaceSub),
            ],
            "written_matrix": lambda: rows(X, [[0]], X[:1]),
            "written_ranks": lambda: rows(X, [0], X[0]),
            "written_sizes": lambda: rows(X, [0], X[:1, 1:]),
            "written_count": lambda: rows(X, [0, 1], X[:1]),
            "empty": lambda: [
                raw.Empty(shape=[2, 2], dtype=tf.float32, init=True),
                raw.DeepCopy(x=X),
            ],
            "empty_matrix": lambda: raw.Empty(shape=u([[2]]), dtype=tf.float32, init=True),
            "ensured": lambda: [
                tf.ensure_shape(u(X), [None, 4], "own"),
                tf.ensure_shape(X, [3, None]),
            ],
            "ensured_wrong": lambda: tf.ensure_shape(u(X), [None, 3]),
            "ensured_static": lambda: tf.ensure_shape(X, [3, 3]),
            "ensured_unknown": lambda: tf.ensure_shape(X, None),
            "prevented": lambda: raw.PreventGradient(input=X, message="why", name="own"),
            "guaranteed": lambda: tf.guarantee_const(X, "own"),
            "snapshot": lambda: raw.Snapshot(input=X),
            "gradients": lambda: [
                through(lambda x: raw.Gather(params=x, indices=[2, 0, 2])),
                through(lambda x: raw.Reverse(tensor=x, dims=[False, True])),
                through(lambda x: raw.InplaceUpdate(x=x, i=[0], v=X[:1])),
            ],
            "gradient_prevented": lambda: through(
                lambda x: raw.PreventGradient(input=x, message="why")
            ),
            "gradient_ensured": lambda: through(lambda x: tf.ensure_shape(x, [3, 4])),
            "filled_matrix": lambda: raw.Fill(dims=u([[2]]), value=u(1)),
            "filled_vector": lambda: raw.Fill(dims=u([2]), value=u([1])),
            "tiled_negative": lambda: raw.Tile(input=u(X), multiples=u([2, -1])),
            "tiled_matrix": lambda: raw.Tile(input=u(X), multiples=u([[2, 1]])),
            "spread_few": lambda: tf.broadcast_to(u(X), u([4])),
            "spread_matrix": lambda: tf.broadcast_to(u(X), u([[3, 4]])),
            "spread_shapes": lambda: [
                raw.BroadcastArgs(s0=[2, 1], s1=[3]),
                raw.BroadcastGradientArgs(s0=[2, 1, 3], s1=[1, 4, 3]),
            ],
            "spread_shapes_wrong": lambda: raw.BroadcastArgs(s0=u([2, 2]), s1=u([3])),
            "no_lists": lambda: tf.dynamic_stitch(tf.constant([0]), [[1]]),
            "mask_no_axis": lambda: tf.boolean_mask(
                X, [True] * 4, axis=tf.placeholder_with_default(1, [])
            ),
            "sized": lambda: [
                tf.size(X, "own", tf.int64),
                tf.rank(u(X), "own"),
                tf.shape(u(X), "own", tf.int64),
                tf.shape_n([u(X), X], tf.int64, "own"),
                tf.size(p(tf.int32, [2, 3])),
            ],
        },
        graph=False,
    )
