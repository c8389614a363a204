"""Column statistics and normalization against float64: ragged sizes, large means, NaN, infinities, threads."""

import numpy as np
import pytest

from tests.support import cases
from tfmini._src.devices.host.native import channel_statistics as native

ROWS = (1, 2, 5, 64, 1025)
COLUMNS = (1, 3, 15, 16, 17, 32, 255, 256, 257, 520)


@pytest.fixture
def on_threads(monkeypatch):
    def use(threads):
        monkeypatch.setattr(native, "thread_count", lambda: threads)

    monkeypatch.setattr(native, "_MIN_PARALLEL_ELEMENTS", 1)
    native._kernel_sizes.cache_clear()
    yield use
    native._kernel_sizes.cache_clear()


def all_of(x, grad, features, vectors):
    """Statistics, normalization with and without ReLU, gradient sums and combinations with and without features."""
    mean, factor, offset = vectors
    yield from native.statistics(x)
    for rectifies in (False, True):
        yield native.normalize_channels(x, *vectors, rectifies)
    for value in (None, features):
        yield native.gradient_sums(grad, x, mean, value)
        yield native.combine_gradients(grad, x, mean, factor, offset, mean, value)


def expected(x, grad, features, vectors):
    """The same in float64."""
    x, grad, features = (array.astype("d") for array in (x, grad, features))
    mean, factor, offset = vectors
    plain = (x - mean) * factor + offset
    yield from (x.mean(0), x.var(0), plain, np.maximum(plain, 0))
    for kept in (grad, grad * (features > 0)):
        yield np.stack([kept.sum(0), (kept * (x - mean)).sum(0)])
        yield kept * factor + (x - mean) * offset + mean


def draw(rows, columns):
    rng = np.random.default_rng(rows * 1000 + columns)
    arrays = rng.standard_normal((3, rows, columns)).astype("f")
    return *arrays, rng.standard_normal((3, columns)).astype("f")


@cases.in_one_test
@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("rows", ROWS)
def test_statistics_of_all_sizes(build, on_threads, rows, columns):
    inputs = draw(rows, columns)
    on_threads(1)
    alone = list(all_of(*inputs))
    on_threads(3)
    for actual, same, exact in zip(alone, all_of(*inputs), expected(*inputs)):
        np.testing.assert_array_equal(actual, same)
        assert actual.dtype == np.float32
        np.testing.assert_allclose(actual, exact, rtol=3e-6, atol=1e-6 * np.sqrt(rows) + 2e-6)


@pytest.mark.parametrize("mean", [1e3, -1e5])
@pytest.mark.parametrize("columns", [1, 32, 300])
def test_large_means_preserve_variance_precision(build, mean, columns):
    """Even if the first rows are far from all others."""
    rng = np.random.default_rng(3)
    x = np.empty((20_000, columns), "f")
    for rows in np.split(x, 10):  # not all of them in float64
        rows[:] = mean + rng.standard_normal(rows.shape)
    for _ in range(2):
        found_mean, variance = native.statistics(x)
        np.testing.assert_allclose(found_mean, [each.mean(dtype="d") for each in x.T], rtol=2e-7)
        np.testing.assert_allclose(variance, [each.var(dtype="d") for each in x.T], rtol=4e-6)
        x[:3] = 1e7


@np.errstate(all="ignore")
@pytest.mark.parametrize("special", [np.nan, np.inf, -np.inf])
def test_nonfinite_values_stay_in_their_columns(build, special):
    x, grad, features, vectors = draw(1025, 33)
    x[1000, 7] = grad[3, 20] = special
    for actual, exact in zip(
        all_of(x, grad, features, vectors), expected(x, grad, features, vectors)
    ):
        np.testing.assert_array_equal(np.isnan(actual), np.isnan(exact))
        np.testing.assert_array_equal(np.isinf(actual), np.isinf(exact))


def test_unsupported_inputs_fall_back_to_numpy(build, use_build):
    x, vector = np.ones((4, 6), "f"), np.ones(6, "f")
    assert native.statistics(x[:, ::2]) is None
    assert native.statistics(x.astype("d")) is None
    assert native.statistics(x[:0]) is None
    assert native.normalize_channels(x, vector, vector.astype("d"), vector) is None
    assert native.gradient_sums(x.T, x, vector) is None
    use_build("0")
    assert native.statistics(x) is None
