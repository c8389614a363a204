"""Fuses reductions along the last axis and the elementwise steps around them into one kernel, e.g. masked softmax.

The threads of a row scan it once for each reduction that depends on another, and finally for the results.
Intermediate values are not stored but recomputed from the inputs, which are cached by then.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from tfmini._src.devices.arrays import ArrayModule
from tfmini._src.devices.cuda.elementwise import (
    EXPRESSIONS,
    FUNCTION_NAMES,
    FUNCTIONS,
    OTHER_EXPRESSIONS,
)
from tfmini._src.devices.cuda.fusion import TYPES, Float16Operands, span
from tfmini._src.devices.cuda.kernel_sources import compile_kernel, complete
from tfmini._src.devices.cuda.launch import as_contiguous, rows

REDUCTIONS = {
    "sum": ("Sum", "T(0)"),
    "mean": ("Sum", "T(0)"),
    "max": ("Largest", "Limits<T>::lowest()"),
}
# Input forms: an array of the results' shape, one value per row, one value for all, or any broadcastable array.
_FULL_ARRAY, _ROW_ARRAY, _DEVICE_SCALAR, _VALUE_SCALAR = "array", "rows", "pointer", "value"
_STRIDED_LOOP, _STRIDED_ROWS_LOOP = "strided", "strided rows"
_MAX_AXES = 3  # maximum leading axes
# Length of the longest row that one block reduces as fast as several blocks; number of rows that saturate a GPU.
_MAX_BLOCK_COLUMNS, _MIN_SATURATING_ROWS = 8192, 128

Operand = tuple[str, Any]  # ("input", i), ("step", i) or ("number", a float)


class RowStep(NamedTuple):
    """A step: a ufunc, or "sum", "mean" or "max" along the row; if `is_elementwise`, it has one value per element."""

    name: str
    operands: tuple[Operand, ...]
    is_elementwise: bool

    @property
    def reduces(self) -> bool:
        return self.name in REDUCTIONS


def one_block_per_row(count: int | None, columns: int | None) -> bool:
    """Whether one block per row reduces this many rows (if known) faster than several blocks per row."""
    return (columns or 0) <= _MAX_BLOCK_COLUMNS or count is None or count >= _MIN_SATURATING_ROWS


class RowKernel:
    """Evaluates a group: `kernel(xp, *inputs)` returns the result, a tuple of several, or None for unsuitable shapes.

    Args:
      steps: the group, in order.
      results: indices of the steps read by other nodes.
      keep_dims: for each of these, whether a narrow one keeps the last axis.
      dims: the sizes of each input, with 1 where it is broadcast; () for a scalar. Other sizes match the results.
      rank: rank of the results that keep the last axis.
      dtype: float32 or float64, of all values except `halves`.
    """

    kernel = "reduced"

    def __init__(
        self,
        steps: Sequence[RowStep],
        results: Sequence[int],
        keep_dims: Sequence[bool],
        dims: Sequence[tuple[Any, ...]],
        rank: int,
        dtype: Any,
        halves: Float16Operands,
    ):
        self._steps, self._results, self._keep_dims = tuple(steps), tuple(results), tuple(keep_dims)
        self._dims, self._rank, self._dtype, self._halves = (
            tuple(dims),
            rank,
            np.dtype(dtype),
            halves,
        )
        self._sources: dict[tuple[str, ...], str] = {}

    def __call__(self, xp: ArrayModule, *inputs: Any) -> Any:
        operands = inputs[: len(self._dims)]
        shape = self._shape(operands)
        if shape is None or not one_block_per_row(math.prod(shape[:-1]), shape[-1]):
            return None
        kinds, arguments = zip(
            *(self._argument(xp, i, value, shape) for i, value in enumerate(operands))
        )
        results = []
        for index, (step, keep_dims) in enumerate(zip(self._results, self._keep_dims)):
            reduced_dims = (*shape[:-1], 1) if keep_dims else shape[:-1]
            dtype = np.float16 if index in self._halves.results else self._dtype
            results.append(
                xp.empty(shape if self._steps[step].is_elementwise else reduced_dims, dtype)
            )
        count, columns = math.prod(shape[:-1]), shape[-1]
        if count:
            leading = (1,) * (_MAX_AXES + 1 - len(shape)) + shape[:-1]
            flat = [part for argument in arguments for part in argument]
            kernel = compile_kernel(xp, self._source(kinds), self.kernel)
            kernel(*rows(count, columns), (*flat, *results, count, columns, *leading[1:]))
        return results[0] if len(results) == 1 else tuple(results)

    def _shape(self, inputs: Sequence[Any]) -> tuple[int, ...] | None:
        """Returns the shape of the results if the shape of each input fits its known dims."""
        try:
            shape = np.broadcast_shapes(*(np.shape(value) for value in inputs))
        except ValueError:
            return None  # sizes that were unknown at compile time and do not match
        if len(shape) != self._rank or len(shape) > _MAX_AXES + 1:
            return None
        for value, dims in zip(inputs, self._dims):
            sizes = np.shape(value)
            if len(sizes) != len(dims):
                return None
            for size, dim, extent in zip(sizes, dims, shape[len(shape) - len(dims) :]):
                if size != (1 if dim == 1 else extent):
                    return None
        return shape

    def _argument(
        self, xp: ArrayModule, index: int, value: Any, shape: tuple[int, ...]
    ) -> tuple[str, tuple[Any, ...]]:
        """Returns the kind of an input, and its parameters."""
        if not isinstance(value, xp.ndarray):
            return _VALUE_SCALAR, (self._dtype.type(value),)
        if self._dims[index] == () or value.size == 1:
            return _DEVICE_SCALAR, (value,)
        # Rows of one element look the same as one value per row.
        is_narrow = self._dims[index][-1] == 1
        if value.flags.c_contiguous and value.shape == (*shape[:-1], 1 if is_narrow else shape[-1]):
            return _ROW_ARRAY if is_narrow else _FULL_ARRAY, (value,)
        if min(value.strides) < 0:
            value = as_contiguous(xp, value)
        missing = _MAX_AXES + 1 - value.ndim
        strides = [0 if n == 1 else s // value.itemsize for n, s in zip(value.shape, value.strides)]
        return _STRIDED_ROWS_LOOP if is_narrow else _STRIDED_LOOP, (
            span(xp, value),
            *(0,) * missing,
            *strides,
        )

    def likely_source(self, on_device: Sequence[bool]) -> str:
        """Returns the CUDA C++ for contiguous arrays; the flags select the inputs on the device."""
        kinds = []
        for dims, is_on_device in zip(self._dims, on_device):
            is_narrow = bool(dims) and dims[-1] == 1
            if not dims:
                kinds.append((_VALUE_SCALAR, _DEVICE_SCALAR)[is_on_device])
            elif len(dims) == self._rank and 1 not in dims[:-1]:
                kinds.append(_ROW_ARRAY if is_narrow else _FULL_ARRAY)
            else:
                kinds.append(_STRIDED_ROWS_LOOP if is_narrow else _STRIDED_LOOP)
        return self._source(tuple(kinds))

    def _source(self, kinds: tuple[str, ...]) -> str:
        if kinds not in self._sources:
            self._sources[kinds] = _Source(
                self._steps, self._results, kinds, self._dtype, self._halves
            ).text()
        return self._sources[kinds]


class _Source:
    """The CUDA C++ of a group with inputs of these kinds."""

    def __init__(
        self,
        steps: Sequence[RowStep],
        results: Sequence[int],
        kinds: Sequence[str],
        dtype: Any,
        halves: Float16Operands,
    ):
        self._steps, self._results, self._kinds = steps, results, kinds
        self._scalar = TYPES[np.dtype(dtype).name][0]
        self._halves = halves
        # By step: the number of reductions that must run before it in sequence.
        self._levels: list[int] = []
        for step in steps:
            operand_levels = [
                self._levels[index] for kind, index in step.operands if kind == "step"
            ]
            self._levels.append(max(operand_levels, default=0) + step.reduces)

    def text(self) -> str:
        body: list[str] = []
        for level in range(max(self._levels, default=0) + 1):
            sums = [
                n for n, step in enumerate(self._steps) if step.reduces and self._levels[n] == level
            ]
            if sums:
                body += self._reduce_row(sums)
            lone_steps = (
                n for n, step in enumerate(self._steps) if not (step.is_elementwise or step.reduces)
            )
            body += [self._statement(n) for n in lone_steps if self._levels[n] == level]
        elementwise_steps = [n for n in self._results if self._steps[n].is_elementwise]
        stores = [
            f"y{k}[row * columns + i] = v{n};"
            for k, n in enumerate(self._results)
            if n in elementwise_steps
        ]
        body += (
            self._loop([("step", n) for n in elementwise_steps], stores)
            if elementwise_steps
            else []
        )
        narrow_stores = [
            f"y{k}[row] = v{n};" for k, n in enumerate(self._results) if n not in elementwise_steps
        ]
        body += [f"if (threadIdx.x == 0) {{ {' '.join(narrow_stores)} }}"] if narrow_stores else []
        calls = any(name in line for name in FUNCTION_NAMES for line in body)
        lines = [
            '#include "basics.h"',
            '#include "half.h"',
            f"typedef {self._scalar} T;",
            FUNCTIONS if calls else "",
            f"WIDE_KERNEL(reduced)({', '.join(self._parameters())},",
            "    Index rows, Index columns, Index second, Index third) {",
            "  __shared__ T scratch[32];",
            *(f"  T i{n} = *x{n};" for n, kind in enumerate(self._kinds) if kind == _DEVICE_SCALAR),
            "  FOR_ROWS(row, rows) {",
            *(f"    {line}" for line in (*self._row_starts(), *body)),
            "  }",
            "}",
            "",
        ]
        return complete("\n".join(lines), "reduced")

    def _parameters(self) -> Iterable[str]:
        for index, kind in enumerate(self._kinds):
            ctype = "Half" if index in self._halves.inputs else "T"
            if kind == _VALUE_SCALAR:
                yield f"T i{index}"
                continue
            yield f"const {ctype}* x{index}"
            if kind in (_STRIDED_LOOP, _STRIDED_ROWS_LOOP):
                yield from (f"Index {axis}{index}" for axis in "abcd")
        for index in range(len(self._results)):
            yield f"{'Half' if index in self._halves.results else 'T'}* y{index}"

    def _row_starts(self) -> Iterable[str]:
        """Yields the statements that compute the start of the row in each array input, and row indices."""
        for n, kind in enumerate(self._kinds):
            if kind == _ROW_ARRAY:
                yield f"T i{n} = x{n}[row];"
            elif kind == _FULL_ARRAY:
                yield f"Index at{n} = row * columns;"
            elif kind in (_STRIDED_LOOP, _STRIDED_ROWS_LOOP):
                leading = f"row / third / second * a{n} + row / third % second * b{n} + row % third * c{n}"
                yield f"Index at{n} = {leading};"
            if kind == _STRIDED_ROWS_LOOP:
                yield f"T i{n} = x{n}[at{n}];"

    def _statement(self, index: int) -> str:
        step = self._steps[index]
        formats = {"input": "i{}", "step": "v{}", "number": "T({!r})"}
        operands = [formats[kind].format(which) for kind, which in step.operands]
        expression = {**EXPRESSIONS, **OTHER_EXPRESSIONS}[step.name].format(*operands)
        return f"T v{index} = {expression};"

    def _loop(self, expected: Sequence[Operand], closing_lines: Sequence[str]) -> list[str]:
        """Returns a loop over the row that computes values from the inputs, followed by `closing_lines`."""
        needed: set[int] = set()
        read: set[int] = set()
        pending = list(expected)
        while pending:
            kind, which = pending.pop()
            if kind == "input" and self._kinds[which] in (_FULL_ARRAY, _STRIDED_LOOP):
                read.add(which)
            elif kind == "step" and which not in needed and self._steps[which].is_elementwise:
                needed.add(which)
                pending += self._steps[which].operands
        strides = {n: f" * d{n}" if self._kinds[n] == _STRIDED_LOOP else "" for n in read}
        return [
            "for (Index i = threadIdx.x; i < columns; i += blockDim.x) {",
            *(f"  T i{n} = x{n}[at{n} + i{strides[n]}];" for n in sorted(read)),
            *(f"  {self._statement(n)}" for n in sorted(needed)),
            *(f"  {line}" for line in closing_lines),
            "}",
        ]

    def _reduce_row(self, sums: Sequence[int]) -> list[str]:
        """Returns the statements that compute reductions in one pass over the row."""
        starts, end_lines, totals = [], [], []
        expected = []
        for index in sums:
            step = self._steps[index]
            combine, start = REDUCTIONS[step.name]
            (kind, which) = step.operands[0]
            value = f"{'i' if kind == 'input' else 'v'}{which}"
            starts.append(f"T v{index} = {start};")
            end_lines.append(f"v{index} = {combine}()(v{index}, {value});")
            suffix = " / (T)columns" if step.name == "mean" else ""
            total = f"reduce_row(v{index}, {combine}(), {start}, scratch)"
            totals.append(f"v{index} = {total}{suffix};")
            expected.append(step.operands[0])
        return [*starts, *self._loop(expected, end_lines), *totals]
