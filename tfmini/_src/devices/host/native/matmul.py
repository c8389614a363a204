"""Matrix products divided into parts for numpy's BLAS, on the threads of the native library."""

from __future__ import annotations

import contextlib
import ctypes
import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from threadpoolctl import threadpool_info

from tfmini._src.devices.host.native.library import (
    FLOATS,
    HANDLE_FIELD,
    SUFFIXES,
    Pointer,
    address,
    function,
    handle,
    is_contiguous,
)
from tfmini._src.devices.host.threads import thread_count

_INDEX = ctypes.c_int64
# OpenBLAS's symbol names with 64-bit sizes (NumPy's build, a distribution's), and with 32-bit sizes.
_NAMES = (("scipy_cblas_{}64_", True), ("cblas_{}64_", True), ("cblas_{}", False))
# Minimum multiplications per part, and per part of a product without packing, whose time is proportional to its size.
_PART, _UNPACKED_PART = 1_000_000, 350_000
# Minimum rows per part and maximum inner size to split by rows: the library packs the right matrix for each part,
# but the next op finds a thread's rows in its cache.
_MIN_SPLIT_ROWS, _MAX_SPLIT_INNER = 48, 1024
# OpenBLAS's kernels without packing: float32, up to this many multiplications and, if the right matrix is
# transposed, this many result elements; worthwhile from this many columns.
_MAX_UNPACKED_PRODUCTS, _MAX_UNPACKED_RESULT = 1_000_000, 1024
_MIN_COLUMNS, _MIN_TRANSPOSED = 32, 16
_UNPACKED_ARCHITECTURES = ("SkylakeX", "Cooperlake", "SapphireRapids")
_MAX_SHAPES = 256

# Epilogues, numbered as in kernels/cpu/matmul.cpp: an activation, or the gradient of one by the product.
NO_ACTIVATION = 0
ACTIVATIONS = {"Relu": 1, "Tanh": 2, "Sigmoid": 3, "ReluGrad": 4}


class _Product(ctypes.Structure):
    _fields_ = (
        ("function", Pointer),
        *((name, _INDEX) for name in "wide rows inner columns".split()),
        *((name, _INDEX) for name in "turned_a width_a turned_b width_b".split()),
        *((name, _INDEX) for name in "by_rows parts threads piece".split()),
        ("bounds", Pointer),
        ("field", _INDEX),
        ("after", _INDEX),
    )


class _Batch(ctypes.Structure):
    _fields_ = (("each", _Product), ("count", _INDEX), ("step_a", _INDEX), ("step_b", _INDEX))


@cache
def _blas() -> tuple[Any, bool]:
    """Returns the OpenBLAS that numpy uses, and whether it has kernels without packing; None for another BLAS."""
    with contextlib.suppress(FileNotFoundError):  # Linux without /proc
        for info in threadpool_info():
            if info["internal_api"] == "openblas" and "numpy" in info["filepath"]:
                return ctypes.CDLL(info["filepath"]), info.get(
                    "architecture"
                ) in _UNPACKED_ARCHITECTURES
    return None, False


@cache
def _multiplication(dtype: str) -> tuple[Any, bool, int] | None:
    """Returns gemm's address, whether its sizes have 64 bits, and the maximum number of unpacked multiplications."""
    library, has_unpacked = _blas()
    unpacked = _MAX_UNPACKED_PRODUCTS if has_unpacked and dtype == "float32" else 0
    for pattern, is_wide in _NAMES if library is not None else ():
        name = pattern.format({"float32": "sgemm", "float64": "dgemm"}[dtype])
        if hasattr(library, name):
            return ctypes.cast(library[name], Pointer).value, is_wide, unpacked
    return None


def _layout(matrix: np.ndarray) -> tuple[bool, int] | None:
    """Returns whether a matrix is transposed, and its leading dimension; None if neither layout fits."""
    size = matrix.itemsize
    rows, columns = matrix.strides
    if columns == size and rows >= matrix.shape[1] * size and rows % size == 0:
        return False, rows // size
    if rows == size and columns >= matrix.shape[0] * size and columns % size == 0:
        return True, columns // size
    return None


