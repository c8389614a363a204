"""Argmax, argmin, top k, and targets in the top k, compared with NumPy."""

import numpy as np
import pytest

from tests.support import cases
from tfmini._src.devices.host.native import argmax_in_top_k

SHAPES = [
    (1, 1),
    (7, 1),
    (40, 3),
    (33, 10),
    (19, 21),
    (18, 63),
    (5, 64),
    (9, 131),
    (3, 4001),
    (300, 16),
]


@pytest.fixture(autouse=True)
def low_thresholds(monkeypatch):
    monkeypatch.setattr(argmax_in_top_k, "_MIN_ELEMENTS", 1)
    monkeypatch.setattr(argmax_in_top_k, "_MIN_PARALLEL_ELEMENTS", 1 << 10)


def numbers_of(rng, shape, dtype):
    x = rng.randint(-20, 20, shape).astype(dtype)
    if x.dtype.kind == "f":
        for strange in (np.nan, np.inf, -np.inf, -0.0, 1e-40):
            x[rng.rand(*shape) < 0.03] = strange
        x[0] = np.nan
        x[-1, : shape[1] // 2] = np.nan
    else:
        x[-1] = np.iinfo(dtype).min
        x[0] = np.iinfo(dtype).max
    return x


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64])
def test_argmax_matches_numpy(build, dtype):
    rng = np.random.RandomState(0)
    for shape in SHAPES:
        x = numbers_of(rng, shape, dtype)
        for largest in (True, False):
            worst = -np.inf if largest else np.inf
            numbers = np.where(np.isnan(x), dtype(worst), x) if x.dtype.kind == "f" else x
            for shape in (x.shape, (1, *x.shape), (*x.shape, 1), (*x.T.shape[:1], -1, 1)):
                inputs, finite = x.reshape(shape), numbers.reshape(shape)
                for axis in range(-x.ndim, inputs.ndim):
                    expected = finite.argmax(axis) if largest else finite.argmin(axis)
                    actual = argmax_in_top_k.argmax(inputs, axis, largest)
                    np.testing.assert_array_equal(actual, expected)


@cases.in_one_test
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("columns", [5, 63, 64, 65, 200])
def test_rows_of_nan_and_infinity(build, dtype, columns):
    rows = np.full((17, columns), np.nan, dtype)
    rows[:, 1::2] = -np.inf
    np.testing.assert_array_equal(argmax_in_top_k.argmax(rows, 1, True), np.zeros(17))
    np.testing.assert_array_equal(argmax_in_top_k.argmax(-rows, 1, False), np.zeros(17))


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_in_top_k_matches_numpy(build, index):
    rng = np.random.RandomState(0)
    for shape in SHAPES:
        x = rng.randint(-9, 9, shape).astype("f")
        x[rng.rand(shape[0]) < 0.2, 0] = rng.choice([np.nan, np.inf, -np.inf])
        targets = rng.randint(-1, shape[1] + 1, shape[0]).astype(index)
        for k in (0, 1, 5):
            expected = [
                0 <= at < shape[1] and bool(np.isfinite(row).all()) and sum(row > row[at]) < k
                for row, at in zip(x, targets.tolist())
            ]
            np.testing.assert_array_equal(argmax_in_top_k.in_top(x, targets, k), expected)


def test_unsupported_inputs_fall_back_to_numpy(build, use_build):
    x = np.ones((80, 20), "f")
    assert argmax_in_top_k.argmax(x[:, ::2], 1, True) is None
    assert argmax_in_top_k.argmax(x.astype(np.float16), 1, True) is None
    assert argmax_in_top_k.in_top(x.astype("d"), np.zeros(80, int), 1) is None
    assert argmax_in_top_k.in_top(x, np.zeros(160, int)[::2], 1) is None
    use_build("0")
    assert argmax_in_top_k.argmax(x, 1, True) is None
    assert argmax_in_top_k.in_top(x, np.zeros(80, int), 1) is None


@pytest.mark.parametrize("dtype", [np.float32, np.int32])
def test_top_k_matches_numpy(build, dtype):
    rng = np.random.RandomState(0)
    for shape in [(1, 1), (7, 3), (19, 33), (9, 131), (5, 1000), (3, 4001)]:
        x = numbers_of(rng, shape, dtype)
        x[np.isnan(x)] = 3
        for k in {1, shape[1] // 5 + 1, max(1, shape[1] - 1), shape[1]}:
            values, actual = argmax_in_top_k.largest(x, k)
            expected = np.argsort(-x.astype("d"), axis=1, kind="stable")[:, :k]
            np.testing.assert_array_equal(actual, expected)
            np.testing.assert_array_equal(values, np.take_along_axis(x, expected, 1))
        for rows in (np.sort(x, axis=1), np.sort(x, axis=1)[:, ::-1].copy()):
            values, _ = argmax_in_top_k.largest(rows, 1 + shape[1] // 2)
            np.testing.assert_array_equal(
                values, -np.sort(-rows.astype("d"), axis=1)[:, : values.shape[1]]
            )


def test_unsupported_top_k_falls_back_to_numpy(build):
    x = np.ones((3, 40), "f")
    assert argmax_in_top_k.largest(x, 41) is None
    assert argmax_in_top_k.largest(x.astype("d"), 2) is None
    assert argmax_in_top_k.largest(x[:, ::2], 2) is None
    x[2, 39] = np.nan
    assert argmax_in_top_k.largest(x, 2) is None
