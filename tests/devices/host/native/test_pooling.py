"""Pooling and its gradients compared with loops over windows: zero sizes, NaN, infinities, threads."""

import itertools

import numpy as np
import pytest

from tfmini._src.devices.host.native import pooling
from tfmini._src.devices.numpy.windows.axes import Axis

NUMBERS = (np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-40)


def axis_of(rng):
    size, kernel, stride, before = (
        int(rng.integers(*span)) for span in ((1, 9), (1, 4), (1, 4), (0, 2))
    )
    kernel = min(kernel, size)
    before = min(before, kernel - 1)
    count = (before + size - kernel) // stride + 1
    return Axis(size, kernel, stride, 1, before, 0, count)


def windows_of(axes):
    """(window, positions of its elements inside the image) of each window, in order."""
    for window in itertools.product(*(range(axis.count) for axis in axes)):
        spans = []
        for index, axis in zip(window, axes):
            start = index * axis.stride - axis.before
            spans.append(range(max(start, 0), min(start + axis.kernel, axis.size)))
        yield window, list(itertools.product(*spans))


def draws():
    for seed in range(30):
        rng = np.random.default_rng(seed)
        axes = tuple(axis_of(rng) for _ in range(int(rng.integers(1, 3))))
        dtype = rng.choice([np.float32, np.float64])
        batch, depth = int(rng.integers(1, 5)), int(rng.choice([1, 3, 16, 20, 131]))
        x = rng.standard_normal((batch, *(axis.size for axis in axes), depth)).astype(dtype)
        x[rng.random(x.shape) < 0.1] = rng.choice(NUMBERS)
        grad = rng.standard_normal((batch, *(axis.count for axis in axes), depth)).astype(dtype)
        yield axes, x, grad


@np.errstate(all="ignore")
@pytest.mark.parametrize("threads", [1, 3])
def test_pooling_and_gradients_match_numpy(build, monkeypatch, threads):
    monkeypatch.setattr(pooling, "thread_count", lambda: threads)
    monkeypatch.setattr(pooling, "_MIN_PARALLEL_ELEMENTS", 1)
    for axes, x, grad in draws():
        most, mean = np.empty_like(grad), np.empty_like(grad)
        largest, index = np.empty_like(grad), np.empty(grad.shape, int)
        of_most, of_mean = np.zeros_like(x), np.zeros_like(x)
        lowest = np.finfo(x.dtype).min
        images = np.arange(len(x))[:, None]
        depths = np.arange(x.shape[-1])
        for window, positions in windows_of(axes):
            at = (slice(None), *window)
            elements = np.stack([x[(slice(None), *position)] for position in positions])
            most[at] = np.fmax.reduce([np.full(elements[0].shape, lowest), *elements])
            mean[at] = elements.sum(0) / len(positions)
            first, best = np.zeros(elements[0].shape, int), elements[0].copy()
            for i, each in enumerate(elements):
                first[best < each] = i
                best = np.where(best < each, each, best)
            chosen = np.array(positions)[first]  # [batch, depth, axis]
            flat = np.ravel_multi_index(tuple(np.moveaxis(chosen, -1, 0)), x.shape[1:-1])
            largest[at], index[at] = best, flat * x.shape[-1] + depths
            np.add.at(of_most, (images, *np.moveaxis(chosen, -1, 0), depths), grad[at])
            for position in positions:
                of_mean[(slice(None), *position)] += grad[at] / len(positions)
        np.testing.assert_array_equal(pooling.max_pooled(x, axes, lowest), most)
        offsets = images.reshape(-1, *[1] * (x.ndim - 1)) * x[0].size
        for in_batch in (False, True):
            result = pooling.max_with_indices(x, axes, in_batch)
            np.testing.assert_array_equal(result[0], largest)
            np.testing.assert_array_equal(result[1], index + offsets * in_batch)
        near = {"rtol": 1e-5, "atol": 1e-5}
        np.testing.assert_allclose(pooling.average_pooled(x, axes), mean, **near)
        np.testing.assert_allclose(pooling.max_gradient(x, grad, axes), of_most, **near)
        np.testing.assert_allclose(pooling.average_gradient(grad, axes), of_mean, **near)
        rectified = pooling.max_gradient(x, grad, axes, rectified=True)
        np.testing.assert_allclose(rectified, np.where(x > 0, of_most, 0), **near)


def test_nan_gradient_propagates_through_relu(build):
    axes = (Axis(4, 2, 2, 1, 0, 0, 2),)
    x = np.array([1, 2, 0, 0], "f").reshape(1, 4, 1)
    grad = np.array([np.nan, np.inf], "f").reshape(1, 2, 1)
    result = pooling.max_gradient(x, grad, axes, rectified=True).ravel()
    np.testing.assert_array_equal(result, [0, np.nan, np.nan, 0])  # as inf * 0


def test_unsupported_inputs_fall_back_to_numpy(build):
    axes = (Axis(6, 2, 2, 1, 0, 0, 3),) * 2
    x = np.ones((2, 6, 6, 4), "f")
    assert pooling.max_pooled(x, axes, 0.0).shape == (2, 3, 3, 4)
    assert pooling.max_pooled(x[..., ::2], axes, 0.0) is None
    assert pooling.max_pooled(x.astype(np.float16), axes, 0.0) is None
    assert pooling.max_pooled(x[:0], axes, 0.0) is None
    assert pooling.average_pooled(x, (*axes, axes[0])) is None
    assert pooling.average_pooled(x, (Axis(6, 2, 2, 2, 0, 0, 2),) * 2) is None
    assert pooling.max_gradient(x, np.ones((2, 3, 3, 4)), axes) is None
    assert pooling.average_gradient(np.ones((0, 3, 3, 4), "f"), axes) is None
