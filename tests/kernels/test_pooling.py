"""Pooling kernels compared with the CPU, which uses the same windows and rules."""

import numpy as np
import pytest

from tests.kernels.device import xp
from tests.support import cases
from tfmini._src.devices.cuda import pooling
from tfmini._src.devices.numpy.windows import pooling as on_cpu
from tfmini._src.devices.numpy.windows.axes import Axis

# For [2, sizes ..., 3]: LeNet's, overlapping with zero padding, a single window, over one axis and over three.
WINDOWS = {
    "halves": (Axis(6, 2, 2, 1, 0, 0, 3), Axis(4, 2, 2, 1, 0, 0, 2)),
    "overlapping": (Axis(7, 3, 2, 1, 1, 1, 4), Axis(5, 3, 1, 1, 1, 1, 5)),
    "apart": (Axis(9, 2, 4, 1, 0, 0, 3), Axis(5, 1, 2, 1, 0, 0, 3)),
    "whole": (Axis(5, 5, 1, 1, 0, 0, 1), Axis(3, 3, 1, 1, 0, 0, 1)),
    "one axis": (Axis(8, 3, 2, 1, 0, 1, 4),),
    "three axes": (Axis(3, 2, 1, 1, 0, 1, 3), Axis(4, 2, 2, 1, 0, 0, 2), Axis(5, 3, 2, 1, 1, 1, 3)),
}
EVERY = pytest.mark.parametrize("windows", WINDOWS)
FLOATS = pytest.mark.parametrize("dtype", ["e", "f", "d"])


def drawn(axes, dtype, of_input=True, seed=0):
    """Random integers with many ties."""
    sizes = [axis.size if of_input else axis.count for axis in axes]
    return xp.asarray(np.random.RandomState(seed).randint(-4, 5, (2, *sizes, 3)), dtype)


def with_odd_numbers(x):
    x[0, 0, ..., 1] = np.nan
    x[1, ..., 2] = -np.inf
    return x


@cases.in_one_test
@FLOATS
@EVERY
def test_max_pool(order, windows, dtype):
    axes = WINDOWS[windows]
    x = with_odd_numbers(drawn(axes, dtype))
    lowest = np.finfo(dtype).min
    result = pooling.max_pooled(xp, x, axes, lowest)
    np.testing.assert_array_equal(result, on_cpu.max_pooled(np, np.asarray(x), *axes))
    assert result.dtype == dtype


@cases.in_one_test
@FLOATS
@EVERY
def test_max_pool_gradient(order, windows, dtype):
    axes = WINDOWS[windows]
    x, grad = with_odd_numbers(drawn(axes, dtype)), drawn(axes, dtype, False, 1)
    actual = pooling.max_gradient(xp, x, grad, axes)
    want = on_cpu.max_gradient(np, np.asarray(x), np.asarray(grad), *axes)
    np.testing.assert_array_equal(actual, want)


@cases.in_one_test
@FLOATS
@EVERY
def test_average_pool_and_gradient(order, windows, dtype):
    axes = WINDOWS[windows]
    x, grad = drawn(axes, dtype), drawn(axes, dtype, False, 1)
    room = {"rtol": 1e-3, "atol": 2e-3} if dtype == "e" else {"rtol": 1e-6, "atol": 1e-6}
    result = pooling.average_pooled(xp, x, axes)
    np.testing.assert_allclose(result, on_cpu.average_pooled(np, np.asarray(x), *axes), **room)
    result = pooling.average_gradient(xp, grad, axes)
    np.testing.assert_allclose(result, on_cpu.average_gradient(np, np.asarray(grad), *axes), **room)


@EVERY
def test_gradients_match_finite_differences(windows):
    """With distinct numbers, so that small perturbations move no maximum."""
    axes = WINDOWS[windows]
    x = drawn(axes, "d")
    x[...] = np.random.RandomState(2).permutation(x.size).reshape(x.shape)
    grad, change = drawn(axes, "d", False, 1), drawn(axes, "d", True, 3)
    for pool, gradient in (
        (
            lambda x: pooling.max_pooled(xp, x, axes, -1e9),
            pooling.max_gradient(xp, x, grad, axes),
        ),
        (lambda x: pooling.average_pooled(xp, x, axes), pooling.average_gradient(xp, grad, axes)),
    ):
        ends = [(pool(x + side * change) * grad).sum() for side in (1e-4, -1e-4)]
        np.testing.assert_allclose((gradient * change).sum(), (ends[0] - ends[1]) / 2e-4, rtol=1e-6)


def test_supported_inputs():
    axes = WINDOWS["halves"]
    assert pooling.is_supported(drawn(axes, "f"), axes)
    assert not pooling.is_supported(drawn(axes, "i"), axes)
    assert not pooling.is_supported(drawn(axes, "f"), axes * 2)
    assert not pooling.is_supported(drawn(axes, "f"), (Axis(6, 2, 2, 2, 0, 0, 2),))
