"""Reductions, products, sums, losses and spectra with random arguments, as in ops_drawn_arrays."""

import numpy as np

from tests.conformance.scenes.ops_drawn_arrays import Draws


def _axes(d, rank):
    return d.one(None, d.axis(rank), [0, -1], [1], [], [rank - 1, 0])


def _reduced(d):
    name = d.one(
        "sum", "mean", "max", "min", "prod", "std", "variance", "logsumexp", "euclidean_norm"
    )
    rank = d.one(1, 2, 3)
    x = d.x(*d.sizes(rank), dtype=d.one("f", "d"))
    function = getattr(d.tf, "reduce_" + name, None) or getattr(d.tf.math, "reduce_" + name)
    if d.kind == "unknown" and name in (
        "std",
        "euclidean_norm",
    ):  # their slopes at 0 are not finite
        d.inputs = []
    return function(x, _axes(d, rank), d.flip())


def _reduced_whole(d):
    rank = d.one(1, 2, 3)
    values = d.ints(-3, 4, d.sizes(rank, 0))
    if d.flip():
        function = getattr(d.tf, "reduce_" + d.one("any", "all"))
        return function(d.t(values > 0), _axes(d, rank), d.flip())
    function = getattr(d.tf, "reduce_" + d.one("sum", "max", "min", "prod"))
    return function(d.t(values, d.one("i", "i8", "i2")), _axes(d, rank), d.flip())


def _counted(d):
    return d.tf.count_nonzero(
        d.x(*d.sizes(2)), d.one(None, 0, [1], [0, 1]), d.flip(), d.one(d.tf.int32, d.tf.int64)
    )


def _extreme(d):
    function = getattr(d.tf, d.one("argmax", "argmin"))
    x = d.t(d.ints(0, 3, d.sizes(3)), d.one("f", "i", "u1"))
    return function(x, d.axis(3), output_type=d.one(d.tf.int32, d.tf.int64))


def _scanned(d):
    function = d.one("cumsum", "cumprod", "cumulative_logsumexp")
    if function == "cumulative_logsumexp":
        function = "cumsum"
    return getattr(d.tf, function)(d.x(*d.sizes(3)), d.axis(3), d.flip(), d.flip())


def _segments(d):
    n, width = d.sizes(2, 2, 5)
    name = d.one("sum", "mean", "max", "min", "prod")
    x = d.x(n, width)
    if d.flip():
        return getattr(d.tf, "segment_" + name)(x, d.t(np.sort(d.ints(0, 3, n)), d.one("i", "i8")))
    name = d.one("sum", "mean", "max", "min", "prod", "sqrt_n")
    ids = d.t(d.ints(-1, 4, d.one([n], [n, width])), d.one("i", "i8"))
    made = getattr(d.tf.math, "unsorted_segment_" + name)(x, ids, 4)
    return d.tf.clip_by_value(made, -99.0, 99.0)


def _rows_of_segments(d):
    name, n = d.one("sum", "mean", "sqrt_n"), d.one(2, 3)
    ids = np.sort(d.ints(0, 3, n))
    count = d.one(None, 3, 5)
    function = getattr(d.tf.sparse, "segment_" + name)
    return function(d.x(4, d.one(1, 3)), d.t(d.ints(0, 4, n)), d.t(ids), num_segments=count)


def _largest(d):
    values = d.t(d.ints(0, 5, [2, 5]), d.one("f", "i"))
    return d.tf.math.top_k(values, d.one(0, 1, 3, 5), d.flip())


def _in_top(d):
    rows = d.t(d.ints(0, 4, [3, 4]) / 2, "f")
    return d.tf.math.in_top_k(rows, d.t(d.ints(0, 5, 3), d.one("i", "i8")), d.one(1, 2, 4))


def _ordered(d):
    values = d.t(d.ints(0, 5, d.sizes(2)), d.one("f", "i"))
    function = d.one(d.tf.sort, d.tf.argsort)
    d.drawn[-1] = function.__name__
    return function(values, d.axis(2), d.one("ASCENDING", "DESCENDING"))


def _counts(d):
    values = d.t(d.ints(0, 5, d.one(0, 6)), "i")
    weights = d.one(None, None, 1)
    if weights:
        weights = d.t(np.arange(len(d.drawn[1])) if np.ndim(d.drawn[1]) else [], "f")
    return d.tf.math.bincount(
        values, weights, d.one(None, 3, 7), d.one(None, 2, 9), d.one(d.tf.int32, d.tf.float64)
    )


