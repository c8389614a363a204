"""3-D pooling, and its gradients; expected values by loops over the windows."""

import itertools

import numpy as np

from tests.conformance.samples import Sample
from tests.conformance.samples.pooling import spans

RANDOM = np.random.RandomState(18)
VOLUMES = RANDOM.permutation(3 * 4 * 3 * 2).reshape(1, 3, 4, 3, 2).astype("f")  # all different
TIES = RANDOM.randint(0, 3, (2, 3, 4, 3, 1)).astype("f")
HOLES = np.where(RANDOM.rand(2, 3, 4, 3, 1) < 0.7, np.nan, TIES).astype("f")


def windows(shape, ksize, strides, padding):
    """(position of the result, positions of its window's elements in order)."""
    along = [list(enumerate(spans(shape[a], ksize[a], strides[a], padding))) for a in (1, 2, 3)]
    for b, p, r, c, d in itertools.product(range(shape[0]), *along, range(shape[4])):
        places = [(b, *place, d) for place in itertools.product(p[1], r[1], c[1])]
        yield (b, p[0], r[0], c[0], d), places


def result_shape(shape, ksize, strides, padding):
    sizes = [len(spans(shape[a], ksize[a], strides[a], padding)) for a in (1, 2, 3)]
    return (shape[0], *sizes, shape[4])


def maxima(x, *how):
    out = np.zeros(result_shape(x.shape, *how), x.dtype)
    for at, places in windows(x.shape, *how):
        out[at] = max([x[p] for p in places if x[p] == x[p]], default=-np.inf)
    return out


def means(x, *how):
    out = np.zeros(result_shape(x.shape, *how), x.dtype)
    for at, places in windows(x.shape, *how):
        out[at] = np.mean([x[p] for p in places], dtype="d")
    return out


def max_gradient(x, pooled, grad, *how):
    """To all elements equal to the maximum."""
    out = np.zeros_like(x)
    for at, places in windows(x.shape, *how):
        for place in places:
            if abs(x[place] - pooled[at]) < 1e-5:
                out[place] += grad[at]
    return out


def max_second_gradient(x, pooled, grad, *how):
    """From the first of them."""
    out = np.zeros_like(pooled)
    for at, places in windows(x.shape, *how):
        equal = [place for place in places if x[place] == pooled[at]]
        out[at] = grad[equal[0]] if equal else 0
    return out


def mean_gradient(shape, grad, *how):
    out = np.zeros(shape, "d")
    for at, places in windows(shape, *how):
        for place in places:
            out[place] += float(grad[at]) / len(places)
    return out.astype(grad.dtype)


def of_maxima(x, note, ksize, strides, padding, **options):
    how = (ksize, strides, padding)
    attrs = dict(zip(("ksize", "strides", "padding"), how))
    grad = RANDOM.randn(*result_shape(x.shape, *how)).astype(x.dtype)
    pooled = maxima(x, *how)
    of_grad = {"gradient": (2,), "note": note, "step": 0.25, **options}
    options = {"note": note, "step": 0.25, **options}
    return [
        Sample("MaxPool3D", [x], attrs, expect=pooled, **options),
        Sample(
            "MaxPool3DGrad",
            [x, pooled, grad],
            attrs,
            expect=max_gradient(x, pooled, grad, *how),
            **of_grad,
        ),
        Sample(
            "MaxPool3DGradGrad",
            [x, pooled, x],
            attrs,
            expect=max_second_gradient(x, pooled, x, *how),
            **{
                **of_grad,
                "gradient": (),
            },  # TensorFlow's rule creates a node that does not support doubles
        ),
    ]


def of_means(x, note, ksize, strides, padding, **options):
    how = (ksize, strides, padding)
    attrs = dict(zip(("ksize", "strides", "padding"), how))
    grad = RANDOM.randn(*result_shape(x.shape, *how)).astype(x.dtype)
    options = {"note": note, **options}
    return [
        Sample("AvgPool3D", [x], attrs, expect=means(x, *how), **options),
        Sample(
            "AvgPool3DGrad",
            [np.array(x.shape, "i4"), grad],
            attrs,
            expect=mean_gradient(x.shape, grad, *how),
            static=False,
            **options,
        ),
    ]


TWO = [1, 2, 2, 2, 1]
SAMPLES = [
    *of_maxima(VOLUMES, "side by side", TWO, TWO, "VALID"),
    *of_maxima(VOLUMES, "that overlap", [1, 2, 3, 2, 1], [1, 1, 2, 1, 1], "SAME"),
    *of_maxima(TIES, "of equal elements", TWO, [1, 1, 1, 1, 1], "SAME", gradient=()),
    *of_maxima(HOLES, "with NaN", TWO, [1, 1, 1, 1, 1], "SAME", gradient=()),
    *of_maxima(VOLUMES[:0], "of no volumes", TWO, TWO, "SAME"),
    *of_means(VOLUMES, "side by side", TWO, TWO, "VALID"),
    *of_means(VOLUMES, "that overlap", [1, 2, 3, 2, 1], [1, 1, 2, 1, 1], "SAME"),
    *of_means(VOLUMES.astype("d"), "of doubles", [1, 3, 1, 2, 1], [1, 1, 2, 1, 1], "SAME"),
    *of_means(VOLUMES.astype("e"), "of halves", TWO, TWO, "SAME", gradient=()),
]
