"""Batch normalization of the columns of matrices, both ways, against float64."""

import numpy as np
import pytest

from tests.kernels.device import xp
from tfmini._src.devices.gpu import batch_norm

SHAPES = [(1, 1), (7, 3), (300, 16), (40, 33), (5000, 5), (2, 70)]
EPSILON = 1e-3


def drawn(shape, seed, apart=0.0):
    return xp.asarray(np.random.RandomState(seed).randn(*shape) + apart, "f")


def moments(x):
    wide = x.astype("d")
    return wide.mean(0), wide.var(0)


@pytest.mark.parametrize("shape", SHAPES)
def test_by_the_batch(order, shape):
    x, scale, offset = drawn(shape, 0, 3.0), drawn(shape[1:], 1), drawn(shape[1:], 2)
    mean, variance = moments(x)
    found = batch_norm.normalized(xp, x, scale, offset, EPSILON)
    unbiased = variance * shape[0] / max(shape[0] - 1, 1)
    want = (x - mean) / np.sqrt(variance + EPSILON) * scale + offset
    for got, value in zip(found, (want, mean, unbiased, mean, variance)):
        assert got.dtype == np.float32
        np.testing.assert_allclose(got, value, rtol=2e-6, atol=2e-5)


def test_a_large_mean_costs_the_variance_no_digits():
    x = drawn((4000, 3), 0, 1e4)
    _, mean, _, _, variance = batch_norm.normalized(xp, x, x[0], x[1], EPSILON)
    np.testing.assert_allclose(mean, moments(x)[0], rtol=1e-6)
    # In float32 the mean itself is off by 1e-3; squares less the square of the mean would be off by ten.
    np.testing.assert_allclose(variance, moments(x)[1], rtol=1e-4)


@pytest.mark.parametrize("shape", SHAPES)
def test_by_what_is_given(order, shape):
    x, scale, offset, mean = (drawn(shape if n == 0 else shape[1:], n) for n in range(4))
    variance = xp.asarray(np.abs(drawn(shape[1:], 4)))
    found = batch_norm.normalized(xp, x, scale, offset, EPSILON, (mean, variance))
    want = (x.astype("d") - mean) / np.sqrt(variance + EPSILON) * scale + offset
    np.testing.assert_allclose(found[0], want, rtol=2e-6, atol=2e-5)
    for got, value in zip(found[1:], (mean, variance, mean, variance)):
        np.testing.assert_array_equal(got, value)
        assert not np.shares_memory(got, value)


def normalized(x, scale, offset, given):
    mean, variance = moments(x) if given is None else given
    return (x - mean) / np.sqrt(variance + EPSILON) * scale + offset


@pytest.mark.parametrize("trained", [True, False])
@pytest.mark.parametrize("shape", SHAPES)
def test_gradients_are_those_of_differences(order, shape, trained):
    x, scale, grad = drawn(shape, 0, 1.0), drawn(shape[1:], 1), drawn(shape, 3)
    mean, variance = moments(x)
    if not trained:
        mean, variance = mean + 0.5, variance * 2 + 0.1
    args = (xp.asarray(mean, "f"), xp.asarray(variance, "f"), EPSILON, trained)
    of_x, of_scale, of_offset = batch_norm.gradients(xp, grad, x, scale, *args)
    given = None if trained else (mean, variance)

    def along(change, what):
        """The change of the sum of grad * y per unit of a change of x, the scale or the offset."""
        ends = []
        for side in (1e-5, -1e-5):
            values = [x.astype("d"), scale.astype("d"), np.zeros(shape[1])]
            values[what] = values[what] + side * change
            ends.append((normalized(*values, given) * grad).sum())
        return (ends[0] - ends[1]) / 2e-5

    for what, found in enumerate((of_x, of_scale, of_offset)):
        change = np.random.RandomState(9).randn(*found.shape)
        room = 1e-4 * np.sqrt((found.astype("d") ** 2).sum()) + 1e-3
        assert abs((found * change).sum() - along(change, what)) < room


def test_halves_are_computed_as_float32(order):
    """Of the same numbers, with a result rounded once."""
    scale, offset = drawn((7,), 1), drawn((7,), 2)
    halves = [drawn((90, 7), n, 3.0).astype("e") for n in (0, 3)]
    floats = [each.astype("f") for each in halves]
    for given in (None, (scale, scale * scale)):
        found, want = (
            batch_norm.normalized(xp, x, scale, offset, EPSILON, given)
            for x in (halves[0], floats[0])
        )
        np.testing.assert_array_equal(found[0], want[0].astype("e"))
        assert all(a.tobytes() == b.tobytes() for a, b in zip(found[1:], want[1:]))
    statistics = (scale, offset, scale * scale, EPSILON, True)
    found, want = (batch_norm.gradients(xp, *pair, *statistics) for pair in (halves, floats))
    np.testing.assert_array_equal(found[0], want[0].astype("e"))
    assert all(a.tobytes() == b.tobytes() for a, b in zip(found[1:], want[1:]))


def test_results_repeat_to_the_bit():
    x, scale = drawn((3000, 20), 0), drawn((20,), 1)
    first, again = (batch_norm.normalized(xp, x, scale, scale, EPSILON) for _ in range(2))
    assert all(a.tobytes() == b.tobytes() for a, b in zip(first, again))


def test_what_there_are_kernels_for():
    x = drawn((3, 2), 0)
    assert batch_norm.suits(x, x[0])
    assert batch_norm.suits(x.astype("e"), x[0])
    assert not batch_norm.suits(x.astype("d"), x[0])
    assert not batch_norm.suits(x, x[0].astype("e"))
    assert not batch_norm.suits(x[:0], x[0])
