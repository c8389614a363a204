"""Products with epilogues through cublasLt's interface, on a library that validates its arguments."""

import gc

import numpy as np
import pytest

import tfmini as tf
from tests.executor.capturing import session_on_gpu
from tests.support import cases, fake_cupy
from tests.support.fake_cupy.cublas_lt import ALLOCATION_FAILED, EXECUTION_FAILED, Library
from tfmini._src.devices.cuda import cublas_lt
from tfmini._src.devices.cuda.cublas import CublasError
from tfmini._src.devices.cuda.cublas_lt import (
    BIAS,
    RELU,
    SUMS_OF_FIRST,
    SUMS_OF_SECOND,
    CublasLt,
)

WORKSPACE = 1 << 16


@pytest.fixture
def cp():
    with fake_cupy.install(devices=1):
        yield fake_cupy.MODULES["cupy"]


@pytest.fixture
def library():
    return Library()


@pytest.fixture
def on_stream(cp):
    with cp.cuda.Stream(non_blocking=True) as stream:
        yield stream


@pytest.fixture
def lt(library, on_stream, cp):
    workspace = cp.cuda.alloc(WORKSPACE)
    return CublasLt(library, on_stream.ptr, workspace.ptr, WORKSPACE), workspace


def randn(*shape, dtype="f", seed=0):
    return np.random.RandomState(seed).randn(*shape).astype(dtype)


def close(got, expected, dtype):
    tolerance = {"e": 2e-2, "f": 1e-5, "d": 1e-12}[dtype]
    np.testing.assert_allclose(got, expected, tolerance, tolerance)


