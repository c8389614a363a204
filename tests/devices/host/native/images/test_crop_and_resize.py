"""Crops with interpolation against NumPy: boxes beyond the image, flipped, with NaN or infinities, or of one pixel."""

import numpy as np
import pytest

from tfmini import dtypes
from tfmini._src.devices.host.native.images import crop_and_resize
from tfmini._src.ops.image import crop_and_resize as cropping


def draws():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        height, width, depth = (int(n) for n in rng.choice([1, 2, 3, 5, 9, 17], 3))
        dtype = rng.choice([np.float32, np.uint8])
        images = (rng.random((3, height, width, depth)) * 255).astype(dtype)
        if dtype == np.float32:
            images[rng.random(images.shape) < 0.1] = rng.choice([np.nan, np.inf, -np.inf, -0.0])
        count = int(rng.choice([0, 1, 5]))
        boxes = (rng.random((count, 4)) * 1.4 - 0.2).astype("f")
        boxes[rng.random(boxes.shape) < 0.1] = rng.choice([np.nan, np.inf, 0, 1, -1e30])
        numbers = rng.integers(0, 3, count).astype("i")
        size = rng.choice([1, 2, 7, 12], 2).astype("i")
        yield images, boxes, numbers, size


@pytest.fixture(params=[1, 3])
def by_both(request, build, use_build, monkeypatch):
    """`by_both(results)`: pairs of results by a build, on several threads, and by NumPy."""
    monkeypatch.setattr(crop_and_resize, "thread_count", lambda: request.param)
    monkeypatch.setattr(crop_and_resize, "_MIN_PARALLEL_ELEMENTS", 1)

    def pairs(results):
        found = []
        for name in (build, "0"):
            use_build(name)
            with np.errstate(all="ignore"):
                found.append(list(results()))
        assert [each.dtype for each in found[0]] == [each.dtype for each in found[1]]
        return zip(*found)

    return pairs


def gradients(boxes, size, images):
    shape = (len(boxes), *size, images.shape[3])
    return np.random.default_rng(0).standard_normal(shape).astype("f")


def test_crops_match_numpy(by_both):
    kernel = cropping.crop_and_resize_op.kernel
    inputs = [{"method": each, "extrapolation_value": 0.25} for each in ("bilinear", "nearest")]
    for actual, expected in by_both(lambda: (kernel(np, *d, **a) for d in draws() for a in inputs)):
        np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("method", ["bilinear", "nearest"])
def test_image_gradients_match_numpy(by_both, method):
    kernel = cropping.crop_and_resize_grad_image_op.kernel

    def results():
        for images, boxes, numbers, size in draws():
            inputs = gradients(boxes, size, images), boxes, numbers, np.array(images.shape, "i")
            for dtype in (dtypes.float16, dtypes.float32, dtypes.float64):
                yield kernel(np, *inputs, T=dtype, method=method)

    for actual, expected in by_both(results):
        near = 2e-2 if actual.dtype == np.float16 else 1e-4
        np.testing.assert_allclose(actual, expected, rtol=near, atol=near)


def test_box_gradients_match_numpy(by_both):
    kernel = cropping.crop_and_resize_grad_boxes_op.kernel

    def results():
        for images, boxes, numbers, size in draws():
            images = np.nan_to_num(images, posinf=2, neginf=-2)
            yield kernel(np, gradients(boxes, size, images), images, boxes, numbers)

    for actual, expected in by_both(results):
        np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-2)


def test_unsupported_inputs_fall_back_to_numpy(build, use_build):
    images, numbers, kind = np.ones((1, 2, 2, 4), "f"), np.zeros(1, "i"), np.dtype("f")
    boxes = np.array([[0, 0, 1, 1]], "f")
    result = crop_and_resize.crop_boxes(images, boxes, numbers, (2, 2), 0.0)
    np.testing.assert_array_equal(result, images)
    for value in (
        (images[..., ::2], numbers),
        (images.astype("d"), numbers),
        (images, numbers + 1),
    ):
        assert crop_and_resize.crop_boxes(value[0], boxes, value[1], (2, 2), 0.0) is None
        assert (
            crop_and_resize.scatter_gradient(value[0], boxes, value[1], (1, 2, 2, 4), kind) is None
        )
        assert crop_and_resize.box_gradients(images, value[0], boxes, value[1]) is None
    use_build("0")
    assert crop_and_resize.crop_boxes(images, boxes, numbers, (2, 2), 0.0) is None
    assert crop_and_resize.scatter_gradient(images, boxes, numbers, images.shape, kind) is None
