"""Cumulative sums and top k, compared with NumPy."""

import numpy as np
import pytest

from tests.kernels.device import xp
from tests.support import cases
from tfmini._src.devices.cuda import scan_top_k

NUMBERS = ["float32", "float64", "int32", "int64"]


def drawn(shape, dtype, seed=0):
    return xp.asarray(np.random.RandomState(seed).randn(*shape) * 9, dtype)


def expected_scan(how, x, axis, exclusive, reverse):
    x = np.flip(x, axis) if reverse else np.asarray(x)
    result = getattr(np, how)(x, axis, dtype=x.dtype)
    if exclusive:
        start = np.full_like(np.take(x, [0], axis), how == "cumprod")
        result = np.concatenate([start, np.delete(result, -1, axis)], axis)
    return np.flip(result, axis) if reverse else result


@cases.in_one_test
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("exclusive", [False, True])
@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("how", ["cumsum", "cumprod"])
def test_scan(order, how, dtype, exclusive, reverse):
    shapes = [((1,), 0), ((31,), 0), ((32,), 0), ((2, 33), 1), ((2, 1500), -1), ((3, 40, 5), 1)]
    for shape, axis in [*shapes, ((70, 3), 0), ((0, 3), 0)]:
        x = drawn(shape, dtype)
        if how == "cumprod":
            x = xp.asarray(np.sign(x) + (x == 0) if dtype.startswith("int") else 1 + x / 200, dtype)
        actual = scan_top_k.scan(xp, how, x, axis, exclusive, reverse)
        expected = expected_scan(how, x, axis, exclusive, reverse) if x.size else x
        assert actual.dtype == dtype
        if dtype.startswith("int"):
            np.testing.assert_array_equal(actual, expected)
        else:
            exact = 1e-5 if dtype == "float32" else 1e-12
            np.testing.assert_allclose(actual, expected, rtol=exact * 4, atol=exact * 200)


def expected_top(x, k):
    indices = np.argsort(-np.asarray(x), axis=-1, kind="stable")[..., :k]
    return np.take_along_axis(np.asarray(x), indices, -1), indices


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("exclusive", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_cumulative_logsumexp(order, dtype, exclusive, reverse):
    for shape, axis in [((31,), 0), ((2, 700), 1), ((3, 40, 5), 1)]:
        x = drawn(shape, dtype)
        x[..., 1] += 100
        x[..., 3] = -np.inf
        actual = scan_top_k.scan(xp, "cumulative_logsumexp", x, axis, exclusive, reverse)
        turned = np.flip(x, axis) if reverse else np.asarray(x)
        expected = np.logaddexp.accumulate(turned.astype("d"), axis)
        if exclusive:
            start = np.full_like(np.take(expected, [0], axis), np.finfo(dtype).min)
            expected = np.concatenate([start, np.delete(expected, -1, axis)], axis)
        expected = np.flip(expected, axis) if reverse else expected
        expected = np.maximum(expected, np.finfo(dtype).min)  # TensorFlow starts from there
        exact = 1e-6 if dtype == "float32" else 1e-14
        np.testing.assert_allclose(actual, expected, rtol=exact * 4, atol=exact * 4)


@cases.in_one_test
@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("shape, k", [((5, 3), 3), ((2, 3, 50), 5), ((3, 700), 9), ((4,), 1)])
def test_top_k(order, dtype, shape, k):
    x = drawn(shape, dtype) // 4  # with many ties
    values, indices = scan_top_k.top_k(xp, x, k)
    expected = expected_top(x, k)
    assert values.dtype == dtype
    assert indices.dtype == np.int32
    np.testing.assert_array_equal(values, expected[0])
    np.testing.assert_array_equal(indices, expected[1])


@pytest.mark.parametrize("columns", [7, 600])
def test_top_k_of_nan_and_infinity(columns):
    x = drawn((3, columns), "float32")
    x[0, [1, 3]], x[1, 2:], x[2, :5] = np.nan, -np.inf, [np.inf, np.nan, -np.inf, np.inf, 0]
    values, indices = scan_top_k.top_k(xp, x, 7)
    expected = expected_top(x, 7)
    np.testing.assert_array_equal(values, expected[0])
    np.testing.assert_array_equal(indices, expected[1])


def test_empty_top_k():
    assert scan_top_k.top_k(xp, drawn((0, 3), "f"), 2)[0].shape == (0, 2)
    assert scan_top_k.top_k(xp, drawn((2, 3), "f"), 0)[1].shape == (2, 0)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("exclusive", [False, True])
def test_long_rows_are_scanned_by_several_blocks(exclusive, reverse, order, monkeypatch):
    monkeypatch.setattr(scan_top_k, "_SCANNED_ELEMENTS", 64)
    monkeypatch.setattr(scan_top_k, "_MIN_SPLIT_LENGTH", 128)
    monkeypatch.setattr(scan_top_k, "MAX_WIDE_THREADS", 32)
    launched = []

    def run(xp, file, kernel, *arguments):
        launched.append(kernel)
        return started(xp, file, kernel, *arguments)

    started = scan_top_k.run
    monkeypatch.setattr(scan_top_k, "run", run)
    for shape in ((128,), (3, 257), (1, 1000)):
        for how, dtype in (("cumsum", "i4"), ("cumsum", "d"), ("cumulative_logsumexp", "d")):
            x = np.random.RandomState(0).randint(-3, 4, shape).astype(dtype)
            actual = scan_top_k.scan(xp, how, xp.asarray(x), len(shape) - 1, exclusive, reverse)
            flipped = x[..., ::-1] if reverse else x
            function = np.add if how == "cumsum" else np.logaddexp
            want = function.accumulate(flipped, -1)
            if exclusive:
                first = 0 if how == "cumsum" else np.finfo("d").min
                want = np.concatenate([np.full_like(want[..., :1], first), want[..., :-1]], -1)
            want = want[..., ::-1] if reverse else want
            np.testing.assert_allclose(actual, want, rtol=1e-12)
    assert {"cumsum_parts_i32", "cumulative_logsumexp_parts_f64"} <= set(launched)
