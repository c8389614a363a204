"""Ops on arrays of each dtype, with its extreme values, and on empty arrays."""

import numpy as np


def _of(kind):
    """A matrix of this dtype with its special values."""
    if kind == "S":
        return np.array([[b"", b"b", b"a\xff"], [b"b", b"\0", b"aa"]], object)
    if kind == "?":
        return np.array([[True, False, False], [True, True, False]])
    if kind in "bhilBHIL":
        info = np.iinfo(kind)
        return np.array([[info.max, 0, 3], [info.min, 1, info.max - 1]], kind)
    values = np.array([[1.5, 0.0, np.nan], [np.inf, 2.5, -3.0]], kind)
    if kind in "FD":
        values = np.array([[1.5 + 2j, -1j, 3.0], [0.0, 2.5 - 1j, -3.0]], kind)
    return values


# Missing kernels in TensorFlow.
_LEFT_OUT = {
    "difference": "?FD",
    "unique": "FD",
    "places": "H",
    "diagonals": "S",
    "sequence": "S",
    "set": "S",
    "bits": "?S",
}


def _each(tf, stage, kinds, cases):
    for kind in kinds:
        x, empty = _of(kind), _of(kind)[:0]
        for name, function in cases.items():
            if kind in _LEFT_OUT.get(name, ""):
                continue
            given = {f"{name} {kind}": lambda f=function, x=x: f(tf.constant(x))}
            if kind in "fiS":
                given["empty"] = lambda f=function, x=empty: f(tf.constant(x))
            stage.each_eagerly(given)


def moved(tf, stage):
    cases = {
        "places": lambda x: [
            tf.reverse(x, [1]),
            tf.transpose(x),
            tf.roll(x, 1, 1),
            x[:, ::-2],
            tf.concat([x, x], 1),
            tf.tile(x, [1, 2]),
            tf.gather(x, [2, 0], axis=1),
        ],
        "rows": lambda x: [tf.stack([x, x]), tf.unstack(x, axis=1)[1], tf.split(x, 3, 1)[2]],
        "padded": lambda x: tf.pad(x, [[0, 0], [1, 0]]),
        "mirrored": lambda x: tf.pad(x, [[0, 0], [1, 2]], "REFLECT"),
        "likes": lambda x: [tf.zeros_like(x), tf.ones_like(x)],
        "filled": lambda x: tf.fill([2], x[0, 0]),
        "diagonals": lambda x: [
            tf.linalg.diag(x[0]),
            tf.linalg.diag_part(x),
            tf.linalg.band_part(x, 0, 0),
        ],
        "hot": lambda x: tf.one_hot([1, 0], 2, x[0, 0], x[0, 1]),
        "unique": lambda x: list(tf.unique_with_counts(tf.reshape(x, [-1]))),
        "where": lambda x: tf.where(tf.equal(x, x), x, x[::-1]),
        "scattered": lambda x: [
            tf.scatter_nd([[1], [1], [0]], tf.reshape(x, [-1])[:3], [3]),
            tf.tensor_scatter_nd_update(x, [[0, 0]], [x[1, 1]]),
        ],
        "sequence": lambda x: tf.reverse_sequence(x, [2, 3][: x.shape[0]], 1),
        "masked": lambda x: tf.boolean_mask(x, [True, False][: x.shape[0]]),
        "set": lambda x: tf.linalg.set_diag(x, x[:, 0]),
        "dealt": lambda x: tf.dynamic_partition(x, [1, 0][: x.shape[0]], 2),
        "patches": lambda x: tf.extract_image_patches(
            x[None, ..., None], [1, 1, 2, 1], [1] * 4, [1] * 4, "SAME"
        ),
        "difference": lambda x: list(tf.setdiff1d(tf.reshape(x, [-1]), x[:1, 0])),
        "copied": lambda x: [
            tf.identity(x),
            tf.broadcast_to(x, [2, *x.shape]),
            tf.expand_dims(x, 1),
        ],
        "bits": lambda x: tf.bitcast(x, tf.uint8),
    }
    _each(tf, stage, "?BbHhilefdFDS", cases)


