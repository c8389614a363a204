"""Batch normalization of image channels, forward and backward, compared with float64."""

import numpy as np
import pytest

from tests.kernels.device import xp
from tests.support import cases
from tfmini._src.devices.cuda import batch_norm

SHAPES = [(1, 1), (7, 3), (300, 16), (40, 33), (5000, 5), (2, 70)]
EPSILON = 1e-3


def drawn(shape, seed, apart=0.0):
    return xp.asarray(np.random.RandomState(seed).randn(*shape) + apart, "f")


def moments(x):
    wide = x.astype("d")
    return wide.mean(0), wide.var(0)


@pytest.mark.parametrize("shape", SHAPES)
def test_normalization_by_batch_statistics(order, shape):
    x, scale, offset = drawn(shape, 0, 3.0), drawn(shape[1:], 1), drawn(shape[1:], 2)
    mean, variance = moments(x)
    actual = batch_norm.normalize(xp, x, scale, offset, EPSILON)
    unbiased = variance * shape[0] / max(shape[0] - 1, 1)
    want = (x - mean) / np.sqrt(variance + EPSILON) * scale + offset
    for got, value in zip(actual, (want, mean, unbiased, mean, variance)):
        assert got.dtype == np.float32
        np.testing.assert_allclose(got, value, rtol=2e-6, atol=2e-5)


def test_large_mean_preserves_variance_precision():
    x = drawn((4000, 3), 0, 1e4)
    _, mean, _, _, variance = batch_norm.normalize(xp, x, x[0], x[1], EPSILON)
    np.testing.assert_allclose(mean, moments(x)[0], rtol=1e-6)
    # In float32 the mean itself has an error of 1e-3; the mean square minus the squared mean would have one of ten.
    np.testing.assert_allclose(variance, moments(x)[1], rtol=1e-4)


@pytest.mark.parametrize("shape", SHAPES)
def test_normalization_by_given_statistics(order, shape):
    x, scale, offset, mean = (drawn(shape if n == 0 else shape[1:], n) for n in range(4))
    variance = xp.asarray(np.abs(drawn(shape[1:], 4)))
    actual = batch_norm.normalize(xp, x, scale, offset, EPSILON, (mean, variance))
    want = (x.astype("d") - mean) / np.sqrt(variance + EPSILON) * scale + offset
    np.testing.assert_allclose(actual[0], want, rtol=2e-6, atol=2e-5)
    for got, value in zip(actual[1:], (mean, variance, mean, variance)):
        np.testing.assert_array_equal(got, value)
        assert not np.shares_memory(got, value)


def normalized(x, scale, offset, given):
    mean, variance = moments(x) if given is None else given
    return (x - mean) / np.sqrt(variance + EPSILON) * scale + offset


@cases.in_one_test
@pytest.mark.parametrize("trained", [True, False])
@pytest.mark.parametrize("shape", SHAPES)
def test_gradients_match_finite_differences(order, shape, trained):
    x, scale, grad = drawn(shape, 0, 1.0), drawn(shape[1:], 1), drawn(shape, 3)
    mean, variance = moments(x)
    if not trained:
        mean, variance = mean + 0.5, variance * 2 + 0.1
    args = (xp.asarray(mean, "f"), xp.asarray(variance, "f"), EPSILON, trained)
    of_x, of_scale, of_offset = batch_norm.gradients(xp, grad, x, scale, *args)
    statistics = None if trained else (mean, variance)

    def along(change, what):
        """The derivative of the sum of grad * y along x, the scale or the offset, by finite differences."""
        ends = []
        for side in (1e-5, -1e-5):
            values = [x.astype("d"), scale.astype("d"), np.zeros(shape[1])]
            values[what] = values[what] + side * change
            ends.append((normalized(*values, statistics) * grad).sum())
        return (ends[0] - ends[1]) / 2e-5

    for what, found in enumerate((of_x, of_scale, of_offset)):
        change = np.random.RandomState(9).randn(*found.shape)
        room = 1e-4 * np.sqrt((found.astype("d") ** 2).sum()) + 1e-3
        assert abs((found * change).sum() - along(change, what)) < room


# [batch, channels, sizes ...]
FIRST = [(1, 1, 1, 1), (2, 3, 5, 4), (3, 16, 1, 1), (5, 33, 7), (9, 2, 13, 11)]


def last(x):
    return np.moveaxis(x, 1, -1).reshape(-1, x.shape[1])


