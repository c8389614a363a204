"""Arrays created, rearranged and filled: unknown ranks, gradients, arguments of raw ops."""

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
    p = tf.placeholder
    band = lambda x, a, b: raw.MatrixBandPart(input=u(x), num_lower=u(a), num_upper=u(b))  # noqa: E731
    pad = lambda x, n: raw.Pad(input=u(x), paddings=u(n))  # noqa: E731
    images = np.arange(16, dtype="f").reshape(1, 4, 4, 1)
    update = raw.InplaceUpdate
    rows = lambda x, i, v, f=update: f(x=u(x), i=u(i), v=u(v))  # noqa: E731

    def through(function):
        x = tf.constant(X)
        return _slices(tf, tf.gradients(function(x) * X, x))

    stage.each(
        {
            "fed_scalar": lambda: p(tf.resource, [], name="own"),
            "band_high": lambda: band(X, 0, 5),
            "set_long": lambda: raw.MatrixSetDiag(input=u(X), diagonal=u(X[0])),
            "diagonal_part_odd": lambda: raw.DiagPart(input=u(X[0])),
            "diagonal_scalar": lambda: raw.Diag(diagonal=u(1.0)),
            "diagonal_of_scalar": lambda: raw.MatrixDiag(diagonal=u(1.0)),
            "diagonal_part_vector": lambda: raw.MatrixDiagPart(input=u(X[0])),
            "reshaped_negative": lambda: raw.Reshape(tensor=u(X), shape=u([-2, 6])),
            "expanded_two": lambda: raw.ExpandDims(input=u(X), axis=u([1, 2])),
            "expanded_before": lambda: raw.ExpandDims(input=u(X), axis=u(-4)),
            "padded": lambda: [
                pad(X, [[0, 1], [2, 0]]),
                pad(1.0, np.zeros([0, 2], int)),
                pad(np.array(["a"]), [[1, 0]]),
            ],
            "padded_columns": lambda: pad(X, [[0, 1, 1], [0, 1, 1]]),
            "to_batch_size": lambda: tf.space_to_batch_nd(images, p(tf.int32, [None]), [[0, 0]]),
            "written_matrix": lambda: rows(X, [[0]], X[:1]),
            "written_sizes": lambda: rows(X, [0], X[:1, 1:]),
            "written_count": lambda: rows(X, [0, 1], X[:1]),
            "ensured_wrong": lambda: tf.ensure_shape(u(X), [None, 3]),
            "gradients": lambda: [
                through(lambda x: raw.Gather(params=x, indices=[2, 0, 2])),
                through(lambda x: raw.Reverse(tensor=x, dims=[False, True])),
                through(lambda x: raw.InplaceUpdate(x=x, i=[0], v=X[:1])),
            ],
            "tiled_negative": lambda: raw.Tile(input=u(X), multiples=u([2, -1])),
            "no_lists": lambda: tf.dynamic_stitch(tf.constant([0]), [[1]]),
            "mask_no_axis": lambda: tf.boolean_mask(
                X, [True] * 4, axis=tf.placeholder_with_default(1, [])
            ),
        },
        graph=False,
    )
