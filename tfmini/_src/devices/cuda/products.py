"""Matrix products on a GPU, computed with its cuBLAS and cublasLt handles.

CuPy's own products use a handle whose stream cannot be set during capture.
"""

from __future__ import annotations

import functools
from typing import Any

from tfmini._src.base import logs
from tfmini._src.devices.arrays import ArrayModule
from tfmini._src.devices.cuda import tf32
from tfmini._src.devices.cuda.cublas import Cublas, CublasError, open_cublas
from tfmini._src.devices.cuda.cublas_lt import CublasLt
from tfmini._src.devices.cuda.discovery import PhysicalGpu
from tfmini._src.devices.cuda.libraries import cuda_major

_UNFUSED_NOTICE = "products and biases run as separate launches"


class Products:
    """Computes products on a stream of a GPU, with a workspace from its pool; the first one opens the libraries."""

    def __init__(self, cupy: ArrayModule, physical: PhysicalGpu, name: str, pool: Any, stream: Any):
        self.xp = cupy
        self._physical = physical
        self._name = name
        self._pool = pool
        self._stream = stream

    @property
    def workspace_bytes(self) -> int:
        """The number of bytes of the pool that cuBLAS holds."""
        return Cublas.WORKSPACE_BYTES if self.__dict__.get("_blas") is not None else 0

    def multiply(
        self, a: Any, b: Any, transpose_a: bool, transpose_b: bool, out: Any = None
    ) -> Any:
        """Returns op(a) op(b), of matrices or equally long stacks of matrices; float16 is accumulated in float32.

        The result is written to `out` if `out` is contiguous and of the same dtype.
        """
        blas = self._blas
        product = None if blas is None else blas.product(a, b, transpose_a, transpose_b)
        if blas is None or product is None:
            if a.dtype.itemsize == 2:
                float32_product = self.multiply(
                    a.astype("f"), b.astype("f"), transpose_a, transpose_b
                )
                return float32_product.astype(a.dtype)
            left, right = _transpose(a, transpose_a), _transpose(b, transpose_b)
            return self.xp.matmul(left, right)
        if a.dtype.char == "f":
            tf32.log_unused_tf32(self._physical)
        result = out
        if out is None or out.dtype != a.dtype or not out.flags.c_contiguous:
            result = self.xp.empty(product.result_shape, a.dtype)
        if not a.size or not b.size:
            result.fill(0)
        else:
            blas.run(product, _row_major(self.xp, a), _row_major(self.xp, b), result)
        return result

    def multiply_with_epilogue(
        self, a: Any, b: Any, transpose_a: bool, transpose_b: bool, epilogue: int, vector: Any
    ) -> Any:
        """Returns op(a) op(b), of non-empty matrices, with an epilogue of `cublas_lt`; None if one launch cannot do it.

        vector: the bias, or the output for the sums.
        """
        lt = self._blas_lt
        if lt is None or not lt.supports(a.dtype) or max(*a.shape, *b.shape) >= 1 << 31:
            return None
        if a.dtype.char == "f":
            tf32.log_unused_tf32(self._physical)
        result = self.xp.empty((a.shape[transpose_a], b.shape[not transpose_b]), a.dtype)
        a, b = _row_major(self.xp, a), _row_major(self.xp, b)
        output = lt.product(a, b, transpose_a, transpose_b, result, epilogue, vector)
        return result if output else None

    @functools.cached_property
    def _blas_lt(self) -> CublasLt | None:
        library = open_cublas(cuda_major(self.xp), "cublasLt") if self._blas else None
        if library is None:
            if self._blas:
                logs.warning("%s: %s: libcublasLt not found", self._name, _UNFUSED_NOTICE)
            return None
        try:
            size = Cublas.WORKSPACE_BYTES
            return CublasLt(library, self._stream.ptr, self._workspace.ptr, size)
        except CublasError as error:
            logs.warning("%s: %s: %s", self._name, _UNFUSED_NOTICE, error)
            return None

    @functools.cached_property
    def _blas(self) -> Cublas | None:
        library = open_cublas(cuda_major(self.xp))
        if library is None:
            return None
        workspace = self._pool.malloc(Cublas.WORKSPACE_BYTES)
        try:
            blas = Cublas(library, self._stream.ptr, workspace.ptr)
        except CublasError as error:  # for example a library for another CUDA version than CuPy's
            logs.warning("%s: using CuPy for matrix products: %s", self._name, error)
            return None
        self._workspace = workspace  # cuBLAS writes to it for the lifetime of the handle
        return blas


def _row_major(xp: ArrayModule, array: Any) -> Any:
    return array if array.flags.c_contiguous else xp.ascontiguousarray(array)


def _transpose(array: Any, transpose: bool) -> Any:
    return array.swapaxes(-1, -2) if transpose else array