@cases.in_one_test
@pytest.mark.parametrize("given", [False, True])
@pytest.mark.parametrize("shape", FIRST)
def test_channels_first(order, shape, given):
    x, beside, scale, offset = (drawn(s, n) for n, s in enumerate((shape, shape, shape[1:2], shape[1:2])))  # fmt: skip
    mean, variance = (scale, offset * offset) if given else moments(last(x))
    result = batch_norm.normalize(
        *(xp, x, scale, offset, EPSILON, (mean, variance) if given else None),
        channels_first=True,
        residual=beside,
    )
    want = (last(x) - mean) / np.sqrt(variance + EPSILON) * scale + offset + last(beside)
    np.testing.assert_allclose(last(result[0]), want, rtol=2e-6, atol=2e-5)
    np.testing.assert_allclose(result[3], mean, rtol=2e-6, atol=2e-6)
    np.testing.assert_allclose(result[4], variance, rtol=2e-6, atol=2e-6)
    grad, vectors = drawn(shape, 7), (xp.asarray(mean, "f"), xp.asarray(variance, "f"))
    known = (scale, *vectors, EPSILON, not given)
    of_x, *sums = batch_norm.gradients(xp, grad, x, *known, channels_first=True)
    rows = (xp.asarray(np.ascontiguousarray(last(each))) for each in (grad, x))
    expected = batch_norm.gradients(xp, *rows, *known)
    for got, value in zip((last(of_x), *sums), expected):
        np.testing.assert_allclose(got, value, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("dtype", ["e", "f"])
def test_fused_addend_and_relu_match_separate_ops(order, dtype):
    """Bit-identical: float16 values are also rounded before an addition."""
    x, beside, grad = (drawn((90, 7), n).astype(dtype) for n in (0, 1, 2))
    scale, offset = drawn((7,), 3), drawn((7,), 4)
    for value in (None, (offset, scale * scale)):
        args = (xp, x, scale, offset, EPSILON, value)
        apart = batch_norm.normalize(*args)[0] + beside
        result = batch_norm.normalize(*args, residual=beside, rectify=True)[0]
        assert result.dtype == dtype
        np.testing.assert_array_equal(result, np.maximum(apart, 0))
        known = (x, scale, offset, scale * scale, EPSILON, value is None)
        actual = batch_norm.gradients(xp, grad, *known, rectified=result)
        kept = np.where(np.asarray(result) > 0, grad, np.zeros((), dtype))
        expected = batch_norm.gradients(xp, xp.asarray(kept), *known)
        assert all(a.tobytes() == b.tobytes() for a, b in zip(actual, expected))


def test_nan_propagates_through_relu():
    x, one = xp.asarray([[np.nan], [1.0]], "f"), xp.ones(1, "f")
    y = batch_norm.normalize(xp, x, one, one, EPSILON, (one, one), rectify=True)[0]
    assert np.isnan(y[0, 0])
    assert y[1, 0] == 1


def test_float16_is_computed_in_float32(order):
    """From the same numbers, with results rounded once."""
    scale, offset = drawn((7,), 1), drawn((7,), 2)
    halves = [drawn((90, 7), n, 3.0).astype("e") for n in (0, 3)]
    floats = [each.astype("f") for each in halves]
    for value in (None, (scale, scale * scale)):
        actual, want = (
            batch_norm.normalize(xp, x, scale, offset, EPSILON, value)
            for x in (halves[0], floats[0])
        )
        np.testing.assert_array_equal(actual[0], want[0].astype("e"))
        assert all(a.tobytes() == b.tobytes() for a, b in zip(actual[1:], want[1:]))
    statistics = (scale, offset, scale * scale, EPSILON, True)
    actual, want = (batch_norm.gradients(xp, *pair, *statistics) for pair in (halves, floats))
    np.testing.assert_array_equal(actual[0], want[0].astype("e"))
    assert all(a.tobytes() == b.tobytes() for a, b in zip(actual[1:], want[1:]))


def test_results_are_deterministic():
    x, scale = drawn((3000, 20), 0), drawn((20,), 1)
    first, again = (batch_norm.normalize(xp, x, scale, scale, EPSILON) for _ in range(2))
    assert all(a.tobytes() == b.tobytes() for a, b in zip(first, again))


def test_supported_inputs():
    x = drawn((3, 2), 0)
    assert batch_norm.is_supported(x, x[0])
    assert batch_norm.is_supported(x.astype("e"), x[0])
    assert not batch_norm.is_supported(x.astype("d"), x[0])
    assert not batch_norm.is_supported(x, x[0].astype("e"))
    assert not batch_norm.is_supported(x[:0], x[0])
