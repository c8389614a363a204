"""Matrix products for kernels written for both NumPy and CuPy.

CuPy's own products use a handle whose stream cannot be set during capture (cupy_backends/cuda/libs/cublas.pyx,
setStream), so no step that uses them could be captured.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.devices.arrays import Array, ArrayModule
from tfmini._src.devices.cuda import cublas_lt
from tfmini._src.devices.cuda.active_gpus import gpu_in_use
from tfmini._src.devices.cuda.launch import as_contiguous


def matmul(xp: ArrayModule, a: Any, b: Any, out: Any = None) -> Any:
    """Returns `xp.matmul(a, b, out)`, computed on a GPU with its cuBLAS handle."""
    gpu = None if xp is np else gpu_in_use()
    if gpu is None or a.ndim < 2 or b.ndim < 2 or a.dtype != b.dtype:
        return xp.matmul(a, b) if out is None else xp.matmul(a, b, out=out)
    if a.shape[-1] != b.shape[-2]:
        raise ValueError(f"matmul: incompatible shapes {a.shape} and {b.shape}")
    if a.shape[:-2] != b.shape[:-2]:
        batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        a, b = (xp.broadcast_to(m, (*batch, *m.shape[-2:])) for m in (a, b))
    (a, transpose_a), (b, transpose_b) = _untranspose(a), _untranspose(b)
    result = gpu.products.multiply(a, b, transpose_a, transpose_b, out)
    if out is None or result is out:
        return result
    out[...] = result
    return out


def matmul_with_epilogue(
    xp: ArrayModule, a: Any, b: Any, transposes: tuple[bool, bool], bias: Any, rectify: bool
) -> Any:
    """Returns op(a) op(b), optionally plus a bias; with `rectify`, followed by ReLU.

    Returns None for unsuitable arrays, or if cublasLt does not support the product.
    """
    gpu = gpu_in_use()
    if gpu is None or not _are_multipliable(a, b, *transposes):
        return None
    columns = b.shape[not transposes[1]]
    if bias is not None and (bias.dtype != a.dtype or bias.shape != (columns,)):
        return None
    epilogue = cublas_lt.RELU * rectify + cublas_lt.BIAS * (bias is not None)
    vector = None if bias is None else as_contiguous(xp, bias)
    return gpu.products.multiply_with_epilogue(a, b, *transposes, epilogue, vector)


def matmul_and_column_sums(
    xp: ArrayModule, a: Array, b: Array, transpose_b: bool, sums_first: bool
) -> tuple[Array, Array] | None:
    """Returns the product of a transposed and b, and the column sums of a or b; None if cublasLt lacks a kernel."""
    gpu = gpu_in_use()
    if gpu is None or not _are_multipliable(a, b, True, transpose_b):
        return None
    sums = xp.empty((a if sums_first else b).shape[1], a.dtype)
    epilogue = cublas_lt.SUMS_OF_FIRST if sums_first else cublas_lt.SUMS_OF_SECOND
    result = gpu.products.multiply_with_epilogue(a, b, True, transpose_b, epilogue, sums)
    return None if result is None else (result, sums)


def _are_multipliable(a: Array, b: Array, transpose_a: bool, transpose_b: bool) -> bool:
    """Whether two arrays are matrices with compatible elements."""
    if a.ndim != 2 or b.ndim != 2 or a.dtype != b.dtype or not a.size or not b.size:
        return False
    inner: int = a.shape[not transpose_a]
    return inner == b.shape[transpose_b]


def _untranspose(array: Array) -> tuple[Array, bool]:
    """Returns the array, or the base of a transposed view, since cuBLAS accepts transposition as a flag."""
    if not array.flags.c_contiguous:
        transposed = array.swapaxes(-1, -2)
        if transposed.flags.c_contiguous:
            return transposed, True
    return array, False
