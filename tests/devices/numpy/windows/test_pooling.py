"""NumPy pooling compared with loops over windows: integers and floats, in blocks and on threads."""

import numpy as np
import pytest

from tests.devices.numpy.windows.loops import Nothing, axis_of, every, images, results, windows_of
from tfmini._src.devices.numpy.windows import pooling

DTYPES = [np.float64, np.float32, np.float16, np.int32, np.int8, np.uint8]


@pytest.fixture(params=["whole", "blocks"])
def plain(request, monkeypatch):
    """Pooling by NumPy only, all images at once or one at a time on threads."""
    monkeypatch.setattr(pooling, "native", Nothing())
    if request.param == "blocks":
        monkeypatch.setattr(pooling, "_BLOCK", 1)
        monkeypatch.setattr(pooling, "_MIN_PARALLEL_ELEMENTS", 1)
        monkeypatch.setattr(pooling, "thread_count", lambda: 2)


def draws(dtype=np.float64, dimensions=2):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        axes = []
        while len(axes) < dimensions:
            axis = axis_of(rng, dilated=False)
            inside = [found for _, found in windows_of([axis])]
            if all(inside):  # as in pooling
                axes.append(axis)
        yield rng, axes, images(rng, axes, 3, dtype, count=3)


@pytest.mark.parametrize("dimensions", [2, 3])
@pytest.mark.parametrize("dtype", DTYPES)
def test_max_pool(plain, dtype, dimensions):
    for _, axes, x in draws(dtype, dimensions):
        result = pooling.max_pooled(np, x, *axes)
        assert result.dtype == dtype
        for window, positions in windows_of(axes):
            elements = [x[every(at)] for _, at in positions]
            np.testing.assert_array_equal(result[every(window)], np.max(elements, 0))
        limited = pooling.max_pooled(np, x, *axes, lowest=1)
        np.testing.assert_array_equal(limited, np.maximum(result, dtype(1)))


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
def test_max_pool_of_nan(plain, dtype):
    for _, axes, x in draws(dtype):
        x[0] = np.nan
        x[1, ..., 0] = -np.inf
        x[2] = np.where(x[2] > 0, np.nan, x[2])
        actual = pooling.max_pooled(np, x, *axes)
        least = np.finfo(dtype).min
        assert (actual[0] == least).all() and (actual[1, ..., 0] == least).all()
        for window, positions in windows_of(axes):
            elements = [x[2][at] for _, at in positions]
            expected = np.fmax.reduce([np.full(3, least), *elements])
            np.testing.assert_array_equal(actual[2][window], expected)


@pytest.mark.parametrize("dimensions", [2, 3])
def test_average_pool_and_gradient(plain, dimensions):
    for rng, axes, x in draws(np.float64, dimensions):
        grad = results(rng, axes, 3, count=3)
        actual = pooling.average_pooled(np, x, *axes)
        spread = pooling.average_gradient(np, grad, *axes)
        expected = np.zeros(x.shape)
        for window, positions in windows_of(axes):
            elements = [x[every(at)] for _, at in positions]
            np.testing.assert_allclose(actual[every(window)], np.mean(elements, 0), atol=1e-12)
            for _, at in positions:
                expected[every(at)] += grad[every(window)] / len(positions)
        np.testing.assert_allclose(spread, expected, atol=1e-12)


def first_largest(x, places):
    """The index of the first maximum, by image and channel."""
    return np.argmax([x[every(at)] for _, at in places], 0)


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int32])
@pytest.mark.parametrize("rectified", [False, True])
def test_max_gradient_goes_to_first_maximum(plain, kind, rectified):
    for rng, axes, x in draws(kind):
        grad = results(rng, axes, 3, np.float64, count=3)
        grad.flat[0] = np.inf
        with np.errstate(invalid="ignore"):
            actual = pooling.max_gradient(np, x, grad, *axes, rectified=rectified)
        expected = np.zeros(x.shape)
        for window, positions in windows_of(axes):
            chosen = first_largest(x, positions)
            for i, (_, at) in enumerate(positions):
                expected[every(at)] += np.where(chosen == i, grad[every(window)], 0)
        if rectified:
            with np.errstate(invalid="ignore"):
                expected = expected * (x > 0)
        np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("kind", [np.float64, np.int32, "nan"])
def test_max_pool_argmax(plain, kind):
    for _, axes, x in draws(np.float64 if kind == "nan" else kind):
        if kind == "nan":  # not in a window's first position, which nothing then exceeds
            x[0, -1, -1] = np.nan
            if any(axis.count * axis.kernel == 1 for axis in axes):
                continue
        inputs = np.arange(float(x.size)).reshape(x.shape)
        pooled = pooling.max_pooled(np, x, *axes)
        second = pooling.second_gradient_of_equals(np, x, pooled, inputs, *axes)
        places_of = pooling.largest_indices(np, x, *axes)
        assert places_of.dtype == np.int64
        numbers = np.arange(x[0].size).reshape(x[0].shape)
        for window, positions in windows_of(axes):
            values = np.array([x[every(at)] for _, at in positions])
            if np.isnan(values.astype("d")).any():
                continue
            chosen = first_largest(x, positions)
            for image in range(len(x)):
                for channel in range(3):
                    _, at = positions[chosen[image, channel]]
                    assert second[(image, *window, channel)] == inputs[(image, *at, channel)]
                    assert places_of[(image, *window, channel)] == numbers[(*at, channel)]


def test_gradients_of_all_equal_maxima():
    for rng, axes, x in draws():
        pooled = pooling.max_pooled(np, x, *axes)
        grad, other = results(rng, axes, 3, count=3), images(rng, axes, 3, count=3)
        actual = pooling.gradient_of_equals(np, x + 1e-6, pooled, grad, *axes)
        second = pooling.second_gradient_of_equals(np, x, pooled, other, *axes)
        apart = pooling.second_gradient_of_equals(np, x + 0.5, pooled, other, *axes)
        assert (apart == 0).all()
        expected = np.zeros(x.shape)
        for window, positions in windows_of(axes):
            first = np.zeros((3, 3))
            for _, at in reversed(positions):
                hit = x[every(at)] == pooled[every(window)]
                expected[every(at)] += np.where(hit, grad[every(window)], 0)
                first = np.where(hit, other[every(at)], first)
            np.testing.assert_array_equal(second[every(window)], first)
        np.testing.assert_array_equal(actual, expected)
        far = pooling.gradient_of_equals(np, x + 1e-4, pooled, grad, *axes)
        assert (far == 0).all()


def test_empty_batch(plain):
    for rng, axes, x in draws():
        shape = results(rng, axes, 3, count=0).shape
        assert pooling.max_pooled(np, x[:0], *axes).shape == shape
        assert pooling.average_pooled(np, x[:0], *axes).shape == shape
        grad = np.zeros(shape)
        assert pooling.max_gradient(np, x[:0], grad, *axes).shape == (0, *x.shape[1:])
        second = pooling.second_gradient_of_equals(np, x[:0], grad, x[:0], *axes)
        assert second.shape == shape
