"""Divided matrix products on the library's threads, compared with NumPy in higher precision."""

import os
import threading

import numpy as np
import pytest

from tests.support import cases
from tfmini._src.devices.host import denormals, threads
from tfmini._src.devices.host.native import matmul

SHAPES = [(128, 156, 512), (300, 7, 40), (40, 7, 300), (2, 1, 2), (33, 2000, 70), (17, 90, 1000)]


@pytest.fixture(params=[1, 2, 5])
def count(request, monkeypatch):
    monkeypatch.setattr(threads._threads, "count", request.param)
    monkeypatch.setattr(matmul, "_PART", 500)
    matmul._prepared.clear()
    matmul._prepared_batches.clear()
    return request.param


def matrices(rows, inner, columns, dtype, transposed=(False, False)):
    random = np.random.RandomState(rows)
    a, b = random.randn(rows, inner).astype(dtype), random.randn(inner, columns).astype(dtype)
    return [np.asfortranarray(m) if turned else m for m, turned in zip((a, b), transposed)]


def needs_openblas():
    if matmul._multiplication("float32") is None:
        pytest.skip("numpy computes with another library here")


@cases.in_one_test
@pytest.mark.parametrize("dtype", ["f", "d"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_matmul_matches_numpy(build, count, shape, dtype):
    needs_openblas()
    for transposed in ((False, False), (True, False), (False, True), (True, True)):
        a, b = matrices(*shape, dtype, transposed)
        got = matmul.product(a, b)
        assert got.dtype == a.dtype and got.flags.c_contiguous
        expected = a.astype("d") @ b.astype("d")
        tolerance = np.finfo(dtype).eps * (np.abs(a).astype("d") @ np.abs(b).astype("d"))
        assert (np.abs(got - expected) <= 10 * tolerance).all()
        np.testing.assert_array_equal(matmul.product(a, b), got)


@pytest.mark.parametrize("dtype", ["f", "d"])
def test_fused_epilogues(build, count, dtype):
    needs_openblas()
    random = np.random.RandomState(1)
    for shape in ((128, 156, 512), (300, 7, 40), (40, 7, 300), (17, 90, 1000)):
        a, b = matrices(*shape, dtype, (False, True))
        bias = random.randn(shape[2]).astype(dtype)
        beside = random.randn(shape[0], shape[2]).astype(dtype)
        bias[:3] = np.nan, np.inf, -np.inf
        with np.errstate(invalid="ignore"):
            total = matmul.product(a, b) + bias
            kept = matmul.product(a, b) * (beside > 0)
        expected = {
            "Relu": np.maximum(total, 0),
            "Tanh": np.tanh(total),
            "Sigmoid": 1 / (1 + np.exp(-total.astype("g"))),
        }
        np.testing.assert_array_equal(matmul.product(a, b, bias), total)
        tolerance = 4 * np.finfo(dtype).eps
        for name, values in expected.items():
            got = matmul.product(a, b, bias, matmul.ACTIVATIONS[name])
            np.testing.assert_allclose(got, values.astype(dtype), rtol=tolerance, atol=1e-37)
        got = matmul.product(a, b, None, matmul.ACTIVATIONS["ReluGrad"], beside)
        np.testing.assert_array_equal(got, kept)
        for unfit in (bias[1:], bias[::-1], bias.astype("d" if dtype == "f" else "f")):
            assert matmul.product(a, b, unfit, matmul.ACTIVATIONS["Relu"]) is None


def test_strided_operands(build, count):
    needs_openblas()
    a, b = matrices(100, 80, 90, "f")
    for left, right in ((a[:, 5:50], b[3:48]), (a[::2, :80], b[:, 10:70]), (a[:45].T, b[:100:2].T)):
        right = right[: left.shape[1]]
        left = left[:, : len(right)]
        got = matmul.product(left, right)
        np.testing.assert_allclose(got, left.astype("d") @ right, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("dtype", ["f", "d"])
def test_batch_is_split_across_threads(build, count, dtype):
    needs_openblas()
    random = np.random.RandomState(1)
    for batch in ((1,), (7,), (2, 1, 3), (1, 5)):
        a = random.randn(*batch, 9, 20).astype(dtype)
        b = random.randn(*batch, 20, 14).astype(dtype)
        transposed = [np.ascontiguousarray(m.swapaxes(-1, -2)).swapaxes(-1, -2) for m in (a, b)]
        expected = a.astype("g") @ b.astype("g")
        for left in (a, transposed[0]):
            for right in (b, transposed[1]):
                got = matmul.batch_product(left, right)
                tolerance = 20 * np.finfo(dtype).eps
                np.testing.assert_allclose(got, expected, tolerance, tolerance)
    rows = a[:, ::-1], a[..., ::2], a[:, :1], a[..., :1, :], a.astype("f" if dtype == "d" else "d")
    assert all(matmul.batch_product(unfit, b) is None for unfit in rows)
    swapped = random.randn(4, 3, 9, 20).astype(dtype).swapaxes(0, 1)  # no single step
    assert matmul.batch_product(swapped, random.randn(3, 4, 20, 2).astype(dtype)) is None


@cases.in_one_test
@pytest.mark.parametrize(
    "a, b",
    [
        (np.ones((6, 4), "f")[:, ::2], np.ones((2, 5), "f")),
        (np.ones((6, 4), "f"), np.ones((4, 5), "d")),
        (np.ones((6, 4), "f"), np.ones((5, 4), "f")),
        (np.ones((0, 4), "f"), np.ones((4, 5), "f")),
        (np.ones((6, 4), ">f4"), np.ones((4, 5), ">f4")),
        (np.broadcast_to(np.ones(4, "f"), (6, 4)), np.ones((4, 5), "f")),
        (np.ones((6, 4), "f")[::-1], np.ones((4, 5), "f")),
        (np.ones((1, 4), "f"), np.ones((4, 5), "f")),
        (np.ones((6, 4), "f"), np.ones((4, 1), "f")),
    ],
    ids="strided dtypes sizes empty byte_order broadcast backwards row column".split(),
)
def test_unsupported_inputs_fall_back_to_numpy(build, a, b):
    assert matmul.product(a, b) is None


def test_missing_library_falls_back_to_numpy(use_build):
    use_build("0")
    assert matmul.product(*matrices(50, 40, 60, "f")) is None


def test_concurrent_callers(build, count):
    needs_openblas()
    a, b = matrices(64, 64, 64, "f")
    expected = matmul.product(a, b)
    failures = []

    def multiply():
        for _ in range(50):
            if not np.array_equal(matmul.product(a, b), expected):
                failures.append(1)

    callers = [threading.Thread(target=multiply) for _ in range(4)]
    for each in callers:
        each.start()
    for each in callers:
        each.join(60)
    assert not failures


def test_threads_inherit_denormal_flushing(build, count):
    needs_openblas()
    a, b = np.full((64, 64), 1e-20, "f"), np.full((64, 64), 1e-20, "f")
    kept = matmul.product(a, b)
    with denormals.flush_denormals():
        flushed = matmul.product(a, b)
    assert (kept == kept[0, 0]).all()
    assert (flushed == flushed[0, 0]).all()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_forked_child_computes(build, count):
    needs_openblas()
    a, b = matrices(64, 64, 64, "f")
    expected = matmul.product(a, b)
    child = os.fork()
    if child == 0:
        os._exit(0 if np.array_equal(matmul.product(a, b), expected) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
