"""2-D pooling, and its gradients; expected values by loops over the windows."""

import itertools

import numpy as np

from tests.conformance.samples import Sample

RANDOM = np.random.RandomState(8)
IMAGES = RANDOM.permutation(2 * 5 * 6 * 3).reshape(2, 5, 6, 3).astype("f")  # all different
TIES = RANDOM.randint(0, 3, (2, 5, 6, 2)).astype("f")
HOLES = np.where(RANDOM.rand(2, 5, 6, 2) < 0.7, np.nan, TIES).astype("f")
LARGE = RANDOM.permutation(9 * 61 * 60 * 16).reshape(9, 61, 60, 16).astype("f")


def spans(size, kernel, stride, padding):
    """The elements of each window along one axis."""
    if padding == "SAME":
        count = -(-size // stride)
        before = max((count - 1) * stride + kernel - size, 0) // 2
    else:
        count, before = (size - kernel) // stride + 1, 0
    starts = [n * stride - before for n in range(count)]
    return [range(max(s, 0), min(s + kernel, size)) for s in starts]


def windows(shape, ksize, strides, padding):
    """(image, row, column, channel) of each result, and the positions of its window's elements in order."""
    down = spans(shape[1], ksize[1], strides[1], padding)
    across = spans(shape[2], ksize[2], strides[2], padding)
    for b, (i, rows), (j, columns), c in itertools.product(
        range(shape[0]), enumerate(down), enumerate(across), range(shape[3])
    ):
        yield (b, i, j, c), [(b, row, column, c) for row in rows for column in columns]


def result_shape(shape, ksize, strides, padding):
    sizes = [len(spans(shape[a], ksize[a], strides[a], padding)) for a in (1, 2)]
    return (shape[0], *sizes, shape[3])


def first_largest(x, places):
    """The position of the first maximum: a NaN counts only if it comes first."""
    best = places[0]
    for place in places[1:]:
        if x[best] < x[place]:
            best = place
    return best


def maxima(x, *how):
    out = np.zeros(result_shape(x.shape, *how), x.dtype)
    lowest = np.iinfo(x.dtype).min if x.dtype.kind in "iu" else np.finfo(x.dtype).min
    for at, places in windows(x.shape, *how):
        out[at] = max([x[p] for p in places if x[p] == x[p]], default=lowest)
    return np.maximum(out, lowest)


def means(x, *how):
    out = np.zeros(result_shape(x.shape, *how), x.dtype)
    for at, places in windows(x.shape, *how):
        out[at] = np.mean([x[p] for p in places], dtype="d")
    return out


def max_gradient(x, _, grad, *how):
    out = np.zeros_like(x)
    for at, places in windows(x.shape, *how):
        out[first_largest(x, places)] += grad[at]
    return out


def max_second_gradient(x, pooled, grad, *how):
    out = np.zeros_like(pooled)
    for at, places in windows(x.shape, *how):
        out[at] = grad[first_largest(x, places)]
    return out


def mean_gradient(shape, grad, *how):
    out = np.zeros(shape, "d")
    for at, places in windows(shape, *how):
        for place in places:
            out[place] += float(grad[at]) / len(places)
    return out.astype(grad.dtype)


def rows(x, note, ksize, strides, padding, order=2, **options):
    """Both kinds of pooling and their gradients over the same windows."""
    how = (ksize, strides, padding)
    attrs = dict(zip(("ksize", "strides", "padding"), how))
    grad = RANDOM.randn(*result_shape(x.shape, *how)).astype(x.dtype)
    pooled = maxima(x, *how)
    options = {"note": note, **options}
    of_grad = {"gradient": (2,), **options}
    return [
        Sample("MaxPool", [x], attrs, expect=pooled, **{**options, "step": 0.25}),
        Sample("AvgPool", [x], attrs, expect=means(x, *how), **options),
        Sample(
            "MaxPoolGrad",
            [x, pooled, grad],
            attrs,
            expect=max_gradient(x, 0, grad, *how),
            **of_grad,
        ),
        Sample(
            "MaxPoolGradGrad",
            [x, pooled, x],
            attrs,
            expect=max_second_gradient(x, pooled, x, *how),
            **of_grad,
        ),
        Sample(
            "AvgPoolGrad",
            [np.array(x.shape, "i4"), grad],
            attrs,
            expect=mean_gradient(x.shape, grad, *how),
            static=False,
            **options,
        ),
    ]


TWO = [1, 2, 2, 1]
SAMPLES = [
    *rows(IMAGES, "side by side", TWO, TWO, "VALID"),
    *rows(IMAGES, "at borders", TWO, TWO, "SAME"),
    *rows(IMAGES, "that overlap", [1, 3, 2, 1], [1, 2, 1, 1], "SAME"),
    *rows(IMAGES, "apart", [1, 1, 2, 1], [1, 2, 3, 1], "VALID"),
    *rows(IMAGES, "of the whole", [1, 5, 6, 1], TWO, "VALID"),
    *rows(IMAGES, "larger than the images", [1, 9, 9, 1], [1, 1, 1, 1], "SAME"),
    *rows(IMAGES.astype("d"), "of doubles", [1, 3, 3, 1], TWO, "SAME"),
    *rows(TIES.astype("e"), "of halves", TWO, [1, 1, 1, 1], "SAME", gradient=()),
    *rows(TIES, "of equal elements", [1, 3, 3, 1], [1, 1, 1, 1], "VALID", gradient=()),
    *rows(IMAGES[:0], "of no images", TWO, TWO, "SAME"),
    Sample(
        "MaxPool",
        [HOLES],
        {"ksize": TWO, "strides": TWO, "padding": "SAME"},
        expect=lambda x: maxima(x, TWO, TWO, "SAME"),
        gradient=(),
        note="with NaN",
    ),
    Sample(
        "MaxPoolGrad",
        [HOLES, maxima(HOLES, TWO, TWO, "SAME"), np.full((2, 3, 3, 2), np.inf, "f")],
        {"ksize": TWO, "strides": TWO, "padding": "SAME"},
        expect=lambda *inputs: max_gradient(*inputs, TWO, TWO, "SAME"),
        gradient=(),
        note="with NaN and infinity",
    ),
    Sample(
        "MaxPool",
        [TIES.astype("i2") - 7],
        {"ksize": [1, 3, 3, 1], "strides": TWO, "padding": "SAME"},
        expect=lambda x: maxima(x, [1, 3, 3, 1], TWO, "SAME"),
        note="of integers",
    ),
    Sample(
        "MaxPool",
        [IMAGES],
        {"ksize": [1, 1, 1, 3], "strides": [1, 1, 1, 3], "padding": "VALID"},
        expect=lambda x: x.max(axis=3, keepdims=True),
        gradient=(),  # TensorFlow has none over channels
        note="over channels",
    ),
    Sample(
        "MaxPool",
        [LARGE],
        {"ksize": TWO, "strides": TWO, "padding": "VALID"},
        expect=lambda x: (
            x[:, :60]
            .reshape(9, 30, 2, 30, 2, 16)
            .transpose(0, 1, 3, 5, 2, 4)
            .reshape(9, 30, 30, 16, 4)
            .max(-1)
        ),
        gradient=(),
        note="by threads",
    ),
]
