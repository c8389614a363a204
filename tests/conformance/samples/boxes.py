"""Image crops by boxes, their gradients, glimpses, and non-maximum suppression; expected values by loops."""

import math

import numpy as np

from tests.conformance.samples import Sample

RANDOM = np.random.RandomState(22)
IMAGES = RANDOM.rand(2, 5, 4, 3).astype("f")
BYTES = RANDOM.randint(0, 256, (2, 4, 6, 1)).astype("u1")
BOXES = np.array(
    [[0, 0, 1, 1], [0.13, 0.22, 0.7, 0.91], [0.8, 0.72, 0.1, 0.33], [-0.2, 0.12, 0.53, 1.3]], "f"
)
NUMBERS = np.array([0, 1, 1, 0], "i4")
SIZE = np.array([3, 4], "i4")
GRADS = RANDOM.randn(4, 3, 4, 3).astype("f")


def where(start, end, size, count):
    """Positions of a crop's lines among those of the image."""
    if count == 1:
        return [0.5 * (start + end) * (size - 1)]
    return [(start + (end - start) * n / (count - 1)) * (size - 1) for n in range(count)]


def pixels(shape, boxes, size, method="bilinear"):
    """((box, row, column), [(row, column, weight) in the image]) of each crop pixel; none outside."""
    for number, box in enumerate(boxes.astype("d")):
        for i, y in enumerate(where(box[0], box[2], shape[1], size[0])):
            for j, x in enumerate(where(box[1], box[3], shape[2], size[1])):
                if not (0 <= y <= shape[1] - 1 and 0 <= x <= shape[2] - 1):
                    yield (number, i, j), []
                    continue
                if method == "nearest":
                    yield (number, i, j), [(math.floor(y + 0.5), math.floor(x + 0.5), 1)]
                    continue
                top, left = math.floor(y), math.floor(x)
                bottom, right, down, across = math.ceil(y), math.ceil(x), y - top, x - left
                yield (
                    (number, i, j),
                    [
                        (top, left, (1 - down) * (1 - across)),
                        (top, right, (1 - down) * across),
                        (bottom, left, down * (1 - across)),
                        (bottom, right, down * across),
                    ],
                )


def cropped(method="bilinear", outside=0.0):
    def expect(images, boxes, numbers, size):
        result = np.full((len(boxes), *size, images.shape[3]), outside, "d")
        for at, found in pixels(images.shape, boxes, size, method):
            if found:
                image = images[numbers[at[0]]].astype("d")
                result[at] = sum(weight * image[row, column] for row, column, weight in found)
        return result.astype("f")

    return expect


def to_images(kind, method="bilinear"):
    def expect(grads, boxes, numbers, shape):
        result = np.zeros(shape)
        for at, found in pixels(shape, boxes, grads.shape[1:3], method):
            for row, column, weight in found:
                result[numbers[at[0]], row, column] += weight * grads[at].astype("d")
        return result.astype(kind)

    return expect


def to_boxes(grads, images, boxes, numbers):
    """By finite differences: boxes move slightly, and their pixels stay between the same image pixels."""
    step, crop = 1e-5, cropped_exactly
    result = np.zeros(boxes.shape)
    for at in np.ndindex(boxes.shape):
        moved = [boxes.astype("d") for _ in range(2)]
        moved[0][at] += step
        moved[1][at] -= step
        above, below = (crop(images, part, numbers, grads.shape[1:3]) for part in moved)
        result[at] = ((above - below) * grads).sum() / (2 * step)
    return result.astype("f")


def cropped_exactly(images, boxes, numbers, size):
    result = np.zeros((len(boxes), *size, images.shape[3]))
    for at, found in pixels(images.shape, boxes, size):
        image = images[numbers[at[0]]].astype("d")
        for row, column, weight in found:
            result[at] += weight * image[row, column]
    return result


def scalar(value, kind="f"):
    return np.array(value, kind)


