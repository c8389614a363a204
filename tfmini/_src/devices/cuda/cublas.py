"""Matrix products by direct cuBLAS calls.

CuPy's wrapper fails during stream capture, and changes the settings of the handle in each call. Here,
each handle belongs to one stream and has a separate workspace, so a captured product always uses the same memory.
Arrays are row-major and cuBLAS is column-major: it computes the transposed product, with the factors swapped.
"""

from __future__ import annotations

import ctypes
import math
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from tfmini._src.base.names.lazy_imports import pathlib
from tfmini._src.devices.cuda import tf32
from tfmini._src.devices.launch_hooks import notify_launch, watchers

_WORKSPACE_BYTES = 32 << 20  # NVIDIA's recommendation for Hopper
_MAX_PRODUCTS = 1024  # maximum cached products, one per set of shapes
_KEEP, _TRANSPOSE = 0, 1  # CUBLAS_OP_N, CUBLAS_OP_T
_LETTERS = {"f": "S", "d": "D", "F": "C", "D": "Z"}
# Half precision with the Ex functions: cudaDataType, CUBLAS_COMPUTE_32F (sums in float32), CUBLAS_GEMM_DEFAULT.
_HALVES = {"float16": 2, "bfloat16": 14}
_SUMS_OF_FLOATS, _DEFAULT = 68, -1
# cublasMath_t: CUBLAS_TF32_TENSOR_OP_MATH, and CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION: without this
# flag, split-K products of halves may accumulate in half precision.
_TF32, _FULL_SUMS = 3, 16

_STATUS = {
    1: "not initialized",
    3: "allocation failed",
    7: "invalid value",
    8: "architecture mismatch",
    11: "mapping error",
    13: "execution failed",
    14: "internal error",
    15: "not supported",
}


def open_cublas(major: int, library: str = "cublas") -> ctypes.CDLL | None:
    """Loads libcublas, or "cublasLt", for a CUDA major version, from an installation or NVIDIA's wheels, if found.

    If wheels for several versions are installed, pathfinder returns the newest, regardless of CuPy's version.
    """
    name = f"{library}64_{major}.dll" if sys.platform == "win32" else f"lib{library}.so.{major}"
    for path in _candidate_paths(library, name):
        with suppress(OSError):
            return ctypes.CDLL(path)
    return None


def _candidate_paths(library: str, name: str) -> Iterator[str]:
    """Yields candidate paths of a cuBLAS library file."""
    try:
        from cuda import pathfinder  # noqa: PLC0415  comes with CuPy

        path: str = pathfinder.load_nvidia_dynamic_lib(library).abs_path
        if pathlib.Path(path).name.startswith(name):
            yield path
    except (ImportError, RuntimeError, OSError):  # raised if it is missing
        pass
    yield name  # a bare name, which the loader searches for
    for directory in sys.path:
        yield from map(str, pathlib.Path(directory).glob(f"nvidia/*/lib/{name}"))


class CublasError(RuntimeError):
    """Raised when a cuBLAS call fails.

    status: the cublasStatus_t that it returned.
    """

    def __init__(self, name: str, status: int):
        super().__init__(f"{name}: {_STATUS.get(status, 'unknown status')} ({status})")
        self.status = status


