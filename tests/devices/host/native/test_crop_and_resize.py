"""Crops between pixels against numpy's path: boxes that leave the image, upside down, NaN, infinities, one pixel."""

import numpy as np
import pytest

from tfmini import dtypes
from tfmini._src.devices.host.native import crop_and_resize
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


@np.errstate(all="ignore")
@pytest.mark.parametrize("threads", [1, 3])
def test_crops(build, use_build, monkeypatch, threads):
    monkeypatch.setattr(crop_and_resize, "thread_count", lambda: threads)
    monkeypatch.setattr(crop_and_resize, "_PARALLEL", 1)
    found = []
    for name in (build, "0"):
        use_build(name)
        kernel = cropping.crop_and_resize_op.kernel
        given = [{"method": each, "extrapolation_value": 0.25} for each in ("bilinear", "nearest")]
        found.append([kernel(np, *each, **attrs) for each in draws() for attrs in given])
    for ours, numpys in zip(*found):
        np.testing.assert_array_equal(ours, numpys)
        assert ours.dtype == np.float32


@np.errstate(all="ignore")
@pytest.mark.parametrize("threads", [1, 3])
def test_gradients_of_images(build, use_build, monkeypatch, threads):
    monkeypatch.setattr(crop_and_resize, "thread_count", lambda: threads)
    monkeypatch.setattr(crop_and_resize, "_PARALLEL", 1)
    found = []
    kernel = cropping.crop_and_resize_grad_image_op.kernel
    for name in (build, "0"):
        use_build(name)
        results = []
        for images, boxes, numbers, size in draws():
            shape = (len(boxes), *size, images.shape[3])
            grads = np.random.default_rng(0).standard_normal(shape).astype("f")
            for dtype in (dtypes.float16, dtypes.float32, dtypes.float64):
                given = grads, boxes, numbers, np.array(images.shape, "i")
                results.append(kernel(np, *given, T=dtype, method="bilinear"))
        found.append(results)
    for ours, numpys in zip(*found):
        assert ours.dtype == numpys.dtype
        near = 2e-2 if ours.dtype == np.float16 else 1e-4
        np.testing.assert_allclose(ours, numpys, rtol=near, atol=near)


def test_what_does_not_suit_is_left_to_numpy(build, use_build):
    at = np.zeros((1, 2), np.intp), np.zeros((1, 2), np.intp)
    lines = (*at, np.zeros((1, 2), "f"), np.ones((1, 2), bool))
    images, numbers, result = np.ones((1, 2, 2, 4), "f"), np.zeros(1, "i"), np.empty((1, 2, 2, 4))
    result = result.astype("f")
    assert crop_and_resize.cropped(images, numbers, lines, lines, 0.0, result)
    np.testing.assert_array_equal(result, 1)
    assert not crop_and_resize.cropped(images[..., ::2], numbers, lines, lines, 0.0, result)
    assert not crop_and_resize.cropped(images.astype("d"), numbers, lines, lines, 0.0, result)
    assert not crop_and_resize.cropped(images, numbers, lines, lines, 0.0, result[:0])
    assert not crop_and_resize.spread_back(result, numbers, lines, lines, images.astype(np.float16))
    assert not crop_and_resize.spread_back(result.astype("d"), numbers, lines, lines, images)
    use_build("0")
    assert not crop_and_resize.spread_back(result, numbers, lines, lines, images)
    assert not crop_and_resize.cropped(images, numbers, lines, lines, 0.0, result)
