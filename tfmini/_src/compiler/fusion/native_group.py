"""`NativeGroup`: evaluates a group of elementwise nodes in one call to the native library.

Arrays are read as matrices in place: parts of larger ones, broadcast ones, and ones whose last axes are merged. Results
are whole arrays, columns of a wide array, sums of rows, or totals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from tfmini._src.base.records import dataclass
from tfmini._src.compiler.program.program import BlockStep, Node
from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.native.elementwise_program import (
    ROW_SUMS,
    TOTAL_OF_SQUARES,
    TOTAL_SUM,
    NativeProgram,
    element_kind,
    operations,
)
from tfmini._src.devices.host.native.operation_costs import operation_cost
from tfmini._src.devices.numpy.matrix_strides import (
    SHORT_ROW_COLUMNS,
    contiguous_axes,
    merge_axes,
    strides_as_matrix,
)

PASS_MICROSECONDS = 0.00012  # measured time per element of one pass of a ufunc
_SERIES_MICROSECONDS = 0.0004  # measured time per element of exp's series
_MIN_THREAD_MICROSECONDS = 20.0
_MAX_SHAPES = 64
_SUMS = (ROW_SUMS, TOTAL_SUM, TOTAL_OF_SQUARES)

# The positions of a NativeProgram; a shape; for each wide array, the number of results in it and its shape.
Layout: TypeAlias = tuple[list[tuple[int, ...]], tuple[int, ...], list[tuple[int, tuple[int, ...]]]]


@dataclass(frozen=True)
class Operand:
    """The initial value of a register.

    index: index of the input.
    part, count: index of a column block of the input, which has `count` equal ones.
    """

    index: int
    part: int
    count: int
    is_scalar: bool
    has_result_shape: bool  # has the shape of the results; other operands broadcast to it
    kind: int  # `element_kind`

    def layout(self, array: Array, shape: tuple[int, ...]) -> tuple[int, ...] | None:
        """Returns the offset and strides for reading an array as a matrix of `shape`; None if that is impossible."""
        offset = 0
        if self.count > 1:
            columns, remainder = divmod(array.shape[-1] if array.ndim else 0, self.count)
            if remainder or not columns:
                return None
            offset = self.part * columns * array.strides[-1] // array.itemsize
            array = array[..., self.part * columns : (self.part + 1) * columns]
        if self.has_result_shape and array.shape != shape:
            return None
        strides = strides_as_matrix(array, shape)
        if strides is None or strides[1] > 1:
            return None
        if strides[0] == shape[-1] == 1:  # a column, read as adjacent elements
            strides = 1, 1
        return offset, *strides, self.kind


@dataclass(frozen=True)
class RowSum:
    """A result that is the sum over the last axis, or the mean of this many columns."""

    keep_dims: bool
    count: int | None

    kind = ROW_SUMS

    @staticmethod
    def from_node(node: Node, columns: int) -> RowSum:
        return RowSum(node.attrs["keep_dims"], columns if node.opdef.name == "Mean" else None)

    def restore_dims(self, sums: np.ndarray, size: int) -> np.ndarray:
        if self.count is not None:
            sums /= sums.dtype.type(self.count)
        return sums.reshape((*sums.shape, 1)) if self.keep_dims else sums


@dataclass(frozen=True)
class TotalResult:
    """A result that is the sum of all elements, their mean, or half the sum of their squares.

    op: the type of the op that computes it.
    axes: the number of axes of the result.
    """

    op: str
    axes: int

    @staticmethod
    def from_node(node: Node, axes: int) -> TotalResult:
        return TotalResult(node.opdef.name, axes if node.attrs.get("keep_dims") else 0)

    @property
    def kind(self) -> int:
        return TOTAL_OF_SQUARES if self.op == "L2Loss" else TOTAL_SUM

    def restore_dims(self, sums: np.ndarray, size: int) -> Array:
        total: Array = sums[0]
        if self.op != "Sum":
            total /= sums.dtype.type(size if self.op == "Mean" else 2)
        return total.reshape((1,) * self.axes) if self.axes else total


class NativeGroup:
    """Evaluates a group: `group(*inputs)` returns the result, or a list of several; None to fall back to NumPy.

    Args:
      steps: steps on ("input", i), ("buffer", i) and ("result", i).
      buffers: number of buffers.
      results: the dtypes of the results, all of one shape.
      operands: the steps' inputs, followed by `constants`.
      dtype: NumPy dtype of the operands; float16 is computed in float32.
      wide: indices of results placed side by side in one array. These arrays are returned first.
      sums: the sums of rows and totals, by index among the returned arrays.
      dims: static shape of the results; fully known if no operand has the full shape.
      smallest: minimum element count for a call.

    inputs: number of array and scalar inputs; numbers: indices of the steps' operands.
    scalars: dtypes of inputs that may be scalars.
    constants, program: the native program's trailing arguments, and the program.
    sums: as above; empty for a group without reductions.
    """

    def __init__(
        self,
        steps: Sequence[BlockStep],
        buffers: int,
        results: Sequence[type],
        *,
        operands: Sequence[Operand],
        constants: Sequence[float],
        dtype: type,
        wide: Sequence[int],
        sums: dict[int, RowSum | TotalResult],
        dims: tuple[int | None, ...] | None,
        smallest: int,
    ):
        self.dtype = dtype
        self._operands = operands
        self.numbers = [operand.index for operand in operands]
        self.inputs = max(self.numbers, default=-1) + 1
        self.scalars = {operand.index: dtype for operand in operands if operand.is_scalar}
        self._wide_operands = wide
        self.sums = sums
        self._full_operand = next(
            (operand for operand in operands if operand.has_result_shape), None
        )
        self._dims = dims
        self._min_size = smallest
        computed = np.float32 if dtype is np.float16 else dtype
        self.constants: list[np.ndarray] = [np.asarray(value, computed) for value in constants]
        self._results = results
        self._has_single_result = len(results) - sum(wide) + len(wide) == 1
        first_buffer = len(operands) + len(constants)
        first = {"input": 0, "buffer": first_buffer, "result": first_buffer + buffers}
        operation_codes = operations()
        written = []
        for step in steps:
            reads = [first[storage] + index for storage, index in step.operands]
            storage, index = step.target
            operands_of = (reads + [reads[-1]] * 2)[:3]
            written.append((operation_codes[step.operation], *operands_of, first[storage] + index))
        registers = first_buffer + buffers + len(results)
        self._parallel = _elements_per_thread(steps)
        joined = sum(wide) - len(wide)  # number of results minus number of arrays
        # The element kind of each result.
        self._kinds = [element_kind(dtype) for dtype in results]
        for index, each in sums.items():
            self._kinds[index + joined] = each.kind
        self.program = NativeProgram(
            written, first_buffer, registers, results, computed, self._parallel, self._kinds
        )
        # The program, the shape to merge axes to, and the element count, by shapes and strides of the inputs.
        self._layouts: dict[tuple[object, ...], Any] = {}

    def __call__(self, *inputs: Array) -> Array | list[Array] | None:
        arrays = list(inputs[: self.inputs])
        for index, dtype in self.scalars.items():
            arrays[index] = np.asarray(arrays[index], dtype)
        key = tuple([(array.shape, array.strides) for array in arrays])
        layout = self._layouts.get(key)
        if layout is None:
            layout = self._select_program(arrays)
            if len(self._layouts) >= _MAX_SHAPES:
                self._layouts.clear()
            self._layouts[key] = layout
        if not layout:
            return None
        compute, merged, size = layout
        if merged is not None:
            arrays = [merge_axes(array, *merged) for array in arrays]
        results: list[Array] = compute([*[arrays[n] for n in self.numbers], *self.constants])
        if merged is not None:
            shape, _ = merged
            results = [r if n in self.sums else r.reshape(shape) for n, r in enumerate(results)]
        for index, each in self.sums.items():
            results[index] = each.restore_dims(results[index], size)
        return results[0] if self._has_single_result else results

    def microseconds(self, size: int) -> float:
        """Returns the estimated time for this many elements."""
        return _MIN_THREAD_MICROSECONDS * size / self._parallel

    def _select_program(self, arrays: Sequence[np.ndarray]) -> Any:
        """Returns the program for inputs like these; empty if it is unsuitable or slower."""
        operand_layout = self.operand_layout(arrays)
        merged = None
        if operand_layout is None and (merged := self._merged_shape(arrays)) is not None:
            operand_layout = self.operand_layout(
                [merge_axes(array, *merged) for array in arrays], merged
            )
        if operand_layout is None or (size := math.prod(operand_layout[1])) < self._min_size:
            return ()
        if not size and self.sums:  # NumPy computes sums and means of no elements
            return ()
        strides, shape, wide_arrays = operand_layout
        positions = NativeProgram.position_bytes(strides)
        return self.program.bind_shape(positions, shape, wide_arrays), merged, size

    def _merged_shape(self, arrays: Sequence[np.ndarray]) -> tuple[tuple[int, ...], int] | None:
        """Returns the results' shape and the number of last axes to merge if the inputs are parts of larger arrays or
        broadcast along several axes to short rows; else None.
        """
        if (
            self._wide_operands
            or ROW_SUMS in self._kinds
            or any(o.count > 1 for o in self._operands)
        ):
            return None
        shape: Any = (
            self._dims if self._full_operand is None else arrays[self._full_operand.index].shape
        )
        if 0 in shape or any(array.ndim > len(shape) for array in arrays):
            return None
        if all(array.shape == shape or array.size == 1 for array in arrays):
            count = min((contiguous_axes(a) for a in arrays if a.size > 1), default=0)
            if count > 1:
                return shape, count
        return (shape, 2) if len(shape) > 2 and 1 < shape[-1] <= SHORT_ROW_COLUMNS else None

    def operand_layout(
        self, arrays: Sequence[np.ndarray], merged: tuple[tuple[int, ...], int] | None = None
    ) -> Layout | None:
        """Returns the positions of the elements of operands, constants and results, the result shape, and the wide
        arrays among the results; None if the program does not support such inputs.
        """
        shape: Any = self._dims
        if merged is not None:
            shape, count = merged
            shape = (*shape[:-count], math.prod(shape[-count:]))
        elif self._full_operand is not None:
            shape = arrays[self._full_operand.index].shape
            if not shape:
                return None
            shape = (*shape[:-1], shape[-1] // self._full_operand.count)
        strides: list[tuple[int, ...]] = []
        for operand in self._operands:
            layout = operand.layout(arrays[operand.index], shape)
            if layout is None:
                return None
            strides.append(layout)
        strides += [(0, 0, 0)] * len(self.constants)
        columns = shape[-1]
        wide_arrays = [(count, (*shape[:-1], count * columns)) for count in self._wide_operands]
        offsets = [(i * columns, n * columns) for n in self._wide_operands for i in range(n)]
        offsets += [(0, columns)] * (len(self._kinds) - len(offsets))
        strides += [
            (0, 0, 0, kind) if kind in _SUMS else (*offset, 1, kind)
            for offset, kind in zip(offsets, self._kinds)
        ]
        return strides, shape, wide_arrays


def _elements_per_thread(steps: Sequence[BlockStep]) -> int:
    """Returns the minimum element count for waking another thread."""
    series = sum(operation_cost(step.operation).series for step in steps)
    return math.ceil(
        _MIN_THREAD_MICROSECONDS / (len(steps) * PASS_MICROSECONDS + series * _SERIES_MICROSECONDS)
    )