class Cublas:
    """A handle of libcublas for one stream; `workspace` is `WORKSPACE_BYTES` bytes of the caller's device memory."""

    WORKSPACE_BYTES = _WORKSPACE_BYTES

    def __init__(self, library: ctypes.CDLL, stream: int, workspace: int):
        self._library = library
        self._handle = ctypes.c_void_p()
        self._call("cublasCreate_v2", ctypes.byref(self._handle), with_handle=False)
        self._call("cublasSetStream_v2", ctypes.c_void_p(stream))
        self._call(
            "cublasSetWorkspace_v2",
            ctypes.c_void_p(workspace),
            ctypes.c_size_t(_WORKSPACE_BYTES),
        )
        mode = _FULL_SUMS | (_TF32 if tf32.is_on() else 0)
        self._call("cublasSetMathMode", ctypes.c_int(mode))
        self._scalars: dict[tuple[str, int], Any] = {}
        self._products: dict[tuple[object, ...], Product | None] = {}

    def supports(self, dtype: Any) -> bool:
        """Whether cuBLAS multiplies this dtype."""
        return dtype.char in _LETTERS or dtype.name in _HALVES

    def product(self, a: Any, b: Any, transpose_a: bool, transpose_b: bool) -> Product | None:
        """Plans the product op(a) op(b) of row-major matrices of one dtype, or of stacks of equal length; None if
        unsupported.

        op(a): [..., m, k]; op(b): [..., k, n]; equal leading shapes. `run` computes the product.
        """
        key = (a.dtype, a.shape, b.shape, transpose_a, transpose_b)
        try:
            return self._products[key]
        except KeyError:
            pass
        if len(self._products) >= _MAX_PRODUCTS:
            self._products.clear()
        fits = self.supports(a.dtype) and max(*a.shape, *b.shape) < 1 << 31
        product = self._create_product(a, b, transpose_a, transpose_b) if fits else None
        self._products[key] = product
        return product

    def run(self, product: Product, a: Any, b: Any, result: Any) -> None:
        """Writes the product of arrays of these shapes to `result`, [..., m, n], row-major."""
        if watchers:
            notify_launch("cuBLAS", product.name)
        status = product.function(
            *(self._handle, *product.before, ctypes.c_void_p(b.data.ptr), *product.after_first),
            *(ctypes.c_void_p(a.data.ptr), *product.after_second),
            *(ctypes.c_void_p(result.data.ptr), *product.after_result),
        )
        if status:
            raise CublasError(product.name, status)

    def _create_product(self, a: Any, b: Any, transpose_a: bool, transpose_b: bool) -> Product:
        rows, inner = a.shape[-2:][:: -1 if transpose_a else 1]
        columns = b.shape[-2 if transpose_b else -1]
        half = _HALVES.get(a.dtype.name)
        letter = "S" if half else _LETTERS[a.dtype.char]
        count = math.prod(a.shape[:-2])
        batched = count != 1
        one, zero = self._scalar(letter, 1), self._scalar(letter, 0)
        shape = (
            ctypes.c_int(_TRANSPOSE if transpose_b else _KEEP),
            ctypes.c_int(_TRANSPOSE if transpose_a else _KEEP),
            ctypes.c_int(columns),
            ctypes.c_int(rows),
            ctypes.c_int(inner),
        )
        type_code = (ctypes.c_int(half),) if half else ()
        result_shape = (*a.shape[:-2], rows, columns)
        parts = [(*type_code, *_layout(dims, batched)) for dims in (b.shape, a.shape, result_shape)]
        end = (ctypes.c_int(count),) if batched else ()
        if half:  # accumulated in float32
            name = "cublasGemmStridedBatchedEx" if batched else "cublasGemmEx"
            end = (*end, ctypes.c_int(_SUMS_OF_FLOATS), ctypes.c_int(_DEFAULT))
        else:
            name = f"cublas{letter}gemm{'StridedBatched' if batched else '_v2'}"
        return Product(
            *(result_shape, name, getattr(self._library, name), (*shape, one)),
            *(parts[0], (*parts[1], zero), (*parts[2], *end)),
        )

    def _scalar(self, letter: str, value: int) -> Any:
        scalar = self._scalars.get((letter, value))
        if scalar is None:
            dtype = {"S": np.float32, "D": np.float64, "C": np.complex64, "Z": np.complex128}[
                letter
            ]
            scalar = self._scalars[letter, value] = np.array(value, dtype)
        return ctypes.c_void_p(scalar.ctypes.data)

    def _call(self, name: str, *arguments: Any, with_handle: bool = True) -> None:
        handle = (self._handle,) if with_handle else ()
        status = getattr(self._library, name)(*handle, *arguments)
        if status:
            raise CublasError(name, status)

    def close(self) -> None:
        """Releases the handle."""
        if self._handle:
            self._call("cublasDestroy_v2")
            self._handle = ctypes.c_void_p()


class Product(NamedTuple):
    """A cuBLAS call for fixed shapes: the arguments around the three array addresses."""

    result_shape: tuple[int, ...]
    name: str
    function: Any
    before: tuple[Any, ...]
    after_first: tuple[Any, ...]
    after_second: tuple[Any, ...]
    after_result: tuple[Any, ...]


def _layout(shape: tuple[int, ...], batched: bool) -> tuple[ctypes.c_int | ctypes.c_longlong, ...]:
    """Returns the leading dimension of the matrices in a row-major array, and the stride between stacked matrices."""
    leading = ctypes.c_int(max(1, shape[-1]))
    return (leading, ctypes.c_longlong(shape[-2] * shape[-1])) if batched else (leading,)