def _histogram(d):
    low = float(d.ints(-3, 3))
    values = d.t(d.ints(-5, 6, d.sizes(2)), d.one("f", "d", "i"))
    ends = d.tf.cast(d.t([low, low + d.one(1.0, 4.0)], "d"), values.dtype)
    function = d.one(d.tf.histogram_fixed_width, d.tf.histogram_fixed_width_bins)
    d.drawn[-1] = function.__name__
    return function(values, ends, d.one(1, 3, 4), d.one(d.tf.int32, d.tf.int64))


def _confused(d):
    n = d.one(0, 5)
    weights = d.one(None, d.t(np.arange(n), "f"))
    d.drawn[-1] = weights is None
    classes = [d.t(d.ints(0, 3, n), d.one("i", "i8")) for _ in range(2)]
    return d.tf.math.confusion_matrix(
        *classes, d.one(None, 3, 4), d.one(d.tf.int32, d.tf.float32), weights=weights
    )


def _moments(d):
    rank = d.one(2, 3)
    x = d.x(*d.sizes(rank))
    axes = d.one([0], [1], [0, 1], [-1])
    if d.flip():
        return d.tf.nn.moments(x, axes, keep_dims=d.flip())
    weights = d.tf.cast(d.t(d.one(2.0, [[1.0], [2.0], [0.5], [1.0]][: d.drawn[1][0]])), "float32")
    return d.tf.nn.weighted_moments(x, axes, weights if rank == 2 else 1.5, keep_dims=d.flip())


def _framed(d):
    length, step, n = d.one(1, 2, 3), d.one(1, 2, 4), d.one(0, 3, 6, 7)
    x = d.x(2, n)
    if d.kind == "unknown":
        d.kind = "half"
    return d.tf.signal.frame(x, length, step, d.flip(), d.one(0, 1.5), d.one(-1, 1))


def _overlapped(d):
    if d.kind == "unknown":
        d.kind = "half"
    return d.tf.signal.overlap_and_add(d.x(*d.sizes(d.one(2, 3))), d.one(1, 2, 3))


def _spectrum(d):
    sizes = d.sizes(d.one(1, 2, 3))
    x, rank = d.x(*sizes), len(sizes)
    name = ("", "2d", "3d")[d.one(*range(rank))]
    count = {"": 1, "2d": 2, "3d": 3}[name]
    lengths = d.one(None, [d.one(1, 3, 4) for _ in range(count)])
    spectrum = getattr(d.tf.signal, "rfft" + name)(x, lengths)
    way = d.one("rfft", "back", "whole")
    if way == "back":
        spectrum = getattr(d.tf.signal, "irfft" + name)(spectrum, lengths)
    elif way == "whole":
        spectrum = getattr(d.tf.signal, d.one("fft", "ifft") + name)(d.tf.complex(x, x * 2))
    made = d.tf.real(spectrum) if way != "back" else spectrum
    return [d.tf.round(made * 1024) / 1024 if d.kind != "unknown" else made]


def _cosines(d):
    x = d.x(2, d.one(2, 3, 4))
    kind, norm = d.one(1, 2, 3), d.one(None, "ortho")
    if kind == 1:
        norm = None
    if d.kind == "unknown":
        d.kind = "half"
    function = d.one(d.tf.signal.dct, d.tf.signal.idct)
    d.drawn[-1] = function.__name__
    return function(x, type=kind, n=None, norm=norm)


def _short_spectra(d):
    x = d.x(d.one(5, 8))
    length, step = d.one(2, 3, 4), d.one(1, 2)
    size = d.one(None, 4, 5)
    window = d.one("hann_window", "hamming_window", None)
    window = window and getattr(d.tf.signal, window)
    if d.kind == "unknown":
        d.kind = "half"
    made = d.tf.signal.stft(x, length, step, size, window, d.flip())
    back = d.tf.signal.inverse_stft(made, length, step, size, window)
    return [d.tf.real(made), d.tf.imag(made), back]


def _window(d):
    function = d.one("hann_window", "hamming_window")
    return getattr(d.tf.signal, function)(
        d.t(d.ints(0, 7)), d.flip(), d.one(d.tf.float32, d.tf.float64)
    )


def reductions(tf, stage):
    Draws(tf, stage, 11).calls([_reduced, _reduced_whole, _counted, _extreme, _scanned], 9)


def in_segments(tf, stage):
    Draws(tf, stage, 12).calls([_segments, _rows_of_segments, _largest, _in_top, _ordered], 8)


def counts_and_moments(tf, stage):
    Draws(tf, stage, 13).calls([_counts, _histogram, _confused, _moments], 7)


def sounds(tf, stage):
    Draws(tf, stage, 18).calls(
        [_framed, _overlapped, _spectrum, _cosines, _short_spectra, _window], 6
    )
