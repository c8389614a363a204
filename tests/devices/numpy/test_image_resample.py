"""Interpolation by contiguous rows and by gathered rows yields equal numbers, checked by Python loops."""

import numpy as np
import pytest

import tfmini as tf
from tests.devices.numpy.windows.loops import Nothing
from tests.support import cases
from tfmini._src.devices.numpy import image_resample
from tfmini._src.devices.numpy.image_resample import Interpolation, Lines


def line(image, at, axis, count):
    """Interpolated line `at` of an image axis resized to `count`."""
    size = image.shape[axis]
    position = np.float32(at) * np.float32(size / count)
    low = int(position)
    share = position - np.float32(low)
    start, end = (image.take(min(n, size - 1), axis) for n in (low, low + 1))
    return start + (end - start) * share


@pytest.mark.parametrize("dtype", ["f", "u1"])
@pytest.mark.parametrize("sizes", [(60, 61), (128, 100), (20, 64), (64, 200)])
def test_bilinear(sizes, dtype):
    image = (np.random.RandomState(1).rand(64, 64, 3) * 255).astype(dtype)
    with tf.Graph().as_default(), tf.Session() as session:
        got = session.run(tf.image.resize_bilinear(image[None], sizes))[0]
    wide = image.astype("f")
    wide = np.stack([line(wide, n, 1, sizes[1]) for n in range(sizes[1])], 1)
    expected = np.stack([line(wide, n, 0, sizes[0]) for n in range(sizes[0])], 0)
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-4)


@pytest.fixture(params=["one", "images", "threads"])
def plain(request, monkeypatch):
    """NumPy only: all images at once, one image at a time, and on threads."""
    nothing = Nothing()
    for name in ("interpolate_images", "resample_images", "nearest"):
        setattr(nothing, name, lambda *arguments: False)
    monkeypatch.setattr(image_resample, "native", nothing)
    if request.param != "one":
        monkeypatch.setattr(image_resample, "_MIN_PARALLEL_ELEMENTS", 1)
        count = 2 if request.param == "threads" else 1
        monkeypatch.setattr(image_resample, "thread_count", lambda: count)


def between_of(random, size, count, ordered):
    """Source lines of result lines: adjacent, or anywhere."""
    lower = np.arange(count) % size if ordered else random.randint(0, size, count)
    upper = np.minimum(lower + 1, size - 1)
    return Interpolation(size, lower, upper, random.rand(count).astype("f"))


@cases.in_one_test
@pytest.mark.parametrize("depth", [1, 3, 8, 9])
@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("sizes", [(5, 6, 12, 20), (20, 7, 2, 3), (1, 1, 4, 4), (6, 6, 6, 6)])
@pytest.mark.parametrize("dtype", ["f", "u1", "d"])
def test_bilinear_interpolation(plain, depth, ordered, sizes, dtype):
    random = np.random.RandomState(4)
    height, width, rows, columns = sizes
    images = (random.rand(3, height, width, depth) * 255).astype(dtype)
    down, across = (
        between_of(random, height, rows, ordered),
        between_of(random, width, columns, ordered),
    )
    result = image_resample.empty(np, images, (rows, columns))
    assert image_resample.interpolate(np, images, down, across, result) is result
    x = images.astype("d")
    share = across.weight.astype("d")[:, None]
    wide = x[:, :, across.lower] * (1 - share) + x[:, :, across.upper] * share
    share = down.weight.astype("d")[:, None, None]
    expected = wide[:, down.lower] * (1 - share) + wide[:, down.upper] * share
    np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-3)
    grad = random.rand(*result.shape).astype("f")
    actual = image_resample.scatter_gradient(np, grad, down.lines, across.lines, np.dtype("f"))
    np.testing.assert_allclose(actual, spread(grad, down.lines, across.lines), rtol=1e-4, atol=1e-4)


def matrix(lines):
    result = np.zeros((lines.count, lines.size))
    for indices, weights in zip(lines.indices, lines.weights):
        for i, (at, weight) in enumerate(zip(indices, weights)):
            result[i, at] += weight
    return result


def spread(grad, rows, columns):
    return np.einsum("nrcd,rh,cw->nhwd", grad.astype("d"), matrix(rows), matrix(columns))


def lines_of(random, size, count, terms):
    weights = random.rand(terms, count).astype("f")
    return Lines(size, random.randint(0, size, (terms, count)), weights)


@cases.in_one_test
@pytest.mark.parametrize("terms", [(1, 1), (4, 2), (25, 3), (3, 30), (26, 26)])
@pytest.mark.parametrize("depth", [2, 9])
def test_weighted_sum_interpolation(plain, terms, depth):
    random = np.random.RandomState(5)
    images = random.rand(2, 6, 7, depth).astype("f")
    rows, columns = lines_of(random, 6, 5, terms[0]), lines_of(random, 7, 9, terms[1])
    result = image_resample.empty(np, images, (5, 9))
    image_resample.resample(np, images, rows, columns, result)
    expected = np.einsum("nhwd,rh,cw->nrcd", images, matrix(rows), matrix(columns))
    np.testing.assert_allclose(result, expected, rtol=1e-4)
    grad = random.rand(*result.shape).astype("f")
    for dtype in ("f", "d"):
        actual = image_resample.scatter_gradient(np, grad, rows, columns, np.dtype(dtype))
        assert actual.dtype == dtype
        np.testing.assert_allclose(actual, spread(grad, rows, columns), rtol=1e-4)


def test_nearest_interpolation(plain):
    images = np.arange(2 * 4 * 5 * 3).reshape(2, 4, 5, 3)
    rows, columns = np.array([3, 0, 0, 2]), np.array([4, 1])
    result = np.empty((2, 4, 2, 3), images.dtype)
    image_resample.nearest(np, images, rows, columns, result)
    np.testing.assert_array_equal(result, images[:, rows][:, :, columns])


def test_groups_contain_distinct_indices():
    for indices in ([], [3], [1, 1, 1], [2, 0, 2, 1, 0, 2], list(range(9))):
        groups = image_resample._group_distinct(np.array(indices, int))
        assert sorted(np.concatenate([[], *groups]).astype(int)) == list(range(len(indices)))
        for group in groups:
            chosen = [indices[position] for position in group]
            assert len(set(chosen)) == len(chosen) and sorted(group) == list(group)
        assert len(groups) == max([indices.count(i) for i in indices], default=0)
