"""Groups of elementwise operations in one call, whose steps process blocks that stay in the L1 cache."""

from __future__ import annotations

import ctypes
import math
import struct
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeAlias

import numpy as np

from tfmini._src.devices.host.native.library import (
    HANDLE_FIELD,
    SUFFIXES,
    Pointer,
    address,
    function,
    handle,
    is_contiguous,
    library,
)
from tfmini._src.devices.host.threads import thread_count

Wide: TypeAlias = Sequence[tuple[int, tuple[int, ...]]]
_INDEX = ctypes.c_int64
_BLOCK = 1024  # elements per block, so that a dozen float registers fit in the L1 cache
_PART = 1 << 19  # elements per part of a large array, to balance the threads
_MAX_PARTS = 64
_MIN_ELEMENTS = 1 << 10  # minimum elements of a single operation; for fewer, NumPy's call is faster
_MIN_PARALLEL_ELEMENTS = 1 << 15
_MIN_PARALLEL_SERIES_ELEMENTS = 1 << 9  # minimum for an operation that sums a series
_FLOAT32, _FLOAT16 = np.dtype(np.float32), np.dtype(np.float16)
# Element kinds of arrays, numbered as in elementwise_program.h: the compute dtype, booleans, float16, sums of rows,
# of all elements, or of their squares.
_ELEMENTS = {np.dtype(bool): 1, _FLOAT16: 2}
ROW_SUMS, TOTAL_SUM, TOTAL_OF_SQUARES = 3, 4, 5
# Lengths of the shortest and the longest rows to sum; for shorter rows, a product with ones is as fast.
SUMMED_COLUMNS = range(32, 1 << 12)


class ProgramFields(ctypes.Structure):
    _fields_ = (
        ("steps", Pointer),
        ("count", _INDEX),
        ("inputs", _INDEX),
        ("registers", _INDEX),
        ("results", _INDEX),
        ("field", _INDEX),
    )


@cache
def operations() -> dict[str, int]:
    """Returns the operation numbers by numpy name; empty without a library."""
    names = function("program_operations")
    if names is None or any(_kernel_for_suffix(suffix) is None for suffix in ("f32", "f64")):
        return {}
    return {n: i for i, n in enumerate(names().decode().split())}


def _kernel_for_suffix(suffix: str) -> Any:
    return function(f"evaluate_{suffix}")


def evaluate_unary(name: str, x: np.ndarray, min_size: int = _MIN_ELEMENTS) -> np.ndarray | None:
    """Applies a unary operation to floats; None if left to NumPy or SciPy, e.g. for fewer than `min_size` elements."""
    dtype = x.dtype
    if x.size < min_size or name not in operations() or not is_contiguous(x):
        return None
    if dtype not in (np.float32, np.float64):
        return None
    positions = NativeProgram.position_bytes([(0, x.shape[-1], 1)] * 2)
    return _one_operation(name, dtype, 1)([x], positions, x.shape)[0]


def convert_floats(x: np.ndarray, dtype: type) -> np.ndarray:
    """Returns `x.astype(dtype)`, computed natively for conversions of many elements between float32 and float16."""
    is_half_conversion = {x.dtype, np.dtype(dtype)} == {_FLOAT32, _FLOAT16}
    if (
        not is_half_conversion
        or x.size < _MIN_ELEMENTS
        or "to_half" not in operations()
        or not is_contiguous(x)
    ):
        return x.astype(dtype)
    positions = [
        (0, x.shape[-1], 1, element_kind(element_dtype)) for element_dtype in (x.dtype, dtype)
    ]
    program = _one_operation("positive", _FLOAT32, 1, dtype)
    return program([x], NativeProgram.position_bytes(positions), x.shape)[0]


