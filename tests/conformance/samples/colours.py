"""Colors: RGB and HSV against colorsys, contrast, hue and saturation; drawn boxes against loops, sampled boxes."""

import colorsys

import numpy as np

from tests.conformance.samples import Sample

RANDOM = np.random.RandomState(23)
RGB = RANDOM.rand(2, 3, 4, 3).astype("f")
GREY = np.repeat(RANDOM.rand(2, 2, 2, 1), 3, axis=3).astype("f")
LARGE = RANDOM.rand(1, 150, 120, 3).astype("f")
FOUR = RANDOM.rand(1, 9, 8, 4).astype("f")


def by_pixel(function):
    def expect(images, *scalars):
        flat = images.reshape(-1, 3).astype("d")
        found = [function(*pixel, *map(float, scalars)) for pixel in flat]
        return np.array(found).reshape(images.shape).astype(images.dtype)

    return expect


def turned(r, g, b, delta):
    h, s, v = colorsys.rgb_to_hsv(r, g, b)
    return colorsys.hsv_to_rgb((h + delta) % 1, s, v)


def saturated(r, g, b, scale):
    h, s, v = colorsys.rgb_to_hsv(r, g, b)
    return colorsys.hsv_to_rgb(h, min(1, s * scale), v)


def contrasted(images, factor):
    mean = images.astype("d").mean(axis=(-3, -2), keepdims=True)
    return ((images - mean) * factor + mean).astype(images.dtype)


TABLE = [(1, 1, 0, 1), (0, 0, 1, 1), (1, 0, 0, 1)]


def drawn(images, boxes, colors=TABLE):
    result = images.copy()
    height, width, depth = images.shape[1:]
    for b, at in np.ndindex(boxes.shape[:2]):
        ends = (boxes[b, at] * np.array([height - 1, width - 1] * 2, "f")).astype(int)
        top, left, bottom, right = ends.tolist()
        for row in range(max(top, 0), min(bottom, height - 1) + 1):
            for column in range(max(left, 0), min(right, width - 1) + 1):
                if row in (top, bottom) or column in (left, right):
                    result[b, row, column] = colors[at % len(colors)][:depth]
    return result


def scalar(value):
    return np.array(value, "f")


BOXES = np.array([[[0.1, 0.2, 0.8, 0.7], [-0.3, 0.5, 0.4, 1.6], [0.9, 0.9, 0.1, 0.1]]], "f")
OBJECTS = np.array([[[0.1, 0.2, 0.5, 0.9], [0.3, 0.3, 0.6, 0.4]]], "f")
SEEDS = {"seed": 3, "seed2": 4}
SAMPLED = (
    np.array([5, 12, 0], "i4"),
    np.array([28, 36, -1], "i4"),
    np.array([[[0.125, 0.24, 0.825, 0.96]]], "f"),
)
SIZE = np.array([40, 50, 3], "i4")
SAMPLES = [
    Sample("RGBToHSV", [RGB], {}, by_pixel(colorsys.rgb_to_hsv), step=1e-2, order=1, gradient=()),
    Sample("RGBToHSV", [GREY], {}, by_pixel(colorsys.rgb_to_hsv), gradient=(), note="grey"),
    Sample(
        "RGBToHSV",
        [LARGE.astype("d")],
        {},
        by_pixel(colorsys.rgb_to_hsv),
        gradient=(),
        note="large",
    ),
    Sample("HSVToRGB", [RGB], {}, by_pixel(colorsys.hsv_to_rgb)),
    Sample("HSVToRGB", [LARGE], {}, by_pixel(colorsys.hsv_to_rgb), note="large"),
    Sample("AdjustHue", [RGB, scalar(0.3)], {}, by_pixel(turned)),
    Sample("AdjustHue", [LARGE, scalar(-0.6)], {}, by_pixel(turned), note="large", tolerance=1e-4),
    Sample("AdjustSaturation", [RGB, scalar(0.4)], {}, by_pixel(saturated)),
    Sample("AdjustSaturation", [RGB, scalar(3.0)], {}, by_pixel(saturated), note="limited"),
    Sample("AdjustContrastv2", [RGB, scalar(1.7)], {}, contrasted),
    Sample("AdjustContrastv2", [FOUR.astype("e"), scalar(0.5)], {}, contrasted, note="half"),
    Sample("DrawBoundingBoxes", [RGB[:1], BOXES], {}, drawn),
    Sample(
        "DrawBoundingBoxes",
        [FOUR[..., :1], BOXES[:, :1]],
        {},
        lambda i, b: drawn(i, b, [[1]]),
        note="grey",
    ),
    Sample("DrawBoundingBoxesV2", [FOUR, BOXES, FOUR[0, 0, :2]], {}, drawn),
    # TensorFlow 1.15.5's draws.
    Sample(
        "SampleDistortedBoundingBox", [SIZE, OBJECTS], {**SEEDS, "min_object_covered": 0.5}, SAMPLED
    ),
    Sample("SampleDistortedBoundingBoxV2", [SIZE, OBJECTS, scalar(0.5)], SEEDS, SAMPLED),
]
