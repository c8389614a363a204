"""cublasLt matrix products with epilogues on a GPU, against numpy in float64."""

import numpy as np
import pytest

from tfmini._src.devices.cuda.active_gpus import ActiveGpus
from tfmini._src.devices.cuda.cublas_lt import BIAS, RELU, SUMS_OF_FIRST, SUMS_OF_SECOND
from tfmini._src.devices.cuda.process_gpus import session_gpus

pytestmark = pytest.mark.gpu

PACKAGES = {"e": 2e-2, "f": 1e-4, "d": 1e-12}
# Of the product, before transposition: rows, summed dimension, columns. Sizes of one, odd sizes, large sizes.
SHAPES = [(1, 7, 1), (4, 6, 8), (33, 65, 129), (256, 784, 512), (512, 4096, 64)]


@pytest.fixture
def gpu():
    gpu = next(iter(session_gpus(None, "").values()))
    with ActiveGpus([gpu]):
        yield gpu


def randn(*shape, dtype):
    return (np.random.RandomState(sum(shape)).randn(*shape) / shape[0] ** 0.5).astype(dtype)


def operands(gpu, shape, turned, dtype):
    """Two matrices, and their GPU copies."""
    rows, inner, columns = shape
    a, b = randn(rows, inner, dtype=dtype), randn(inner, columns, dtype=dtype)
    pair = [each.T.copy() if turn else each for each, turn in zip((a, b), turned)]
    return a.astype("d"), b.astype("d"), *map(gpu.upload, pair)


@pytest.mark.parametrize("dtype", "efd")
@pytest.mark.parametrize("turned", [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize("shape", SHAPES)
def test_bias_and_relu_epilogues(gpu, shape, turned, dtype):
    a, b, left, right = operands(gpu, shape, turned, dtype)
    bias = randn(shape[2], dtype=dtype)
    for epilogue in (BIAS, RELU | BIAS):
        made = gpu.products.multiply_with_epilogue(left, right, *turned, epilogue, gpu.upload(bias))
        if made is None and dtype == "d":
            pytest.skip("cublasLt has no bias epilogue for float64")
        assert made is not None, "cublasLt has no such product"
        expected = a @ b + bias
        expected = np.maximum(expected, 0) if epilogue & RELU else expected
        got = gpu.receive(gpu.send(made))
        np.testing.assert_allclose(got, expected, PACKAGES[dtype], PACKAGES[dtype])


@pytest.mark.parametrize("dtype", "efd")
@pytest.mark.parametrize("transpose_b", [False, True])
@pytest.mark.parametrize("epilogue", [SUMS_OF_FIRST, SUMS_OF_SECOND])
@pytest.mark.parametrize("shape", SHAPES)
def test_bias_gradient_epilogues(gpu, shape, epilogue, transpose_b, dtype):
    """cublasLt sums the second factor only in its stored layout: otherwise the two are computed separately."""
    a, b, left, right = operands(gpu, shape, (True, transpose_b), dtype)
    summed = a.sum(1) if epilogue == SUMS_OF_FIRST else b.sum(0)
    sums = gpu.xp.empty(summed.shape, dtype)
    result = gpu.products.multiply_with_epilogue(left, right, True, transpose_b, epilogue, sums)
    if epilogue == SUMS_OF_SECOND and transpose_b:
        assert result is None
        return
    for array, expected in ((result, a @ b), (sums, summed)):
        got = gpu.receive(gpu.send(array))
        np.testing.assert_allclose(
            got, expected, PACKAGES[dtype], PACKAGES[dtype] * shape[1] ** 0.5
        )