def evaluate_series(name: str, *arrays: np.ndarray) -> np.ndarray | None:
    """Applies an expensive operation to broadcasting operands, all float32 or float64; None without the library."""
    dtype = arrays[0].dtype
    if dtype not in (np.float32, np.float64) or name not in operations():
        return None
    if any(array.dtype != dtype for array in arrays):
        return None
    shape = np.broadcast(*arrays).shape
    operands, positions = [], []
    for array in arrays:
        is_array = array.size != 1
        # A NumPy scalar is also converted to an array, because the kernel reads the fields of an array.
        operands.append(np.ascontiguousarray(np.broadcast_to(array, shape) if is_array else array))
        positions.append((0, 0, int(is_array)))
    size = math.prod(shape)
    positions.append((0, 0, 1))
    result = _one_operation(name, dtype, len(arrays))(
        operands, NativeProgram.position_bytes(positions), (size,)
    )[0]
    return result.reshape(shape)


def outer(a: np.ndarray, b: np.ndarray) -> np.ndarray | None:
    """Returns `a @ b` of a column and a row, in a single pass; None if NumPy must compute it."""
    dtype, shape = a.dtype, (a.shape[0], b.shape[1])
    if dtype not in (np.float32, np.float64) or b.dtype != dtype or not operations():
        return None
    if shape[0] * shape[1] < _MIN_PARALLEL_ELEMENTS:
        return None
    column, row = np.ascontiguousarray(a), np.ascontiguousarray(b)
    positions = [(0, 1, 0), (0, 0, 1), (0, 0, 0), (0, shape[1], 1)]
    inputs = [column, row, np.zeros((), dtype)]
    return _outer_product(dtype)(inputs, NativeProgram.position_bytes(positions), shape)[0]


@cache
def _outer_product(dtype: np.dtype) -> NativeProgram:
    """Returns a program for a * b + 0, whose zeros are positive, as in a sum."""
    codes = operations()
    steps = [(codes["multiply"], 0, 1, 1, 3), (codes["add"], 3, 2, 2, 3)]
    return NativeProgram(steps, 3, 4, [dtype], dtype, _MIN_PARALLEL_ELEMENTS)


@cache
def _one_operation(
    name: str, dtype: np.dtype, inputs: int, result: type | None = None
) -> NativeProgram:
    steps = [(operations()[name], 0, min(inputs - 1, 1), inputs - 1, inputs)]
    parallel = _MIN_PARALLEL_ELEMENTS if inputs == 1 else _MIN_PARALLEL_SERIES_ELEMENTS
    return NativeProgram(steps, inputs, inputs + 1, [result or dtype], dtype, parallel)


def element_kind(dtype: np.dtype | type) -> int:
    """Returns the code of an array's dtype, stored at the end of a position."""
    return _ELEMENTS.get(np.dtype(dtype), 0)


def max_registers() -> int:
    """Returns the maximum number of registers of a program, including inputs, buffers and results."""
    return library().program_registers() if library() is not None else 0