def is_divided_unpacked(rows: int, inner: int, columns: int) -> bool:
    """Whether `product` divides a float32 product, with an untransposed right matrix, that BLAS would compute on one
    thread, among several threads.
    """
    if (
        not 2 * _UNPACKED_PART <= rows * inner * columns <= _MAX_UNPACKED_PRODUCTS
        or min(rows, columns) == 1
    ):
        return False
    call = _multiplication("float32")
    return thread_count() > 1 and call is not None and call[2] > 0


class _PreparedMatmul:
    """The product for fixed shapes and strides, or the products of `batch` matrices that are `steps` elements apart."""

    def __init__(
        self,
        call: tuple[Any, bool, int],
        kernel: Any,
        layouts: Sequence[Any],
        sizes: tuple[int, ...],
        activation: int = NO_ACTIVATION,
        batch: tuple[int, ...] = (),
        steps: Sequence[int] = (),
    ):
        rows, inner, columns = sizes
        (turned_a, width_a), (turned_b, width_b) = layouts
        count, threads = math.prod(batch), thread_count()
        multiply, is_wide, unpacked = call
        smallest = _UNPACKED_PART if unpacked and not turned_b else _PART
        parts = max(1, min(threads, count * rows * inner * columns // smallest))
        splits_rows, piece = True, columns
        if batch:
            self._bounds, parts = np.array([0, rows]), max(1, min(parts, count))
        else:
            splits_rows = rows > columns or (
                rows >= _MIN_SPLIT_ROWS * parts and inner <= _MAX_SPLIT_INNER
            )
            self._bounds = _tile_bounds(rows if splits_rows else columns, parts)
            parts = len(self._bounds) - 1
        if unpacked and not batch:
            own_rows = int(np.diff(self._bounds).max()) if splits_rows else rows
            max_columns, min_columns = unpacked // (inner * own_rows), _MIN_COLUMNS
            if turned_b:
                max_columns, min_columns = (
                    min(max_columns, _MAX_UNPACKED_RESULT // own_rows),
                    _MIN_TRANSPOSED,
                )
            if max_columns >= min_columns:
                piece = max_columns // 16 * 16
        product = _Product(
            *(multiply, is_wide, rows, inner, columns, turned_a, width_a, turned_b, width_b),
            *(splits_rows, parts, threads, piece, address(self._bounds), HANDLE_FIELD, activation),
        )
        self._argument = _Batch(product, count, *steps) if batch else product
        self.reference = ctypes.addressof(self._argument)
        self.kernel = kernel
        self.shape = *batch, rows, columns


def _tile_bounds(size: int, parts: int) -> np.ndarray:
    """Returns the bounds of the parts, which are multiples of the library's tile size."""
    step = 16
    return np.array(
        [min(size, -(-size * p // parts // step) * step) for p in range(parts)] + [size]
    )


@cache
def can_finish() -> bool:
    """Whether there is a library that computes products with epilogues."""
    return function("product_f32") is not None and _multiplication("float32") is not None


_prepared: dict[
    tuple[object, ...], _PreparedMatmul | None
] = {}  # by shapes, strides, dtypes and threads


def product(
    a: np.ndarray,
    b: np.ndarray,
    bias: np.ndarray | None = None,
    activation: int = NO_ACTIVATION,
    features: np.ndarray | None = None,
) -> np.ndarray | None:
    """Returns `a @ b` of two matrices of one dtype, with an epilogue; None if NumPy must compute it: without the
    library, with another BLAS, for unsupported strides, or for a single row or column.

    Args:
      a, b: [rows, inner] and [inner, columns], each optionally transposed.
      bias: [columns], added to each row.
      activation: the epilogue: NOTHING, or a value of AFTER.
      features: [rows, columns], the other input of ReluGrad.
    """
    dtype = a.dtype
    key = (
        a.shape,
        a.strides,
        b.shape,
        b.strides,
        dtype.char,
        b.dtype.char,
        thread_count(),
        activation,
    )
    try:
        prepared = _prepared[key]
    except KeyError:
        if len(_prepared) >= _MAX_SHAPES:
            _prepared.clear()
        prepared = _prepared[key] = _prepared_matmul(a, b, activation)
    if prepared is None:
        return None
    result = np.empty(prepared.shape, dtype)
    if bias is None and activation == NO_ACTIVATION:
        prepared.kernel(prepared.reference, handle(a), handle(b), handle(result), None, None)
        return result
    extra_operands = (bias, prepared.shape[1:]), (features, prepared.shape)
    if not all(array is None or _is_plain(array, dtype, shape) for array, shape in extra_operands):
        return None
    handles = [None if array is None else handle(array) for array, _ in extra_operands]
    prepared.kernel(prepared.reference, handle(a), handle(b), handle(result), *handles)
    return result


def _is_plain(array: np.ndarray, dtype: np.dtype, shape: tuple[int, ...]) -> bool:
    return array.dtype == dtype and array.shape == shape and is_contiguous(array)


def _prepared_matmul(a: np.ndarray, b: np.ndarray, activation: int) -> _PreparedMatmul | None:
    if a.dtype != b.dtype or a.dtype not in FLOATS:
        return None
    layouts = _layout(a), _layout(b)
    if None in layouts or a.shape[1] != len(b) or 0 in a.shape or 0 in b.shape:
        return None
    # NumPy computes a matrix-vector product without copies.
    if len(a) == 1 or b.shape[1] == 1:
        return None
    kernel: Callable[..., None] | None = function(f"product_{SUFFIXES[a.dtype]}")
    multiplication = None if kernel is None else _multiplication(a.dtype.name)
    if multiplication is None:
        return None
    return _PreparedMatmul(
        multiplication, kernel, layouts, (len(a), a.shape[1], b.shape[1]), activation
    )


_prepared_batches: dict[tuple[object, ...], _PreparedMatmul | None] = {}


def batch_product(a: np.ndarray, b: np.ndarray) -> np.ndarray | None:
    """Returns `a @ b` of batches [..., rows, inner] and [..., inner, columns], each optionally transposed; None if
    NumPy must compute it, as in `product`.
    """
    key = a.shape, a.strides, b.shape, b.strides, a.dtype.char, b.dtype.char, thread_count()
    try:
        prepared = _prepared_batches[key]
    except KeyError:
        if len(_prepared_batches) >= _MAX_SHAPES:
            _prepared_batches.clear()
        prepared = _prepared_batches[key] = _prepare_batch(a, b)
    if prepared is None:
        return None
    result = np.empty(prepared.shape, a.dtype)
    prepared.kernel(prepared.reference, handle(a), handle(b), handle(result))
    return result


def _prepare_batch(a: np.ndarray, b: np.ndarray) -> _PreparedMatmul | None:
    batch = a.shape[:-2]
    if a.dtype != b.dtype or a.dtype not in FLOATS or b.shape[:-2] != batch:
        return None
    if 0 in a.shape or 0 in b.shape or a.shape[-1] != b.shape[-2]:
        return None
    if 1 in (a.shape[-2], b.shape[-1]):  # matrix-vector products
        return None
    layouts, steps = [], []
    for operand in (a, b):
        layout, step = _layout(operand[(0,) * len(batch)]), _matrix_step(operand)
        if layout is None or step is None:
            return None
        layouts.append(layout)
        steps.append(step)
    kernel: Callable[..., None] | None = function(f"products_{SUFFIXES[a.dtype]}")
    multiplication = _multiplication(a.dtype.name)
    if kernel is None or multiplication is None:
        return None
    sizes = a.shape[-2], a.shape[-1], b.shape[-1]
    return _PreparedMatmul(multiplication, kernel, layouts, sizes, batch=batch, steps=steps)


def _matrix_step(batch: np.ndarray) -> int | None:
    """Returns the distance in elements between consecutive matrices of a batch; None if it varies."""
    step = batch.strides[-3]
    expected = step
    for size, stride in zip(batch.shape[-3::-1], batch.strides[-3::-1]):
        if stride != expected and size > 1:
            return None
        expected = stride * size if size > 1 else expected
    return None if step < 0 or step % batch.itemsize else step // batch.itemsize