CORNERS = RANDOM.rand(20, 2).astype("f")
MANY = np.concatenate([CORNERS, CORNERS + RANDOM.rand(20, 2).astype("f") * 0.5], axis=1)
MANY[::2] = MANY[::2][:, [2, 1, 0, 3]]
SCORES = RANDOM.permutation(20).astype("f") / 20
APART = np.array([[n, 0, n + 1, 1] for n in range(6)], "f")
TIES = np.array([1, 2, 2, 1, 2, 1], "f")
CLASSES = RANDOM.permutation(40).reshape(1, 20, 2).astype("f") / 40
HALF = scalar(0.5)


def overlap(a, b):
    (top, left, bottom, right) = (*np.minimum(a[:2], a[2:]), *np.maximum(a[:2], a[2:]))
    (other_top, other_left, other_bottom, other_right) = (
        *np.minimum(b[:2], b[2:]),
        *np.maximum(b[:2], b[2:]),
    )
    height = max(0, min(bottom, other_bottom) - max(top, other_top))
    width = max(0, min(right, other_right) - max(left, other_left))
    areas = (bottom - top) * (right - left)
    areas += (other_bottom - other_top) * (other_right - other_left)
    return height * width / (areas - height * width)


def kept(boxes, scores, most, threshold=0.5, least=-math.inf):
    """The indices of boxes, best first, that no better box overlaps."""
    found = []
    for number in np.argsort(-scores):
        if scores[number] > least and len(found) < most:
            if all(overlap(boxes[number], boxes[other]) < threshold for other in found):
                found.append(number)
    return np.array(found, "i4")


def padded(boxes, scores, most, *thresholds):
    found = kept(boxes, scores, most, *thresholds)
    return np.pad(found, (0, int(most) - len(found))), scalar(len(found), "i4")


def with_scores(boxes, scores, most, threshold, least, sigma):
    found = kept(boxes, scores, most, threshold, least)
    return found, scores[found], scalar(len(found), "i4")


def softly(boxes, scores, most, threshold, least, sigma):
    scores, found, points = scores.astype("d"), [], []
    left = set(range(len(scores)))
    while left and len(found) < most:
        best = max(left, key=lambda n: scores[n])
        left.remove(best)
        if scores[best] <= least:
            break
        found.append(best)
        points.append(scores[best])
        for other in list(left):
            common = overlap(boxes[best].astype("d"), boxes[other].astype("d"))
            scores[other] *= math.exp(-(common**2) / (2 * sigma)) if common < threshold else 0
    return np.array(found, "i4"), np.array(points, "f"), scalar(len(found), "i4")


def by_class(boxes, scores, most, total, threshold, least):
    found = []
    for number in range(scores.shape[2]):
        points = scores[0, :, number]
        for box in kept(boxes[0, :, 0], points, most, threshold, least):
            found.append((points[box], number, boxes[0, box, 0]))
    found = sorted(found, key=lambda one: -one[0])[:total]
    results = [np.zeros((1, int(total), *dims), "f") for dims in ((4,), (), ())]
    for at, (score, number, box) in enumerate(found):
        for result, value in zip(results, (np.clip(box, 0, 1), score, number)):
            result[0, at] = value
    return (*results, np.array([len(found)], "i4"))