def computed(tf, stage):
    cases = {
        "sums": lambda x: [tf.reduce_sum(x, 1), tf.reduce_sum(x, 0)],
        "products": lambda x: tf.reduce_prod(x, 0),
        "means": lambda x: tf.reduce_mean(x[:, :2], 1),
        "most": lambda x: [tf.reduce_max(x, 1), tf.reduce_min(x, 1)],
        "most_of_none": lambda x: [tf.reduce_max(x), tf.reduce_min(x)],
        "places": lambda x: [tf.argmax(x, 1), tf.argmin(x, 1)],
        "running": lambda x: [tf.cumsum(x, 1), tf.cumprod(x, 1, reverse=True)],
        "added": lambda x: [x + x, x - x[:, ::-1], x * x],
        "divided": lambda x: x / x[:, :1],
        "floors": lambda x: [x // x[:, 2:], x % x[:, 2:]],
        "truncated": lambda x: [tf.truncatediv(x, x[:, 2:]), tf.truncatemod(x, x[:, 2:])],
        "by_zero": lambda x: x // x[:, 1:2],
        "powers": lambda x: tf.pow(x, x),
        "signs": lambda x: [tf.abs(x), tf.sign(x), -x],
        "compared": lambda x: [
            x < x[:, :1],
            x >= x[:, :1],
            tf.equal(x, x),
            tf.not_equal(x, x[:, :1]),
        ],
        "larger": lambda x: [tf.maximum(x, x[:, :1]), tf.minimum(x, x[:, :1])],
        "squares": lambda x: [tf.square(x), tf.math.squared_difference(x, x[:, ::-1])],
        "rounded": lambda x: [tf.round(x), tf.floor(x), tf.math.ceil(x)],
        "halves": lambda x: tf.math.rint(x),
        "bits": lambda x: [
            tf.bitwise.bitwise_and(x, x[:, :1]),
            tf.bitwise.bitwise_xor(x, x[:, :1]),
            tf.bitwise.invert(x),
        ],
        "shifted": lambda x: [tf.bitwise.right_shift(x, x * 0 + x[:, 2:] // x[:, 2:])],
        "relu": lambda x: [tf.nn.relu(x), tf.nn.relu6(x)],
        "clipped": lambda x: tf.clip_by_value(x, x[0, 1:2], x[0, 2:]) if x.shape[0] else x,
        "matrices": lambda x: tf.matmul(x, x, transpose_b=True),
        "segments": lambda x: [
            tf.math.segment_sum(x, [0, 0][: x.shape[0]]),
            tf.math.unsorted_segment_max(x, [1, 1][: x.shape[0]], 2),
            tf.math.unsorted_segment_prod(x, [1, 1][: x.shape[0]], 2),
        ],
        "top": lambda x: list(tf.nn.top_k(x, 2)),
        "bias": lambda x: tf.nn.bias_add(x, tf.ones([3], x.dtype)),
        "numbers": lambda x: [tf.cast(x, k) for k in (tf.int8, tf.float16, tf.bool, tf.complex64)],
        "counted": lambda x: [
            tf.math.count_nonzero(x),
            tf.math.count_nonzero(x, 1, dtype=tf.int32),
        ],
        "finite": lambda x: [tf.math.is_finite(x), tf.math.is_nan(x), tf.math.is_inf(x)],
        "sum_of": lambda x: tf.add_n([x, x]),
        "range": lambda x: tf.range(x[0, 1], x[0, 1] + x[1, 1] * x[0, 2], x[1, 1]),
        "added_at": lambda x: [
            tf.tensor_scatter_nd_add(x, [[0, 0]], [x[1, 1]]),
            tf.tensor_scatter_nd_sub(x, [[0, 0]], [x[1, 1]]),
        ],
        "ordered": lambda x: tf.searchsorted([[1, 2, 3]] * 2, tf.cast(x[:2] * 0, tf.int32)),
    }
    _each(tf, stage, "BbHhilefd", cases)
    whole = "sums products running added squares matrices bias numbers counted sum_of added_at"
    _each(tf, stage, "FD", {name: cases[name] for name in whole.split()})
