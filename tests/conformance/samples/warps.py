"""Transformed and interpolated images, their patches, distance pairs; expected values by loops."""

import math

import numpy as np

from tests.conformance.samples import Sample

RANDOM = np.random.RandomState(31)
IMAGES = RANDOM.rand(2, 4, 5, 2).astype("f")
BYTES = RANDOM.randint(0, 256, (2, 3, 4, 1)).astype("u1")
TILTED = np.array([[0.9, 0.2, 0.3, -0.1, 1.1, 0.4, 0.02, -0.03]], "f")
MOVES = np.array([[1, 0, 1, 0, 1, -1, 0, 0], [1, 0, 0, 0, 1, 2, 0, 0]], "f")
HALVES = np.array([[1, 0, 0.5, 0.25, 1, -0.5, 0, 0]], "f")
SIZE = np.array([3, 6], "i4")
POINTS = np.array([[[0.3, 1.7], [3.6, -0.4]], [[4.2, 2.6], [-0.7, 3.3]]], "f")
GRADS = RANDOM.randn(2, 2, 2).astype("f")
DISTANCES = np.array([[0.5, 0.1, 0.7], [0.3, 0.2, 0.9], [0.4, 0.6, 0.8], [0.0, 0.0, 0.0]], "f")
COMB = np.array([[1, 0, 1, 0, 1]] * 4 + [[1] * 5])
PARTS = np.array(
    [[[1, 1, 0, 2], [0, 1, 2, 2], [3, 0, 1, 1]], [[3, 0, 0, 5], [3, 5, 5, 5], [3, 3, 0, 5]]]
)


def pixel(image, row, column):
    inside = 0 <= row < image.shape[0] and 0 <= column < image.shape[1]
    return image[row, column].astype("d") if inside else np.zeros(image.shape[2])


def around(y, x):
    """(row, column, weight) of the four pixels around a point."""
    top, left = math.floor(y), math.floor(x)
    for row, down in ((top, 1 - y + top), (top + 1, y - top)):
        for column, across in ((left, 1 - x + left), (left + 1, x - left)):
            yield row, column, down * across


def seen(way):
    def expect(images, transforms, size=None):
        rows, columns = images.shape[1:3] if size is None else size
        result = np.zeros((len(images), rows, columns, images.shape[3]), images.dtype)
        for n, i, j in np.ndindex(*result.shape[:3]):
            t = transforms[n if len(transforms) > 1 else 0].astype("d")
            share = t[6] * j + t[7] * i + 1
            x, y = (t[0] * j + t[1] * i + t[2]) / share, (t[3] * j + t[4] * i + t[5]) / share
            if way == "NEAREST":
                result[n, i, j] = pixel(images[n], math.floor(y + 0.5), math.floor(x + 0.5))
            else:
                result[n, i, j] = sum(w * pixel(images[n], r, c) for r, c, w in around(y, x))
        return result

    return expect


def resampled(data, warp):
    result = np.zeros((*warp.shape[:-1], data.shape[3]))
    for at in np.ndindex(*warp.shape[:-1]):
        x, y = warp[at].astype("d")
        result[at] = sum(w * pixel(data[at[0]], r, c) for r, c, w in around(y, x))
    return result.astype("f")


def resampled_grads(data, warp, grads):
    of_data, of_warp = np.zeros(data.shape), np.zeros(warp.shape)
    for at in np.ndindex(*warp.shape[:-1]):
        x, y = warp[at].astype("d")
        for row, column, weight in around(y, x):
            if 0 <= row < data.shape[1] and 0 <= column < data.shape[2]:
                of_data[at[0], row, column] += weight * grads[at]
                slope = data[at[0], row, column].astype("d") @ grads[at]
                right, lower = column > math.floor(x), row > math.floor(y)
                of_warp[(*at, 0)] += slope * (1 if right else -1) * (1 - abs(y - row))
                of_warp[(*at, 1)] += slope * (1 if lower else -1) * (1 - abs(x - column))
    return of_data.astype("f"), of_warp.astype("f")


SAMPLES = [
    Sample(
        "ImageProjectiveTransform", [IMAGES, TILTED], {"interpolation": "NEAREST"}, seen("NEAREST")
    ),
    Sample(
        "ImageProjectiveTransform", [BYTES, HALVES], {"interpolation": "BILINEAR"}, seen("BILINEAR")
    ),
    Sample(
        "ImageProjectiveTransformV2",
        [IMAGES, MOVES, np.array([4, 5], "i4")],
        {"interpolation": "NEAREST"},
        seen("NEAREST"),
        gradient=(0,),
        step=1.0,
    ),
    Sample(
        "ImageProjectiveTransformV2",
        [IMAGES, TILTED, SIZE],
        {"interpolation": "BILINEAR"},
        seen("BILINEAR"),
        gradient=(),  # TensorFlow's op uses the inverse transform
        note="bilinear",
    ),
    Sample(
        "BipartiteMatch",
        [DISTANCES, np.array([3], "f")],
        {},
        (np.array([1, 0, 2, -1], "i4"), np.array([1, 0, 2], "i4")),
    ),
    Sample(
        "BipartiteMatch",
        [DISTANCES, np.float32(-1)],
        {"top_k": 2},
        (np.array([1, -1, -1, 0], "i4"), np.array([3, 0, -1], "i4")),
        note="top 2",
    ),
    Sample(
        "ImageConnectedComponents",
        [PARTS],
        {},
        np.array(
            [
                [[1, 1, 0, 4], [0, 1, 4, 4], [9, 0, 11, 11]],
                [[13, 0, 0, 16], [13, 16, 16, 16], [13, 13, 0, 16]],
            ]
        ),
    ),
    Sample(
        "ImageConnectedComponents",
        [np.stack([COMB, COMB[::-1, ::-1]])],
        {},
        np.stack([COMB, 26 * COMB[::-1, ::-1]]),
        note="teeth",
    ),
    Sample(
        "SingleImageRandomDotStereograms",
        [np.eye(2, 3, dtype="f")],
        # Eyes as close as two dots, and dots everywhere: all are black.
        {
            "convergence_dots_size": 4,
            "eye_separation": 0.03,
            "output_image_shape": (4, 4, 1),
            "output_data_window": (4, 4),
        },
        np.zeros((4, 4, 1), "u1"),
    ),
    Sample("Resampler", [IMAGES, POINTS], {}, resampled, order=1, tolerance=1e-4),
    Sample("ResamplerGrad", [IMAGES, POINTS, GRADS], {}, resampled_grads, tolerance=1e-4),
]