LIMITS = [scalar(9, "i4"), scalar(0.3), scalar(0.2)]
SHAPE = np.array([2, 5, 4, 3], "i4")
SAMPLES = [
    Sample(
        "CropAndResize",
        [IMAGES, BOXES, NUMBERS, SIZE],
        {},
        cropped(),
        gradient=[0],
        step=0.25,
        order=1,
    ),
    Sample(
        "CropAndResize",
        [BYTES, BOXES, NUMBERS, SIZE],
        {"method": "nearest", "extrapolation_value": 7.0},
        cropped("nearest", 7.0),
        gradient=(),
        note="nearest",
    ),
    Sample(
        "CropAndResize",
        [IMAGES, BOXES, NUMBERS, np.array([1, 2], "i4")],
        {},
        cropped(),
        gradient=(),
        note="one row",
    ),
    Sample(
        "CropAndResize",
        [IMAGES, BOXES[:0], NUMBERS[:0], SIZE],
        {},
        cropped(),
        gradient=(),
        note="no boxes",
    ),
    Sample(
        "CropAndResizeGradImage", [GRADS, BOXES, NUMBERS, SHAPE], {"T": "float32"}, to_images("f")
    ),
    Sample(
        "CropAndResizeGradImage",
        [GRADS, BOXES, NUMBERS, SHAPE],
        {"T": "float64", "method": "nearest"},
        to_images("d", "nearest"),
        note="nearest",
    ),
    Sample(
        "CropAndResizeGradImage",
        [GRADS, BOXES, NUMBERS, SHAPE],
        {"T": "float16"},
        to_images("e"),
        note="half",
    ),
    Sample(
        "CropAndResizeGradBoxes",
        [GRADS[1:3], IMAGES, BOXES[1:3], NUMBERS[1:3]],
        {},
        to_boxes,
        tolerance=1e-4,
    ),
    Sample(
        "CropAndResizeGradBoxes",
        [GRADS[1:3, :1], IMAGES, BOXES[1:3], NUMBERS[1:3]],
        {},
        to_boxes,
        tolerance=1e-4,
        note="one row",
    ),
    Sample(
        "ExtractGlimpse",
        [IMAGES, np.array([3, 2], "i4"), np.array([[0, 0], [0.4, -0.5]], "f")],
        {},
        np.stack([IMAGES[0, 1:4, 1:3], IMAGES[1, 2:5, 0:2]]),
    ),
    Sample(
        "ExtractGlimpse",
        [IMAGES, np.array([2, 2], "i4"), np.array([[0, 1], [5, 2]], "f")],
        {"centered": False, "normalized": False, "uniform_noise": False, "noise": "zero"},
        np.stack(
            [
                np.pad(IMAGES[0, :1, :2], ((1, 0), (0, 0), (0, 0))),
                np.pad(IMAGES[1, 4:, 1:3], ((0, 1), (0, 0), (0, 0))),
            ]
        ),
        note="outside",
    ),
    Sample(
        "NonMaxSuppression",
        [MANY, SCORES, LIMITS[0]],
        {"iou_threshold": 0.3},
        lambda b, s, n: kept(b, s, n, 0.3),
        static=False,
    ),
    Sample(
        "NonMaxSuppression",
        [APART, TIES, LIMITS[0]],
        {},
        np.array([1, 2, 4, 0, 5, 3], "i4"),
        static=False,
        note="ties",
    ),  # TensorFlow 1.15.5
    Sample("NonMaxSuppressionV2", [MANY, SCORES, *LIMITS[:2]], {}, kept, static=False),
    Sample("NonMaxSuppressionV3", [MANY, SCORES, *LIMITS], {}, kept, static=False),
    Sample(
        "NonMaxSuppressionV3",
        [MANY[:0], SCORES[:0], *LIMITS],
        {},
        kept,
        static=False,
        note="no boxes",
    ),
    Sample(
        "NonMaxSuppressionV4", [MANY, SCORES, *LIMITS], {"pad_to_max_output_size": True}, padded
    ),
    Sample(
        "NonMaxSuppressionV5", [MANY, SCORES, *LIMITS, scalar(0)], {}, with_scores, static=False
    ),
    Sample(
        "NonMaxSuppressionV5",
        [MANY, SCORES, scalar(20, "i4"), scalar(0.9), scalar(0.01), HALF],
        {},
        softly,
        static=False,
        note="soft",
    ),
    Sample(
        "NonMaxSuppressionWithOverlaps",
        [np.eye(4, dtype="f"), SCORES[:4], LIMITS[0], HALF, scalar(0)],
        {},
        np.argsort(-SCORES[:4]).astype("i4"),
        static=False,
    ),
    Sample(
        "CombinedNonMaxSuppression",
        [MANY[None, :, None], CLASSES, scalar(5, "i4"), scalar(8, "i4"), scalar(0.3), scalar(0.1)],
        {},
        by_class,
    ),
]