class NativeProgram:
    """A program of steps on registers: `program(inputs, places, columns, shapes)` returns the list of results.

    Args:
      steps: (operation, first operand, second operand, third operand, target): the operation's number and registers.
        Registers 0 ... inputs - 1 are the inputs, the last ones are the results. An operation with fewer operands
        repeats the last one.
      inputs: number of inputs.
      registers: total number of registers.
      results: the dtype of each result array: `dtype`, bool, or float16 if `dtype` is float32.
      dtype: the compute dtype, float32 or float64.
      parallel: minimum element count for several threads.
      kinds: for each result, its `element_kind` (the default), ROW_SUMS for sums over the last axis of rows within
        `SUMMED_COLUMNS`, or TOTAL or TOTAL_OF_SQUARES for an array that begins with the sum of all elements or squares.
    """

    def __init__(
        self,
        steps: Sequence[tuple[int, ...]],
        inputs: int,
        registers: int,
        results: Sequence[Any],
        dtype: Any,
        parallel: int,
        kinds: Sequence[int] = (),
    ):
        kinds = kinds or list(map(element_kind, results))
        self._results = list(zip(map(np.dtype, results), kinds))
        self._sums_rows = ROW_SUMS in kinds
        self._steps = np.array(steps, np.int32)
        self._registers = registers
        self._parallel = parallel
        self.fields = address(self._steps), len(steps), inputs, registers, len(results)
        self._program = ProgramFields(*self.fields, HANDLE_FIELD)
        self._kernel = _kernel_for_suffix(SUFFIXES[np.dtype(dtype)])
        self._reference = ctypes.addressof(self._program)
        self._pack = struct.Struct(f"{inputs + len(results)}P").pack

    @staticmethod
    def position_bytes(operands: Sequence[tuple[int, ...]]) -> bytes:
        """Returns the `places` argument of a call: the positions of the elements of each input and result.

        A position consists of the index of the first element, the row and column strides in elements, and the
        `element_kind` unless it is 0.
        """
        fields = [n for operand in operands for n in (*operand, 0)[:4]]
        return struct.pack(f"{len(fields)}q", *fields)

    def bind_shape(
        self, positions: bytes, shape: tuple[int, ...], wide_arrays: Wide = ()
    ) -> Callable[[Sequence[np.ndarray]], list[np.ndarray]]:
        """Returns the program bound to inputs at these positions and results of this shape."""
        size = math.prod(shape)
        if wide_arrays or not 0 < size < min(self._parallel, _BLOCK):
            return lambda inputs: self(inputs, positions, shape, wide_arrays)
        kernel, program, pack = self._kernel, self._reference, self._pack
        columns = shape[-1] if shape else 1
        results = [(_result_shape(shape, kind, size), dtype) for dtype, kind in self._results]

        def call(inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
            outputs = [np.empty(result_shape, dtype) for result_shape, dtype in results]
            objects = pack(*map(handle, inputs), *map(handle, outputs))
            if not kernel(program, objects, positions, size, columns, size, 1, 1):
                raise MemoryError
            return outputs

        return call

    def __call__(
        self,
        inputs: Sequence[np.ndarray],
        positions: bytes,
        shape: tuple[int, ...],
        wide_arrays: Wide = (),
    ) -> list[np.ndarray]:
        """Runs the program; returns the result arrays, of `shape` except for columns of `wide_arrays` arrays and sums.

        All arrays are accessed as matrices whose rows are as long as the last axis of `shape`; the column stride is 0
        or 1. `positions` comes from `NativeProgram.position_bytes`. Each wide array is described by its number of
        results and its shape; these results come first, grouped by wide array.
        """
        outputs = [np.empty(result_shape, self._results[0][0]) for _, result_shape in wide_arrays]
        sources = [array for array, (count, _) in zip(outputs, wide_arrays) for _ in range(count)]
        size = math.prod(shape)
        columns = shape[-1] if shape else 1
        block = _BLOCK if size > _BLOCK else size
        if self._sums_rows:
            block = max(_BLOCK // columns, 1) * columns
        outputs += [
            np.empty(_result_shape(shape, kind, block), dtype)
            for dtype, kind in self._results[len(sources) :]
        ]
        handles = [
            *map(handle, inputs),
            *map(handle, sources),
            *map(handle, outputs[len(wide_arrays) :]),
        ]
        threads = thread_count() if size >= self._parallel else 1
        parts = threads if size < _PART else min(max(threads, size // _PART), _MAX_PARTS)
        objects = self._pack(*handles)
        args = objects, positions, size, columns, block, parts, threads
        if not self._kernel(self._reference, *args):
            raise MemoryError
        return outputs


def _result_shape(shape: tuple[int, ...], kind: int, block: int) -> tuple[int, ...]:
    """Returns the shape of a result array for elements of `shape` that are evaluated in blocks of `block`."""
    if kind in (TOTAL_SUM, TOTAL_OF_SQUARES):
        return (-(-math.prod(shape) // block),)
    return shape[:-1] if kind == ROW_SUMS else shape
