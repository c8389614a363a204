"""Depthwise convolution, and its gradients; expected values by single-channel convolutions."""

import numpy as np

from tests.conformance.samples import Sample
from tests.conformance.samples.convolutions import convolution, for_filter, for_input

RANDOM = np.random.RandomState(15)
IMAGES = RANDOM.randn(2, 5, 6, 3).astype("f")
FILTER = RANDOM.randn(3, 2, 3, 2).astype("f")
THIN = RANDOM.randn(2, 3, 3, 1).astype("f")
ONE, TWO = [1, 1, 1, 1], [1, 2, 2, 1]


def by_channel(function, x, w, *arguments):
    """`function(channel of x, its filters)` for each channel, side by side."""
    depth = w.shape[2]
    return [function(x[..., n : n + 1], w[:, :, n : n + 1], *arguments) for n in range(depth)]


def rows(x, w, note, strides=ONE, padding="VALID", **options):
    """The convolution and both gradients for the same input and filter."""
    attrs = {"strides": strides, "padding": padding}
    depth, multiples = w.shape[2:]
    along = (strides, padding)
    grad = np.concatenate(
        by_channel(lambda a, b: convolution(a, b, strides, ONE, padding), x, w), 3
    )
    grads = [grad[..., n * multiples : (n + 1) * multiples] for n in range(depth)]
    one = (*x.shape[:3], 1)
    of_x = [for_input(one, w[:, :, n : n + 1], grads[n], *along) for n in range(depth)]
    shape = (*w.shape[:2], 1, multiples)
    of_w = [for_filter(x[..., n : n + 1], shape, grads[n], *along) for n in range(depth)]
    sizes = [np.array(a.shape, "i4") for a in (x, w)]
    options["note"] = note
    return [
        Sample("DepthwiseConv2dNative", [x, w], attrs, expect=grad, **options),
        Sample(
            "DepthwiseConv2dNativeBackpropInput",
            [sizes[0], w, grad],
            attrs,
            expect=np.concatenate(of_x, 3),
            static=False,
            **options,
        ),
        Sample(
            "DepthwiseConv2dNativeBackpropFilter",
            [x, sizes[1], grad],
            attrs,
            expect=np.concatenate(of_w, 2),
            static=False,
            **options,
        ),
    ]


LARGE = RANDOM.randn(3, 40, 41, 32).astype("f")
SAMPLES = [
    *rows(IMAGES, FILTER, "inside"),
    *rows(IMAGES, FILTER, "with zeros around", padding="SAME"),
    *rows(IMAGES, FILTER, "in steps", TWO, "SAME"),
    *rows(IMAGES, THIN, "one for one", padding="SAME"),
    *rows(IMAGES, THIN, "one for one, in longer steps than the filter", [1, 4, 4, 1]),
    *rows(IMAGES.astype("d"), THIN.astype("d"), "of doubles", TWO, "SAME"),
    *rows(IMAGES.astype("e"), FILTER.astype("e"), "of halves", gradient=()),
    *rows(IMAGES[:0], FILTER, "of no images"),
    *rows(
        LARGE,
        RANDOM.randn(3, 3, 32, 1).astype("f"),
        "by threads",
        TWO,
        "SAME",
        gradient=(),
        tolerance=1e-4,
    ),
]
