"""2-D convolution, and its gradients for the input and the filter."""

import itertools

import numpy as np

from tests.conformance.samples import Sample

RANDOM = np.random.RandomState(5)
IMAGES = RANDOM.randn(2, 5, 6, 3).astype("f")
FILTER = RANDOM.randn(3, 2, 3, 4).astype("f")
THIN = RANDOM.randn(2, 5, 6, 1).astype("f")
THIN_FILTER = RANDOM.randn(3, 3, 1, 2).astype("f")
POINT = RANDOM.randn(1, 1, 3, 2).astype("f")
ONE = [1, 1, 1, 1]
TWO = [1, 2, 2, 1]
PADS = [0, 0, 1, 2, 0, 1, 0, 0]


def zeros_around(size, extent, stride, padding, pads):
    """The numbers of leading and trailing zeros, and of windows."""
    if padding == "EXPLICIT":
        before, behind = pads
    elif padding == "VALID":
        before = behind = 0
    else:
        missing = max((-(-size // stride) - 1) * stride + extent - size, 0)
        before, behind = missing // 2, missing - missing // 2
    return before, behind, (size + before + behind - extent) // stride + 1


def places(x_shape, kernel, strides, dilations, padding, pads=()):
    """The padding, the number of windows, and each filter element's positions in all windows."""
    pads = pads or [0] * 8
    along = [
        zeros_around(
            x_shape[a],
            (kernel[a - 1] - 1) * dilations[a] + 1,
            strides[a],
            padding,
            pads[2 * a : 2 * a + 2],
        )
        for a in (1, 2)
    ]
    (top, bottom, rows), (left, right, columns) = along

    def lines(at, count, axis):
        start = at * dilations[axis]
        return slice(start, start + max(count - 1, 0) * strides[axis] + 1, strides[axis])

    moves = [
        (a, b, (slice(None), lines(a, rows, 1), lines(b, columns, 2)))
        for a, b in itertools.product(range(kernel[0]), range(kernel[1]))
    ]
    return ((0, 0), (top, bottom), (left, right), (0, 0)), (rows, columns), moves


def convolution(x, w, strides=ONE, dilations=ONE, padding="VALID", pads=()):
    around, counts, moves = places(x.shape, w.shape, strides, dilations, padding, pads)
    x = np.pad(x.astype("d"), around)
    result = np.zeros((len(x), *counts, w.shape[3]))
    for a, b, pixels in moves:
        result += x[pixels] @ w[a, b].astype("d")
    return result.astype(w.dtype)


def for_input(shape, w, grad, strides=ONE, padding="VALID", pads=()):
    around, _, moves = places(shape, w.shape, strides, ONE, padding, pads)
    total = np.zeros([n + sum(p) for n, p in zip(shape, around)])
    for a, b, pixels in moves:
        total[pixels] += grad.astype("d") @ w[a, b].T
    inside = tuple(slice(p[0], p[0] + n) for n, p in zip(shape, around))
    return total[inside].astype(w.dtype)


def for_filter(x, shape, grad, strides=ONE, padding="VALID", pads=()):
    around, _, moves = places(x.shape, shape, strides, ONE, padding, pads)
    padded = np.pad(x.astype("d"), around)
    total = np.zeros(shape)
    for a, b, pixels in moves:
        total[a, b] += np.tensordot(padded[pixels], grad.astype("d"), ([0, 1, 2], [0, 1, 2]))
    return total.astype(x.dtype)


def rows(x, w, note, strides=ONE, padding="VALID", pads=(), tolerance=None):
    """The convolution and both gradients for the same input and filter."""
    attrs = {"strides": strides, "padding": padding}
    if pads:
        attrs["explicit_paddings"] = pads
    grad = convolution(x, w, strides, ONE, padding, pads)
    sizes = [np.array(a.shape, "i4") for a in (x, w)]
    options = {"note": note, "tolerance": tolerance}
    if tolerance:
        options["gradient"] = ()
    return [
        Sample("Conv2D", [x, w], attrs, expect=grad, **options),
        Sample(
            "Conv2DBackpropInput",
            [sizes[0], w, grad],
            attrs,
            expect=for_input(x.shape, w, grad, strides, padding, pads),
            static=False,
            **options,
        ),
        Sample(
            "Conv2DBackpropFilter",
            [x, sizes[1], grad],
            attrs,
            expect=for_filter(x, w.shape, grad, strides, padding, pads),
            static=False,
            **options,
        ),
    ]


LARGE = RANDOM.randn(9, 12, 13, 32).astype("f")
LARGE_FILTER = RANDOM.randn(3, 3, 32, 48).astype("f")
SAMPLES = [
    *rows(IMAGES, FILTER, "inside"),
    *rows(IMAGES, FILTER, "with zeros around", padding="SAME"),
    *rows(IMAGES, FILTER, "in steps", TWO, "SAME"),
    *rows(IMAGES, FILTER, "in longer steps than the filter", [1, 4, 3, 1]),
    *rows(IMAGES, FILTER, "with given zeros", [1, 2, 1, 1], "EXPLICIT", PADS),
    *rows(THIN, THIN_FILTER, "of one channel", padding="SAME"),
    *rows(IMAGES, POINT, "of points"),
    *rows(IMAGES, POINT, "of some points", TWO, "SAME"),
    *rows(IMAGES, RANDOM.randn(5, 6, 3, 2).astype("f"), "of the whole"),
    *rows(IMAGES.astype("d"), FILTER.astype("d"), "of doubles", padding="SAME"),
    *rows(LARGE, LARGE_FILTER, "by threads", padding="SAME", tolerance=1e-4),
    *rows(IMAGES.astype("e"), FILTER.astype("e"), "of halves", tolerance=2e-3),
    *rows(IMAGES[:0], FILTER, "of no images"),
    *rows(IMAGES, FILTER[..., :0], "without filters"),
    Sample(
        "Conv2D",
        [IMAGES, FILTER],
        {"strides": ONE, "padding": "VALID", "dilations": [1, 2, 3, 1]},
        expect=lambda x, w: convolution(x, w, ONE, [1, 2, 3, 1]),
        gradient=(),  # TensorFlow's CPU gradients do not support dilations
        note="dilated",
    ),
    Sample(
        "Conv2D",
        [THIN, THIN_FILTER],
        {"strides": TWO, "padding": "SAME", "dilations": TWO},
        expect=lambda x, w: convolution(x, w, TWO, TWO, "SAME"),
        gradient=(),
        note="dilated, in steps",
    ),
]
