"""Dilation of images and its gradients, fractional pooling, data formats; expected values by loops."""

import itertools

import numpy as np

from tests.conformance.samples import Sample
from tests.conformance.samples.convolutions import places

RANDOM = np.random.RandomState(21)
# All elements differ, and so do all sums of two.
IMAGES = RANDOM.permutation(2 * 4 * 5 * 2).reshape(2, 4, 5, 2).astype("f") / 8
FILTER = RANDOM.permutation(12).reshape(2, 3, 2).astype("f") / 128
ONE, TWO = [1, 1, 1, 1], [1, 2, 2, 1]


def largest(x, w, strides, rates, padding):
    """The largest sum of each window, and (position of the result, of the filter element, of the input element)."""
    around, counts, _ = places(x.shape, w.shape, strides, rates, padding)
    top, left = around[1][0], around[2][0]
    result = np.full((len(x), *counts, x.shape[3]), -np.inf)
    chosen = {}
    moves = map(range, (*counts, *w.shape[:2], len(x), x.shape[3]))
    for i, j, a, b, n, c in itertools.product(*moves):
        row = i * strides[1] + a * rates[1] - top
        column = j * strides[2] + b * rates[2] - left
        if 0 <= row < x.shape[1] and 0 <= column < x.shape[2]:
            value = x[n, row, column, c] + w[a, b, c]
            if value > result[n, i, j, c]:
                result[n, i, j, c] = value
                chosen[n, i, j, c] = (a, b, c), (n, row, column, c)
    return result.astype(x.dtype), chosen


def rows(x, w, note, strides=ONE, rates=ONE, padding="VALID", **options):
    attrs = {"strides": strides, "rates": rates, "padding": padding}
    result, chosen = largest(x, w, strides, rates, padding)
    grad = RANDOM.randint(-9, 9, result.shape).astype(x.dtype)
    of_x, of_w = np.zeros_like(x), np.zeros_like(w)
    for at, (element, place) in chosen.items():
        of_x[place] += grad[at]
        of_w[element] += grad[at]
    options = {"note": note, "order": 1, **options}
    gradients = {**options, "gradient": ()}
    return [
        Sample("Dilation2D", [x, w], attrs, expect=result, **options),
        Sample("Dilation2DBackpropInput", [x, w, grad], attrs, expect=of_x, **gradients),
        Sample("Dilation2DBackpropFilter", [x, w, grad], attrs, expect=of_w, **gradients),
    ]


def pooled(x, rows, columns, overlapping, reduce):
    """`reduce` over the windows that start at these rows and columns."""
    shape = (len(x), len(rows) - 1, len(columns) - 1, x.shape[3])
    out = np.zeros(shape, x.dtype)
    more = 1 if overlapping else 0
    for i, j in itertools.product(range(shape[1]), range(shape[2])):
        window = x[:, rows[i] : rows[i + 1] + more, columns[j] : columns[j + 1] + more]
        out[:, i, j] = reduce(window, (1, 2))
    return out


def spread(x, grad, rows, columns, overlapping, mean):
    """The gradient of both kinds."""
    out = np.zeros(x.shape)
    more = 1 if overlapping else 0
    for n, i, j, c in np.ndindex(*grad.shape):
        down = slice(rows[i], rows[i + 1] + more)
        across = slice(columns[j], columns[j + 1] + more)
        window, into = x[n, down, across, c], out[n, down, across, c]
        if mean:
            into += grad[n, i, j, c] / window.size
        else:
            into[np.unravel_index(window.argmax(), window.shape)] += grad[n, i, j, c]
    return out.astype(x.dtype)


# TensorFlow 1.15.5's sequences for four rows and five columns, these ratios and seeds.
RATIO = [1.0, 1.5, 1.7, 1.0]
ROWS, COLUMNS = np.array([0, 2, 4]), np.array([0, 2, 5])
SEEDED = {"pooling_ratio": RATIO, "deterministic": True, "seed": 3, "seed2": 4}


def fractions(overlapping):
    attrs = {**SEEDED, "overlapping": overlapping}
    gradient = {"overlapping": overlapping}
    grad = RANDOM.randint(-9, 9, (2, 2, 2, 2)).astype("f")
    bounds = [ROWS, COLUMNS]
    maxima = pooled(IMAGES, ROWS, COLUMNS, overlapping, np.max)
    means = pooled(IMAGES, ROWS, COLUMNS, overlapping, np.mean)
    note = "overlapping" if overlapping else "side by side"
    of_maxima = spread(IMAGES, grad, ROWS, COLUMNS, overlapping, False)
    of_means = spread(IMAGES, grad, ROWS, COLUMNS, overlapping, True)
    # TensorFlow's static shapes of the sequences are one element too short.
    odd = {"static": False, "note": note, "through": (0,)}
    return [
        Sample("FractionalMaxPool", [IMAGES], attrs, (maxima, *bounds), **odd, order=1),
        Sample("FractionalAvgPool", [IMAGES], attrs, (means, *bounds), **odd),
        Sample(
            "FractionalMaxPoolGrad", [IMAGES, maxima, grad, *bounds], gradient, of_maxima, note=note
        ),
        Sample(
            "FractionalAvgPoolGrad",
            [np.array(IMAGES.shape), grad, *bounds],
            gradient,
            of_means,
            static=False,
            note=note,
        ),
    ]


SAMPLES = [
    *rows(IMAGES, FILTER, "inside"),
    *rows(IMAGES, FILTER, "in steps", TWO, ONE, "SAME"),
    *rows(IMAGES, FILTER, "apart", ONE, [1, 2, 2, 1], "SAME"),
    *rows((IMAGES * 8).astype("i4"), RANDOM.randint(0, 9, (2, 3, 2)).astype("i4"), "of integers"),
    *rows(IMAGES[:0], FILTER, "of no images"),
    *fractions(False),
    *fractions(True),
    Sample(
        "DataFormatDimMap",
        [np.array([[0, 1, 2, 3], [-1, -2, -3, -4]], "i4")],
        expect=np.array([[0, 2, 3, 1], [1, 3, 2, 0]], "i4"),
    ),
    Sample(
        "DataFormatDimMap",
        [np.array([1, 2])],
        {"src_format": "NHWC", "dst_format": "HWNC"},
        expect=np.array([0, 1]),
        note="to rows first",
    ),
    Sample(
        "DataFormatVecPermute", [np.array([7, 4, 9, 3], "i4")], expect=np.array([7, 3, 4, 9], "i4")
    ),
    Sample(
        "DataFormatVecPermute",
        [np.array([[7, 4], [9, 3], [4, 5], [5, 1]])],
        {"src_format": "NHWC", "dst_format": "HWNC"},
        expect=np.array([[9, 3], [4, 5], [7, 4], [5, 1]]),
        note="of pairs",
    ),
]
