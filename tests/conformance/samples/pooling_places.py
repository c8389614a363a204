"""Max pooling with argmax, or with windows as inputs; expected values by loops."""

import numpy as np

from tests.conformance.samples import Sample
from tests.conformance.samples.pooling import (
    HOLES,
    IMAGES,
    TIES,
    first_largest,
    max_gradient,
    max_second_gradient,
    maxima,
    result_shape,
    windows,
)

RANDOM = np.random.RandomState(19)


def places(x, how, with_batch=False):
    """(the maximum of each window, its position in its image or in the batch)."""
    out = np.zeros(result_shape(x.shape, *how), x.dtype)
    where = np.zeros(out.shape, "i8")
    for at, elements in windows(x.shape, *how):
        best = first_largest(x, elements)
        inside = (0, *best[1:]) if not with_batch else best
        out[at] = x[best]
        where[at] = np.ravel_multi_index(inside, x.shape)
    return out, where


def rows(x, note, ksize, strides, padding, **options):
    """Both forms and their gradients over the same windows."""
    how = (ksize, strides, padding)
    attrs = dict(zip(("ksize", "strides", "padding"), how))
    batch = {**attrs, "include_batch_in_index": True}
    largest, argmax = places(x, how)
    counted = places(x, how, with_batch=True)[1]
    grad = RANDOM.randn(*largest.shape).astype(x.dtype)
    pooled = maxima(x, *how)
    fed = [np.array(values, "i4") for values in (ksize, strides)]
    back, again = max_gradient(x, 0, grad, *how), max_second_gradient(x, pooled, x, *how)
    options = {"note": note, **options}
    flat = {**options, "gradient": ()}
    once = {"order": 1, "step": 0.25, **options}
    samples = [
        Sample("MaxPoolWithArgmax", [x], attrs, expect=(largest, argmax), **once),
        Sample("MaxPoolGradWithArgmax", [x, grad, argmax], attrs, expect=back, **flat),
        Sample("MaxPoolGradGradWithArgmax", [x, x, argmax], attrs, expect=again, **flat),
        Sample(
            "MaxPoolV2",
            [x, *fed],
            {"padding": padding},
            expect=pooled,
            static=False,
            **{"step": 0.25, **options},
        ),
        Sample(
            "MaxPoolGradV2",
            [x, pooled, grad, *fed],
            {"padding": padding},
            expect=back,
            **{"gradient": (2,), **options},
        ),
        Sample(
            "MaxPoolGradGradV2",
            [x, pooled, x, *fed],
            {"padding": padding},
            expect=again,
            static=False,
            **flat,
        ),
    ]
    counting = {**flat, "note": f"{note}, counted over the batch"}
    return [
        *samples,
        Sample("MaxPoolWithArgmax", [x], batch, expect=(largest, counted), **counting),
        Sample("MaxPoolGradWithArgmax", [x, grad, counted], batch, expect=back, **counting),
        Sample("MaxPoolGradGradWithArgmax", [x, x, counted], batch, expect=again, **counting),
    ]


TWO = [1, 2, 2, 1]
SAMPLES = [
    *rows(IMAGES, "side by side", TWO, TWO, "VALID"),
    *rows(IMAGES, "that overlap", [1, 3, 2, 1], [1, 2, 1, 1], "SAME"),
    *rows(TIES, "of equal elements", [1, 3, 3, 1], [1, 1, 1, 1], "VALID", gradient=()),
    *rows(TIES.astype("e"), "of halves", TWO, [1, 1, 1, 1], "SAME", gradient=()),
    *rows(IMAGES[:0], "of no images", TWO, TWO, "SAME"),
    Sample(
        "MaxPoolWithArgmax",
        [HOLES],
        {"ksize": TWO, "strides": TWO, "padding": "SAME"},
        expect=lambda x: places(x, (TWO, TWO, "SAME")),
        gradient=(),
        note="with NaN",
    ),
]
