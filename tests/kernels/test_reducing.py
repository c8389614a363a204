"""Biases, sums, argmax and argmin, compared with NumPy."""

import numpy as np
import pytest

from tests.kernels.device import xp
from tests.support import cases
from tests.support.cuda_on_cpu import running_in
from tfmini._src.devices.cuda import reductions

NUMBERS = ["float32", "float64", "int32", "int64"]
SHAPES = [(1, 1), (9, 3), (5, 33), (3, 257), (2, 2100), (2, 3, 40), (3, 0)]


def drawn(shape, dtype, seed=0):
    return xp.asarray(np.random.RandomState(seed).randn(*shape) * 9, dtype)


@cases.in_one_test
@pytest.mark.parametrize("rectify", [False, True])
@pytest.mark.parametrize("dtype", ["float16", *NUMBERS])
def test_bias_add(order, dtype, rectify):
    for shape, first in (((7, 5), False), ((2, 3, 4, 5), False), ((2, 5, 3, 4), True)):
        x, bias = drawn(shape, dtype), drawn((5,), dtype, 1)
        actual = reductions.bias_add(xp, x, bias, first, rectify)
        expected = x + (bias.reshape(-1, 1, 1) if first else bias)
        np.testing.assert_array_equal(actual, np.maximum(expected, 0) if rectify else expected)
        assert actual.dtype == dtype


def test_relu_propagates_nan():
    x = xp.asarray([[np.nan, -1.0, 1.0]], "f")
    result = reductions.bias_add(xp, x, xp.asarray(np.zeros(3), "f"), rectify=True)
    np.testing.assert_array_equal(result, [[np.nan, 0, 1]])


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_relu_gradient(order, dtype):
    gradient, x = drawn((3, 1000), dtype), drawn((3, 1000), dtype, 1)
    x[0, 0] = 0
    result = reductions.relu_gradient(xp, gradient, x)
    np.testing.assert_array_equal(result, np.where(x > 0, gradient, 0))


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("shape", [(7, 5), (2, 3, 4, 5), (1500, 40), (1, 1), (4, 0)])
def test_bias_gradient(dtype, shape):
    gradient = drawn(shape, dtype)
    actual = reductions.bias_gradient(xp, gradient)
    expected = gradient.sum(tuple(range(len(shape) - 1)), dtype="d")
    # Relative to the summands, which may cancel.
    tolerance = (1e-6 if dtype == "float32" else 1e-15) * np.abs(gradient).sum()
    np.testing.assert_allclose(actual, expected, rtol=0, atol=tolerance)
    first = xp.asarray(np.moveaxis(gradient[:, None], -1, 1))
    actual = reductions.bias_gradient(xp, first, channels_first=True)
    np.testing.assert_allclose(actual, expected, rtol=0, atol=tolerance)


@pytest.mark.parametrize("shape", [(3, 5), (2500, 33), (0, 3)])
def test_float16_column_sums_are_rounded_once(order, shape):
    """Rounded once, even if several launches compute them."""
    x = drawn(shape, "e")
    np.testing.assert_array_equal(reductions.column_sums(xp, x), x.sum(0, dtype="d").astype("e"))


@cases.in_one_test
@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("shape", [(1, 1), (5, 70), (1024, 3), (2500, 33), (9000, 12), (0, 3)])
def test_column_sums(order, dtype, shape):
    x = drawn(shape, dtype)
    result = reductions.column_sums(xp, x)
    np.testing.assert_allclose(result, x.sum(0, dtype=dtype), rtol=1e-4, atol=1e-3)
    assert result.dtype == dtype


@cases.in_one_test
@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("shape", SHAPES)
def test_row_sums_and_maxima(order, dtype, shape):
    x = drawn(shape, dtype)
    sums = reductions.row_sums(xp, x)
    np.testing.assert_allclose(sums, x.sum(-1, dtype=dtype), rtol=1e-4, atol=1e-3)
    assert sums.dtype == dtype
    if x.size:
        np.testing.assert_array_equal(reductions.row_maxima(xp, x), x.max(-1))


@pytest.mark.parametrize("columns", [5, 700])
def test_row_maxima_propagate_nan(columns):
    x = drawn((3, columns), "f")
    x[0, columns // 2], x[1] = np.nan, -np.inf
    np.testing.assert_array_equal(reductions.row_maxima(xp, x), x.max(-1))


@cases.in_one_test
@pytest.mark.parametrize("places", ["int32", "int64"])
@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("shape", SHAPES[:-1])
def test_argmax_and_argmin(order, dtype, shape, places):
    x = drawn(shape, dtype) // 4  # with many ties
    for smallest in (False, True):
        result = reductions.extremes(xp, x, places, smallest)
        np.testing.assert_array_equal(result, x.argmin(-1) if smallest else x.argmax(-1))
        assert result.dtype == places


@pytest.mark.parametrize("columns", [5, 700])
def test_argmax_and_argmin_of_nan_and_infinity(order, columns):
    x = drawn((4, columns), "f")
    x[0, [1, 4]], x[1], x[2], x[3, 4] = np.nan, np.nan, -np.inf, np.inf
    for smallest, nan in ((False, -np.inf), (True, np.inf)):
        known = np.where(np.isnan(x), nan, x)
        expected = known.argmin(-1) if smallest else known.argmax(-1)
        np.testing.assert_array_equal(reductions.extremes(xp, x, smallest=smallest), expected)


def test_sums_are_deterministic_in_any_thread_order():
    x = drawn((50, 3000), "f")
    results = []
    for order in ("forward", "reverse", 5):
        with running_in(order):
            results.append(
                reductions.row_sums(xp, x).tobytes() + reductions.column_sums(xp, x).tobytes()
            )
    assert len(set(results)) == 1