@cases.in_one_test
@pytest.mark.parametrize("dtype", ["e", "f", "d"])
@pytest.mark.parametrize("turned", [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize("epilogue", [RELU, BIAS, RELU | BIAS])
def test_bias_and_relu_epilogues(lt, cp, dtype, turned, epilogue):
    a, b = randn(4, 5, dtype=dtype), randn(5, 7, dtype=dtype, seed=1)
    bias = randn(7, dtype=dtype, seed=2)
    expected = a.astype("d") @ b.astype("d") + (bias if epilogue & BIAS else 0)
    expected = np.maximum(expected, 0) if epilogue & RELU else expected
    left, right = (
        cp.asarray(np.ascontiguousarray(each.T) if turn else each)
        for each, turn in zip((a, b), turned)
    )
    result = cp.empty((4, 7), dtype)
    vector = cp.asarray(bias) if epilogue & BIAS else None
    assert lt[0].product(left, right, *turned, result, epilogue, vector)
    close(result.get(), expected, dtype)


@pytest.mark.parametrize("dtype", ["e", "f", "d"])
@pytest.mark.parametrize("transpose_b", [False, True])
@pytest.mark.parametrize("epilogue", [SUMS_OF_FIRST, SUMS_OF_SECOND])
def test_bias_gradient_epilogues(lt, cp, dtype, transpose_b, epilogue):
    a, b = randn(5, 4, dtype=dtype), randn(5, 7, dtype=dtype, seed=1)
    summed = a if epilogue == SUMS_OF_FIRST else b
    right = cp.asarray(np.ascontiguousarray(b.T) if transpose_b else b)
    result, sums = cp.empty((4, 7), dtype), cp.empty(summed.shape[1], dtype)
    made = lt[0].product(cp.asarray(a), right, True, transpose_b, result, epilogue, sums)
    assert made is not (epilogue == SUMS_OF_SECOND and transpose_b)
    if not made:
        return
    close(result.get(), a.T.astype("d") @ b.astype("d"), dtype)
    close(sums.get(), summed.astype("d").sum(0), dtype)


def multiplied(lt, cp, a, b, bias):
    result = cp.empty((a.shape[0], b.shape[1]), a.dtype)
    assert lt[0].product(a, b, False, False, result, BIAS, bias)
    np.testing.assert_allclose(result.get(), a.get() @ b.get() + bias.get(), rtol=1e-4)


def test_plan_is_reused_for_equal_shapes(lt, library, cp):
    for seed in range(3):
        arrays = (cp.asarray(randn(*shape, seed=seed)) for shape in ((3, 4), (4, 8), (8,)))
        multiplied(lt, cp, *arrays)
    assert len(library.algorithms) == 1


def test_less_aligned_addresses_use_separate_plans(lt, library, cp):
    a, b, bias = (cp.asarray(randn(*shape)) for shape in ((5, 4), (4, 8), (8,)))
    multiplied(lt, cp, a[:4], b, bias)
    multiplied(lt, cp, a[1:], b, bias)  # 16 bytes later
    assert [alignments[1] for _, _, alignments in library.algorithms] == [256, 16]


def test_tf32_applies_only_when_enabled(lt, library, cp, monkeypatch):
    arrays = [cp.asarray(randn(*shape)) for shape in ((3, 4), (4, 8), (8,))]
    multiplied(lt, cp, *arrays)
    monkeypatch.setenv("TFMINI_TF32", "1")
    multiplied(lt, cp, *(cp.asarray(randn(*shape)) for shape in ((2, 4), (4, 8), (8,))))
    # CUBLAS_COMPUTE_32F, or 32F_FAST_TF32 if requested; partial sums have the computation's type.
    assert library.asked == [(68, 3), (77, 3)]


def test_plan_cache_is_bounded(lt, library, cp, monkeypatch):
    monkeypatch.setattr(cublas_lt, "_MAX_PLANS", 2)
    for rows in (1, 2, 3, 4, 3):
        shapes = (rows, 4), (4, 8), (8,)
        multiplied(lt, cp, *(cp.asarray(randn(*shape)) for shape in shapes))
    gc.collect()
    assert len(library.algorithms) == 4
    kinds = [kind for kind, _ in library.descriptors.values()]
    assert sorted(kinds) == ["MatmulDesc"] * 2 + ["MatrixLayout"] * 6


def test_unsupported_epilogue_is_reported(lt, library, cp):
    library.refuses = {BIAS}
    a, b, bias = (cp.asarray(randn(*shape)) for shape in ((3, 4), (4, 8), (8,)))
    for _ in range(2):
        assert not lt[0].product(a, b, False, False, cp.empty((3, 8), "f"), BIAS, bias)
    assert len(library.asked) == 1
    odd = cp.empty(9, "f")[1:]
    assert not lt[0].product(a, b, False, False, cp.empty((3, 8), "f"), RELU | BIAS, odd)


@pytest.mark.parametrize("status", [7, 8, 15])
def test_rejected_product_is_not_retried(lt, library, cp, status):
    """The heuristic returns an algorithm, but the product itself rejects it."""
    tried = []
    library.cublasLtMatmul = lambda *arguments: tried.append(status) or status
    a, b, bias = (cp.asarray(randn(*shape)) for shape in ((3, 4), (4, 8), (8,)))
    for _ in range(2):
        assert not lt[0].product(a, b, False, False, cp.empty((3, 8), "f"), BIAS, bias)
    assert tried == [status] and len(library.asked) == 1


def test_errors_name_call_and_status(lt, library, cp):
    a, b, bias = (cp.asarray(randn(*shape)) for shape in ((3, 4), (4, 8), (8,)))
    library.cublasLtMatmul = lambda *arguments: EXECUTION_FAILED
    with pytest.raises(CublasError, match=r"cublasLtMatmul: execution failed \(13\)"):
        lt[0].product(a, b, False, False, cp.empty((3, 8), "f"), BIAS, bias)
    library.cublasLtMatmulAlgoGetHeuristic = lambda *arguments: ALLOCATION_FAILED
    with pytest.raises(CublasError, match=r"cublasLtMatmulAlgoGetHeuristic: allocation failed"):
        lt[0].product(a[:2], b, False, False, cp.empty((2, 8), "f"), BIAS, bias)


class Refusing(Library):
    """A library that fails to create handles."""

    def cublasLtCreate(self, handle):
        return fake_cupy.cublas.NOT_INITIALIZED


@pytest.mark.parametrize(
    "opened, why",
    [
        (lambda: None, "libcublasLt not found"),
        (Refusing, "cublasLtCreate: not initialized (1)"),
    ],
)
@pytest.mark.usefixtures("gpu_environment")
def test_missing_cublas_lt_warns_and_falls_back(caplog, opened, why):
    a, b, bias = randn(2, 3), randn(3, 4), randn(4)
    with session_on_gpu(cublas_lt=opened) as (session, machine):
        x = tf.placeholder(tf.float32, [2, 3])
        layer = tf.nn.relu(tf.nn.bias_add(tf.matmul(x, b), bias))
        for _ in range(2):
            machine.counters.reset()
            got = session.run(layer, {x: a})
            np.testing.assert_allclose(got, np.maximum(a @ b + bias, 0), rtol=1e-5)
        assert machine.counters.launch_names == {
            "cublasSgemm_v2": 1,
            "bias_add_f32": 1,
            "maximum": 1,
        }
    messages = [r.getMessage() for r in caplog.records if "products" in r.getMessage()]
    assert messages == [f"GPU:0: products and biases run as separate launches: {why}"]
