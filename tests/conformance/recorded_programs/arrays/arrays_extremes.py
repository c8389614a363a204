"""Segment minima and maxima of NaN and infinities, casts of quantized numbers, empty gathers."""

import numpy as np


def build(tf):
    def of(value, dtype="f"):
        value = np.array(value, dtype)
        return tf.placeholder_with_default(value, [None] * value.ndim)

    nan, inf = np.nan, np.inf
    x = of(
        [
            nan,
            3.0,
            nan,
            nan,
            nan,
            1.0,
            nan,
            2.0,
            inf,
            inf,
            -inf,
            -inf,
            nan,
            inf,
            nan,
            -inf,
            5.0,
            nan,
        ]
    )
    ids = [0, 0, 1, 1, 2, 3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8]
    pairs = tf.stack([x, -x], axis=1)
    mixed = [8 - i for i in ids]
    made = [
        tf.segment_min(x, ids), tf.segment_max(pairs, ids), tf.segment_min(tf.cast(x, tf.float64), ids),
        tf.unsorted_segment_min(x, mixed, 10), tf.unsorted_segment_max(pairs, mixed, 10),
        tf.unsorted_segment_max(tf.cast(x, tf.float16), mixed, 10),
        tf.unsorted_segment_min(of([inf, -inf, 2.0]), [0, 1, 3], 4),
        tf.unsorted_segment_max(of([inf, -inf, 2.0]), [0, 1, 3], 4),
        tf.gather(of(np.zeros([0, 2])), [7, -1], axis=1),
        tf.realdiv(of([7, -7, 0, 5], "i4"), of([2, 2, 0, 0], "i4")), tf.broadcast_to(of([1, 2, 3]), of([0], "i4")),
        tf.linalg.tensor_diag_part(tf.placeholder_with_default(3.0, None)),
    ]  # fmt: skip
    kinds = [tf.quint8, tf.qint8, tf.qint32, tf.qint16, tf.quint16]
    quantized = [tf.quantization.quantize([-0.5, 0.25, 1.0], -1.0, 1.0, kind)[0] for kind in kinds]
    first = tf.SparseTensor([[0, 0], [1, 0]], [1, 2], [2, 3])
    repeated = tf.SparseTensor([[0, 1], [0, 1], [1, 0]], [1, 3, 2], [2, 3])
    sets = [tf.sets.set_union(first, repeated), tf.sets.set_intersection(first, repeated)]
    close = tf.raw_ops.ApproximateEqual(x=[1, 2, 3], y=[1, 3, 5], tolerance=1.5)
    casts = [tf.cast(q, tf.float32) for q in quantized] + [
        tf.cast([1.5, 2.0], kind) for kind in kinds
    ]
    gradients = tf.gradients(made[:5], x)
    steps = [(str(n), t) for n, t in enumerate(made)]
    return {
        "steps": [
            *steps,
            ("casts", casts),
            ("sets", sets),
            ("close", close),
            ("gradients", gradients),
        ]
    }
