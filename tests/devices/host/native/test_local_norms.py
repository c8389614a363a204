"""Local response normalization compared with explicit sums over neighboring channels in float64."""

import numpy as np
import pytest

from tfmini._src.devices.host.native import local_norms


def expected(rows, radius, bias, alpha, beta):
    positions = np.arange(rows.shape[1])
    band = (abs(positions[:, None] - positions) <= radius).astype("d")
    with np.errstate(all="ignore"):
        return rows / (bias + alpha * (np.float64(rows * rows) @ band)) ** beta


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("beta", [0.5, 0.75, 1.0])
def test_ragged_sizes_match_numpy(build, monkeypatch, threads, beta):
    monkeypatch.setattr(local_norms, "thread_count", lambda: threads)
    monkeypatch.setattr(local_norms, "_MIN_PARALLEL_ELEMENTS", 1)
    rng = np.random.default_rng(0)
    for columns in (1, 2, 3, 8, 9, 17, 64, 300):
        for radius in (0, 1, 5, 31):
            rows = rng.standard_normal((int(rng.integers(1, 200)), columns)).astype("f")
            actual = local_norms.normalize_locally(rows, radius, 1.5, 0.7, beta)
            np.testing.assert_allclose(actual, expected(rows, radius, 1.5, 0.7, beta), 2e-6)


def test_radius_is_clipped_to_channels(build):
    rows = np.random.default_rng(1).standard_normal((5, 20)).astype("f")
    actual = local_norms.normalize_locally(rows, 2**31 - 1, 1.0, 1.0, 0.5)
    np.testing.assert_allclose(actual, expected(rows, 20, 1.0, 1.0, 0.5), 1e-6)


def test_thread_count_does_not_change_results(build, monkeypatch):
    rows = np.random.default_rng(2).standard_normal((9000, 13)).astype("f")
    results = []
    for count in (1, 2, 5):
        monkeypatch.setattr(local_norms, "thread_count", lambda count=count: count)
        results.append(local_norms.normalize_locally(rows, 5, 1.0, 1.0, 0.5))
    np.testing.assert_allclose(results[0], expected(rows, 5, 1.0, 1.0, 0.5), 1e-6)
    for other in results[1:]:
        np.testing.assert_array_equal(results[0], other)


@pytest.mark.parametrize("special", [np.nan, np.inf, -np.inf, 3e38])
@np.errstate(all="ignore")
def test_nonfinite_values_affect_only_their_row(build, special):
    """As in TensorFlow, which multiplies by a band matrix; near an infinity, channels become 0."""
    rows = np.ones((40, 12), "f")
    rows[17, 4] = special
    actual = local_norms.normalize_locally(rows, 2, 1.0, 1.0, 0.5)
    np.testing.assert_allclose(actual, expected(rows, 2, 1.0, 1.0, 0.5), 1e-6)
    assert np.isnan(actual[17, [0, 11]]).all() and np.isfinite(np.delete(actual, 17, 0)).all()


def test_unsupported_inputs_fall_back_to_numpy(build, use_build):
    rows = np.ones((4, 40), "f")
    assert local_norms.normalize_locally(rows, 5, 1.0, 1.0, 0.5) is not None
    assert local_norms.normalize_locally(rows, 5, 1.0, 1.0, 0.6) is None
    assert local_norms.normalize_locally(rows, 39, 1.0, 1.0, 0.5) is None
    assert local_norms.normalize_locally(rows[:, ::2], 5, 1.0, 1.0, 0.5) is None
    assert local_norms.normalize_locally(rows.astype("d"), 5, 1.0, 1.0, 0.5) is None
    assert local_norms.normalize_locally(rows[:0], 5, 1.0, 1.0, 0.5) is None
    use_build("0")
    assert local_norms.normalize_locally(rows, 5, 1.0, 1.0, 0.5) is None
