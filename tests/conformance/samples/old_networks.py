"""Ops in graphs of 2015 and of inference tools; expected values by loops and in double precision."""

import numpy as np

from tests.conformance.samples import Sample
from tests.conformance.samples.convolutions import convolution

RANDOM = np.random.RandomState(31)
IMAGES = RANDOM.rand(2, 4, 5, 2).astype("f")
FILTER = RANDOM.randn(3, 2, 2, 3).astype("f")
PADS = np.array([[0, 0], [1, 2], [3, 1], [0, 0]], "i4")
MEAN, VARIANCE = np.array([0.5, -1], "f"), np.array([1, 0.25], "f")
BETA, GAMMA = np.array([0.1, 2], "f"), np.array([-2, 0.5], "f")
GRADS = RANDOM.randn(2, 4, 5, 2).astype("f")
PICTURE = np.arange(42, dtype="f").reshape(7, 6, 1)


def padded(mode, strides=(1, 1, 1, 1), padding="VALID"):
    def expect(x, pads, w):
        x = np.pad(x.astype("d"), pads, mode=mode)
        return convolution(x, w, strides, padding=padding)

    return expect


def resized(x, size, pads, w):
    """Aligned corners, linear interpolation between pixels."""
    for axis, count in zip((1, 2), size):
        at = np.linspace(0, x.shape[axis] - 1, count)
        low = np.minimum(at.astype(int), x.shape[axis] - 2)
        share = (at - low).reshape((-1,) + (1,) * (3 - axis))
        start, end = (np.take(x.astype("d"), low + n, axis) for n in (0, 1))
        x = start * (1 - share) + end * share
    return padded("symmetric")(x, pads, w)


def normalized(scaled):
    def expect(t, m, v, beta, gamma):
        factor = 1 / np.sqrt(v.astype("d") + 0.5) * (gamma if scaled else 1)
        return ((t - m) * factor + beta).astype("f")

    return expect


def gradients(scaled):
    def expect(t, m, v, gamma, backprop):
        inverse = 1 / np.sqrt(v.astype("d") + 0.5)
        factor = inverse * gamma if scaled else inverse
        total = backprop.astype("d").sum((0, 1, 2))
        along = (backprop * (t - m.astype("d"))).sum((0, 1, 2))
        of_gamma = along * inverse * scaled
        found = backprop * factor, -total * factor, -along * inverse**2 * factor / 2, total
        return tuple(a.astype("f") for a in (*found, of_gamma))

    return expect


def contrasted(images, factor, low, high):
    mean = images.astype("d").mean(axis=(-3, -2), keepdims=True)
    return np.clip((images - mean) * factor + mean, low, high).astype("f")


def scalar(value):
    return np.array(value, "f")


def global_norm(scaled):
    return {"variance_epsilon": 0.5, "scale_after_normalization": scaled}


def conv(mode, strides=(1, 1, 1, 1), padding="VALID", **more):
    return {"mode": mode, "strides": list(strides), "padding": padding, **more}


SAMPLES = [
    Sample("FusedPadConv2D", [IMAGES, PADS, FILTER], conv("REFLECT"), padded("reflect")),
    Sample(
        "FusedPadConv2D",
        [IMAGES[:1], PADS, FILTER],
        conv("REFLECT", (1, 1, 2, 1)),
        padded("reflect", (1, 1, 2, 1)),
        note="one image",
    ),
    Sample(
        "FusedPadConv2D",
        [IMAGES.astype("d"), PADS, FILTER.astype("d")],
        conv("SYMMETRIC", (1, 2, 2, 1), "SAME"),
        padded("symmetric", (1, 2, 2, 1), "SAME"),
        note="edges, strides",
    ),
    Sample(
        "FusedResizeAndPadConv2D",
        [IMAGES, np.array([7, 6], "i4"), PADS, FILTER],
        conv("SYMMETRIC", resize_align_corners=True),
        resized,
    ),
    Sample(
        "FusedResizeAndPadConv2D",
        [IMAGES[:1], np.array([7, 6], "i4"), PADS, FILTER],
        conv("SYMMETRIC", resize_align_corners=True),
        resized,
        note="one image",
    ),
    Sample(
        "BatchNormWithGlobalNormalization",
        [IMAGES, MEAN, VARIANCE, BETA, GAMMA],
        global_norm(True),
        normalized(True),
        order=1,
    ),
    Sample(
        "BatchNormWithGlobalNormalization",
        [IMAGES, MEAN, VARIANCE, BETA, GAMMA],
        global_norm(False),
        normalized(False),
        order=1,
        note="not scaled",
    ),
    Sample(
        "BatchNormWithGlobalNormalizationGrad",
        [IMAGES, MEAN, VARIANCE, GAMMA, GRADS],
        global_norm(True),
        gradients(True),
    ),
    Sample(
        "BatchNormWithGlobalNormalizationGrad",
        [IMAGES, MEAN, VARIANCE, GAMMA, GRADS],
        global_norm(False),
        gradients(False),
        note="not scaled",
    ),
    Sample("AdjustContrast", [IMAGES, scalar(2), scalar(0.25), scalar(0.75)], expect=contrasted),
    Sample(
        "AdjustContrast",
        [(IMAGES * 250).astype("u1"), scalar(0.5), scalar(0), scalar(255)],
        expect=contrasted,
        note="bytes",
    ),
    Sample(
        "RandomCrop",
        [PICTURE, np.array([2, 3])],
        {"seed": 3, "seed2": 5},
        PICTURE[4:6, 3:6],  # as drawn by TensorFlow
    ),
    Sample(
        "RandomCrop",
        [PICTURE.astype("i4"), np.array([7, 3])],
        {"seed": 3, "seed2": 5},
        PICTURE[:, 3:6].astype("i4"),
        note="columns alone",
    ),
]
