"""Images resized, scaled and shifted, and the gradients; expected values by row and column matrices."""

import math

import numpy as np

from tests.conformance.samples import Sample

RANDOM = np.random.RandomState(21)
IMAGES = RANDOM.rand(2, 5, 4, 3).astype("f")
BYTES = RANDOM.randint(0, 256, (1, 4, 6, 1)).astype("u1")
WIDE = RANDOM.rand(1, 3, 40, 2).astype("f")
CORNERS = {"align_corners": True}
HALVES = {"half_pixel_centers": True}


def place(n, size, count, align_corners=False, half_pixel_centers=False):
    """The position of result line n among the input lines."""
    scale = (size - 1) / (count - 1) if align_corners and count > 1 else size / count
    return (n + 0.5) * scale - 0.5 if half_pixel_centers else n * scale


def bilinear(size, count, **centers):
    matrix = np.zeros((count, size))
    for n in range(count):
        at = place(n, size, count, **centers)
        share = at - math.floor(at)
        matrix[n, max(math.floor(at), 0)] += 1 - share
        matrix[n, min(math.floor(at) + 1, size - 1)] += share
    return matrix


def nearest(size, count, align_corners=False, half_pixel_centers=False):
    matrix = np.zeros((count, size))
    for n in range(count):
        at = place(n, size, count, align_corners, half_pixel_centers)
        line = math.floor(at + 0.5) if align_corners or half_pixel_centers else math.floor(at)
        matrix[n, min(max(line, 0), size - 1)] = 1
    return matrix


def cubic(size, count, **centers):
    keys = centers.get("half_pixel_centers", False)
    a = -0.5 if keys else -0.75
    matrix = np.zeros((count, size))
    for n in range(count):
        at = place(n, size, count, **centers)
        share = round((at - math.floor(at)) * 1024) / 1024  # TensorFlow's table has 1024 steps
        for k in range(-1, 3):
            x, line = abs(k - share), math.floor(at) + k
            near = (a + 2) * x**3 - (a + 3) * x**2 + 1
            weight = near if x <= 1 else a * (x**3 - 5 * x**2 + 8 * x - 4)
            if not keys or 0 <= line < size:
                matrix[n, min(max(line, 0), size - 1)] += weight
        if keys:
            matrix[n] /= matrix[n].sum()
    return matrix


def area(size, count, **centers):
    matrix = np.zeros((count, size))
    for n in range(count):
        start, end = place(n, size, count, **centers), place(n + 1, size, count, **centers)
        for line in range(math.floor(start), math.ceil(end)):
            covered = min(line + 1, end) - max(line, start)
            matrix[n, min(line, size - 1)] += covered / (end - start)
    return matrix


def moved(scale, translation, antialias=True):
    """Scaled and shifted, interpolated with triangles."""

    def of(size, count):
        width = max(1 / scale, 1) if antialias else 1
        matrix = np.zeros((count, size))
        for n in range(count):
            at = (n + 0.5 - translation) / scale
            if 0 <= at <= size:
                weights = [max(0, 1 - abs(line + 0.5 - at) / width) for line in range(size)]
                matrix[n] = np.array(weights) / max(sum(weights), 1e-30)
        return matrix

    return of


def resized(rows, columns=None, **centers):
    def expect(images, size, *rest):
        down = rows(images.shape[1], size[0], **centers)
        across = (columns or rows)(images.shape[2], size[1], **centers)
        result = np.einsum("rj,ck,bjkd->brcd", down, across, images.astype("d"), optimize=True)
        return result.astype(images.dtype if rows is nearest else "f")

    return expect


def spread(rows, columns=None, **centers):
    def expect(grads, target, *rest):
        sizes = target.shape[1:3] if target.ndim == 4 else target
        down = rows(sizes[0], grads.shape[1], **centers)
        across = (columns or rows)(sizes[1], grads.shape[2], **centers)
        result = np.einsum("rj,ck,brcd->bjkd", down, across, grads.astype("d"), optimize=True)
        return result.astype(target.dtype if target.ndim == 4 else grads.dtype)

    return expect


def size(*values):
    return np.array(values, "i4")


def rows_of(op, grad, make):
    """Rows of an op and its gradient: smaller, larger, with each kind of pixel center."""
    found = []
    for note, centers in (("", {}), ("corners", CORNERS), ("halves", HALVES)):
        found += [
            Sample(
                op,
                [IMAGES, size(7, 3)],
                centers,
                resized(make, **centers),
                gradient=[0],
                order=1,
                step=0.25,
                note=note,
            ),
            Sample(
                grad,
                [RANDOM.randn(2, 3, 9, 3).astype("f"), IMAGES if grad != NEAREST else size(5, 4)],
                centers,
                spread(make, **centers),
                note=note,
            ),
        ]
    return found


