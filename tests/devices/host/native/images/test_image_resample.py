"""Interpolated and copied image lines, and their gradients, compared with NumPy's indexing."""

import numpy as np
import pytest

from tests.support import cases
from tfmini._src.devices.host.native.images import image_resample

SHAPES = [(1, 1, 1, 1), (2, 5, 7, 3), (3, 8, 6, 20), (1, 9, 40, 1), (2, 3, 4, 8)]


def between(rng, size, count):
    lower = np.sort(rng.integers(0, size, count)).astype(np.int32)
    return lower, np.minimum(lower + 1, size - 1), rng.random(count).astype("f")


@pytest.fixture(params=[1, 3], autouse=True)
def threads(request, monkeypatch):
    monkeypatch.setattr(image_resample, "thread_count", lambda: request.param)
    monkeypatch.setattr(image_resample, "_MIN_PARALLEL_ELEMENTS", 1)


@np.errstate(all="ignore")
@pytest.mark.parametrize("dtype", ["f", "u1", "d", "i2"])
def test_bilinear_matches_numpy(build, dtype):
    rng = np.random.default_rng(0)
    for shape in SHAPES:
        images = (rng.random(shape) * 200).astype(dtype)
        if dtype == "f":
            images[0, 0, 0, 0] = rng.choice([np.nan, np.inf])
        rows, columns = between(rng, shape[1], 11), between(rng, shape[2], 13)
        result = np.empty((shape[0], 11, 13, shape[3]), "f")
        assert image_resample.interpolate_images(images, rows, columns, result)
        wide = images.astype("f")
        left, right = wide[:, :, columns[0]], wide[:, :, columns[1]]
        wide = left + (right - left) * columns[2][:, None]
        top, bottom = wide[:, rows[0]], wide[:, rows[1]]
        expected = top + (bottom - top) * rows[2][:, None, None]
        np.testing.assert_allclose(result, expected, rtol=1e-6, atol=1e-5)


@cases.in_one_test
@pytest.mark.parametrize("dtype", ["u1", "f", "d", "F", "V3"])
def test_nearest_copies_pixels(build, dtype):
    rng = np.random.default_rng(1)
    for shape in SHAPES:
        size = np.dtype(dtype).itemsize
        images = np.frombuffer(rng.bytes(int(np.prod(shape)) * size), f"V{size}").reshape(shape)
        rows = np.sort(rng.integers(0, shape[1], 14)).astype(np.int32)
        columns = rng.integers(0, shape[2], 9).astype(np.int32)
        result = np.empty((shape[0], 14, 9, shape[3]), dtype)
        assert image_resample.nearest(images.view(dtype), rows, columns, result)
        assert result.tobytes() == images[:, rows][:, :, columns].tobytes()


@cases.in_one_test
@pytest.mark.parametrize("dtype", ["f", "d"])
@pytest.mark.parametrize("terms", [1, 2, 9])
def test_gradients_are_scattered(build, dtype, terms):
    rng = np.random.default_rng(terms)
    for batch, height, width, depth in SHAPES:
        grad = rng.standard_normal((batch, 6, 10, depth)).astype(dtype)
        lines = []
        for size, count in ((height, 6), (width, 10)):
            indices = rng.integers(0, size, (terms, count)).astype(np.int32)
            lines.append((indices, rng.random((terms, count)).astype("f")))
        got = image_resample.scatter_gradient(grad, *lines, (height, width))
        matrices = []
        for (indices, weights), size in zip(lines, (height, width)):
            matrix = np.zeros((indices.shape[1], size))
            for each, share in zip(indices, weights):
                np.add.at(matrix, (np.arange(len(each)), each), share)
            matrices.append(matrix)
        expected = np.einsum("brcd,rh,cw->bhwd", grad.astype("d"), *matrices)
        assert got.dtype == dtype
        np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-5)


def test_unsupported_inputs_fall_back_to_numpy(build):
    one, grad = np.zeros((1, 2), np.int32), np.ones((1, 2, 2, 3), "f")
    lines = one, np.ones((1, 2), "f")
    assert image_resample.scatter_gradient(grad.astype(np.float16), lines, lines, (2, 2)) is None
    assert image_resample.scatter_gradient(grad[..., ::2], lines, lines, (2, 2)) is None
    assert image_resample.scatter_gradient(grad[:0], lines, lines, (2, 2)) is None
    assert not image_resample.nearest(grad[:0], one[0], one[0], np.empty((0, 2, 2, 3), "f"))
    assert not image_resample.nearest(grad[..., ::2], one[0], one[0], np.empty((1, 2, 2, 2), "f"))
    assert not image_resample.interpolate_images(grad[:0], (one[0],) * 3, (one[0],) * 3, grad[:0])


@cases.in_one_test
@pytest.mark.parametrize("dtype", ["f", "u1", "d", "i8"])
@pytest.mark.parametrize("terms", [1, 3, 9])
def test_weighted_line_sums_match_numpy(build, dtype, terms):
    rng = np.random.default_rng(terms)
    for shape in SHAPES:
        images = (rng.random(shape) * 200).astype(dtype)
        rows, columns = (
            (
                rng.integers(0, shape[axis], (terms, count)).astype(np.int32),
                rng.standard_normal((terms, count)).astype("f"),
            )
            for axis, count in ((1, 11), (2, 13))
        )
        result = np.empty((shape[0], 11, 13, shape[3]), "f")
        assert image_resample.resample_images(images, rows, columns, result)
        wide = np.einsum("bthwd,th->bhwd", images.astype("d")[:, rows[0]], rows[1])
        wide = np.einsum("bhtwd,tw->bhwd", wide[:, :, columns[0]], columns[1])
        np.testing.assert_allclose(result, wide, rtol=1e-5, atol=1e-3)
    assert not image_resample.resample_images(images[:0], rows, columns, result[:0])
