"""3-D convolution, and its gradients; expected values by loops over windows and filter."""

import itertools

import numpy as np

from tests.conformance.samples import Sample
from tests.conformance.samples.convolutions import zeros_around

RANDOM = np.random.RandomState(16)
VOLUMES = RANDOM.randn(2, 4, 3, 5, 2).astype("f")
FILTER = RANDOM.randn(2, 3, 2, 2, 3).astype("f")
ONE, TWO = [1, 1, 1, 1, 1], [1, 2, 2, 2, 1]


def places(shape, kernel, strides, padding):
    """The padding, the number of windows, and (window, filter element, position in the padded input)."""
    along = [zeros_around(shape[a], kernel[a - 1], strides[a], padding, ()) for a in (1, 2, 3)]
    around = ((0, 0), *((a[0], a[1]) for a in along), (0, 0))
    counts = tuple(a[2] for a in along)
    windows = itertools.product(*map(range, counts))
    elements = list(itertools.product(*map(range, kernel[:3])))
    moves = [
        (w, e, tuple(i * s + j for i, s, j in zip(w, strides[1:4], e)))
        for w in windows
        for e in elements
    ]
    return around, counts, moves


def convolution(x, w, strides, padding):
    around, counts, moves = places(x.shape, w.shape, strides, padding)
    x = np.pad(x.astype("d"), around)
    result = np.zeros((len(x), *counts, w.shape[4]))
    for window, element, place in moves:
        result[(slice(None), *window)] += x[(slice(None), *place)] @ w[element].astype("d")
    return result.astype(w.dtype)


def for_input(shape, w, grad, strides, padding):
    around, _, moves = places(shape, w.shape, strides, padding)
    total = np.zeros([n + sum(p) for n, p in zip(shape, around)])
    for window, element, place in moves:
        total[(slice(None), *place)] += grad[(slice(None), *window)].astype("d") @ w[element].T
    inside = tuple(slice(p[0], p[0] + n) for n, p in zip(shape, around))
    return total[inside].astype(w.dtype)


def for_filter(x, shape, grad, strides, padding):
    around, _, moves = places(x.shape, shape, strides, padding)
    padded = np.pad(x.astype("d"), around)
    total = np.zeros(shape)
    for window, element, place in moves:
        total[element] += padded[(slice(None), *place)].T @ grad[(slice(None), *window)]
    return total.astype(x.dtype)


def rows(x, w, note, strides=ONE, padding="VALID", first=False, **options):
    """The convolution and both gradients for the same input and filter; `first`: also those of the first version."""
    attrs = {"strides": strides, "padding": padding}
    grad = convolution(x, w, strides, padding)
    of_x = for_input(x.shape, w, grad, strides, padding)
    of_w = for_filter(x, w.shape, grad, strides, padding)
    sizes = [np.array(a.shape, "i4") for a in (x, w)]
    options["note"] = note
    samples = [
        Sample("Conv3D", [x, w], attrs, expect=grad, **options),
        Sample(
            "Conv3DBackpropInputV2",
            [sizes[0], w, grad],
            attrs,
            expect=of_x,
            static=False,
            **options,
        ),
        Sample(
            "Conv3DBackpropFilterV2",
            [x, sizes[1], grad],
            attrs,
            expect=of_w,
            static=False,
            **options,
        ),
    ]
    if first:
        samples += [
            Sample("Conv3DBackpropInput", [x, w, grad], attrs, expect=of_x, **options),
            Sample("Conv3DBackpropFilter", [x, w, grad], attrs, expect=of_w, **options),
        ]
    return samples


SAMPLES = [
    *rows(VOLUMES, FILTER, "inside", first=True),
    *rows(VOLUMES, FILTER, "with zeros around", padding="SAME", first=True),
    *rows(VOLUMES, FILTER, "in steps", TWO, "SAME"),
    *rows(VOLUMES, FILTER, "in other steps", [1, 1, 2, 3, 1]),
    *rows(VOLUMES.astype("d"), FILTER.astype("d"), "of doubles", padding="SAME"),
    *rows(VOLUMES.astype("e"), FILTER.astype("e"), "of halves", gradient=()),
    *rows(VOLUMES[:0], FILTER, "of no volumes"),
]