NEAREST = "ResizeNearestNeighborGrad"
MOVE = [np.array([1.4, 0.6], "f"), np.array([0.5, -0.3], "f")]
TRIANGLE = {"kernel_type": "triangle"}
DOWN, ACROSS = moved(1.4, 0.5), moved(0.6, -0.3)
# TensorFlow 1.15.5's results for four pixels.
KERNELS = {
    "lanczos1": [1.0, 1.8448277, 3.0, 4.6206894, 7.9999995],
    "lanczos3": [0.9792896, 1.5941368, 2.5714283, 5.435629, 8.194234],
    "lanczos5": [0.90721, 1.7760197, 2.3846645, 5.3947477, 8.249637],
    "gaussian": [1.0831727, 1.7531664, 3.0, 5.1514673, 7.6673098],
    "box": [1.0, 2.0, 3.0, 4.0, 8.0],
    "keyscubic": [0.9567306, 1.57683, 2.8125, 5.265147, 8.173077],
    "mitchellcubic": [1.0152793, 1.6381125, 2.8958337, 5.2713203, 7.9388833],
}
FOUR = np.array([[1, 2, 4, 8]], "f").reshape(1, 1, 4, 1)

SAMPLES = [
    *rows_of("ResizeBilinear", "ResizeBilinearGrad", bilinear),
    *rows_of("ResizeNearestNeighbor", NEAREST, nearest),
    *rows_of("ResizeBicubic", "ResizeBicubicGrad", cubic),
    Sample("ResizeBilinear", [BYTES, size(3, 9)], {}, resized(bilinear), note="bytes"),
    Sample(
        "ResizeBilinear",
        [IMAGES, size(5, 4)],
        {},
        resized(bilinear),
        step=0.25,
        order=1,
        note="as it is",
    ),
    Sample(
        "ResizeBilinear",
        [RANDOM.rand(3, 40, 30, 20).astype("f"), size(60, 90)],
        HALVES,
        resized(bilinear, **HALVES),
        gradient=(),
        note="large",
    ),
    Sample(
        "ResizeBilinear",
        [RANDOM.rand(4, 90, 120, 3).astype("f"), size(120, 130)],
        {},
        resized(bilinear),
        gradient=(),
        note="threads",
    ),
    Sample("ResizeNearestNeighbor", [BYTES, size(3, 9)], {}, resized(nearest), note="bytes"),
    Sample(
        NEAREST,
        [np.arange(24, dtype="i4").reshape(1, 4, 6, 1), size(2, 2)],
        {},
        spread(nearest),
        note="integers",
    ),
    Sample("ResizeBicubic", [BYTES, size(3, 9)], {}, resized(cubic), note="bytes"),
    Sample(
        "ResizeBilinearGrad",
        [RANDOM.randn(1, 3, 300, 2).astype("f"), WIDE],
        {},
        spread(bilinear),
        note="many to one",
    ),
    Sample(
        "ResizeBilinearGrad",
        [RANDOM.randn(1, 90, 2, 2).astype("f"), RANDOM.rand(1, 2, 3, 2)],
        {},
        spread(bilinear),
        tolerance=1e-6,
        note="doubles",
    ),
    Sample("ResizeArea", [IMAGES, size(2, 7)], {}, resized(area)),
    Sample("ResizeArea", [IMAGES, size(3, 2)], CORNERS, resized(area, **CORNERS), note="corners"),
    Sample("ResizeArea", [WIDE, size(3, 1)], {}, resized(area), note="many to one"),
    Sample(
        "ScaleAndTranslate",
        [IMAGES, size(6, 4), *MOVE],
        TRIANGLE,
        resized(DOWN, ACROSS),
        gradient=[0],
        step=0.25,
        order=1,
    ),
    Sample(
        "ScaleAndTranslate",
        [IMAGES, size(6, 4), *MOVE],
        {**TRIANGLE, "antialias": False},
        resized(moved(1.4, 0.5, False), moved(0.6, -0.3, False)),
        gradient=(),
        note="narrow",
    ),
    *(
        Sample(
            "ScaleAndTranslate",
            [FOUR, size(1, 5), np.array([1, 1.25], "f"), np.zeros(2, "f")],
            {"kernel_type": kind},
            np.array(values, "f").reshape(1, 1, 5, 1),
            gradient=(),
            note=kind,
        )
        for kind, values in KERNELS.items()
    ),
    Sample(
        "ScaleAndTranslateGrad",
        [RANDOM.randn(2, 6, 4, 3).astype("f"), IMAGES, *MOVE],
        TRIANGLE,
        spread(DOWN, ACROSS),
    ),
]
