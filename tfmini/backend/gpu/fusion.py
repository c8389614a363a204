"""Groups of elementwise ops as one kernel each: its source is generated, its values stay in registers.

A group is steps of one numpy ufunc each, on operands that are inputs or results of steps before. Inputs are arrays of
one shape, or scalars: numpy's, or arrays of one element on the device.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from tfmini.backend.gpu.elementwise import EXPRESSIONS, FUNCTION_NAMES, FUNCTIONS
from tfmini.backend.gpu.launch import THREADS, Array, elements, in_one_piece
from tfmini.backend.gpu.launch import rows as row_launch
from tfmini.backend.gpu.reducing import row_maxima, row_sums
from tfmini.backend.gpu.sources import complete, function_of

_TYPES = {"float32": ("float", "float4"), "float64": ("double", "double2")}
_MEMBERS = ("x", "y", "z", "w")
# Kinds of inputs.
_WHOLE, _ON_DEVICE, _BY_VALUE = "array", "pointer", "value"
_REDUCTIONS = {"add": ("Sum", "T(0)"), "maximum": ("Largest", "Limits<T>::lowest()")}
_PART = 8192  # elements that one block reduces, where all are reduced to one


class Step(Protocol):
    """One ufunc: where its operands come from and where its result goes.

    A place is ("input", i), ("buffer", i) or ("result", 0), as in `tfmini.runtime.blocks.BlockStep`.
    """

    @property
    def ufunc(self) -> Any:
        """numpy's function."""

    @property
    def operands(self) -> tuple[tuple[str, int], ...]:
        """The places of its operands."""

    @property
    def target(self) -> tuple[str, int]:
        """The place of its result."""


def supports(steps: Sequence[Step], dtype: Any) -> bool:
    """Whether there is a kernel for these steps on floats of this dtype."""
    known = all(step.ufunc.__name__ in EXPRESSIONS for step in steps)
    return known and np.dtype(dtype).name in _TYPES


def source(steps: Sequence[Step], dtype: Any, kinds: Sequence[str]) -> str:
    """The CUDA C++ of a group: a kernel `fused`, of one parameter an input, the result and the size.

    `kinds` says of each input how it is given: "array", "pointer" (to one element) or "value".
    """
    scalar, vector = _TYPES[np.dtype(dtype).name]
    width = 16 // np.dtype(dtype).itemsize
    whole = [i for i, kind in enumerate(kinds) if kind == _WHOLE]
    wide = [f"      {vector} w{i} = ((const {vector}*)x{i})[g];" for i in whole]
    made = [
        f"      made.{member} = {_call(kinds, f'w{{}}.{member}')};" for member in _MEMBERS[:width]
    ]
    lines = [
        '#line 1 "fused"',
        *_function(steps, scalar, len(kinds)),
        f'extern "C" __global__ void fused({_parameters(kinds, scalar)},',
        f"                                 {scalar}* y, long long size, bool aligned) {{",
        *_scalars(kinds),
        "  long long first = (long long)blockIdx.x * blockDim.x + threadIdx.x;",
        "  long long step = (long long)gridDim.x * blockDim.x;",
        "  if (aligned) {",
        f"    for (long long g = first; g < size / {width}; g += step) {{",
        *wide,
        f"      {vector} made;",
        *made,
        f"      (({vector}*)y)[g] = made;",
        "    }",
        f"    first += size / {width} * {width};",
        "  }",
        "  for (long long i = first; i < size; i += step)",
        f"    y[i] = {_call(kinds, 'x{}[i]')};",
        "}",
        "",
    ]
    return "\n".join(lines)


def reduction_source(
    steps: Sequence[Step], dtype: Any, kinds: Sequence[str], combine: str, start: str
) -> str:
    """The CUDA C++ of a group whose result is reduced over rows of `columns` elements each; the last
    row may be shorter. `combine` and `start` are an operation and its neutral element of basics.h.
    """
    scalar, _ = _TYPES[np.dtype(dtype).name]
    lines = [
        '#include "basics.h"',
        *_function(steps, scalar, len(kinds)),
        f"KERNEL reduced({_parameters(kinds, scalar)},",
        f"               {scalar}* y, Index rows, Index columns, Index size) {{",
        *_scalars(kinds),
        "  __shared__ T scratch[32];",
        "  FOR_ROWS(row, rows) {",
        "    Index end = (row + 1) * columns < size ? (row + 1) * columns : size;",
        f"    T total = {start};",
        "    for (Index i = row * columns + threadIdx.x; i < end; i += blockDim.x)",
        f"      total = {combine}()(total, {_call(kinds, 'x{}[i]')});",
        f"    total = reduce_row(total, {combine}(), T({start}), scratch);",
        "    if (threadIdx.x == 0) y[row] = total;",
        "  }",
        "}",
        "",
    ]
    return complete("\n".join(lines), "reduced")


def _function(steps: Sequence[Step], scalar: str, count: int) -> list[str]:
    """What computes one element from those of the inputs."""
    body = _body(steps)
    called = FUNCTIONS if any(name in line for name in FUNCTION_NAMES for line in body) else ""
    inputs = ", ".join(f"T i{i}" for i in range(count))
    return [
        f"typedef {scalar} T;",
        called,
        f"__device__ __forceinline__ T compute({inputs}) {{",
        *body,
        "}",
    ]


def _parameters(kinds: Sequence[str], scalar: str) -> str:
    named = {_BY_VALUE: f"{scalar} i{{}}"}
    return ", ".join(
        named.get(kind, f"const {scalar}* x{{}}").format(i) for i, kind in enumerate(kinds)
    )


def _scalars(kinds: Sequence[str]) -> list[str]:
    """The statements that read scalars on the device."""
    return [f"  T i{i} = *x{i};" for i, kind in enumerate(kinds) if kind == _ON_DEVICE]


def _call(kinds: Sequence[str], element: str) -> str:
    """A call of `compute` with an element of each array, and the scalars."""
    given = [element if kind == _WHOLE else "i{}" for kind in kinds]
    return f"compute({', '.join(form.format(i) for i, form in enumerate(given))})"


def _body(steps: Sequence[Step]) -> list[str]:
    """The statements of a group's steps; each gives a variable of its own."""
    names: dict[tuple[str, int], str] = {}
    lines = []
    for number, step in enumerate(steps):
        operands = [names.get(place, f"i{place[1]}") for place in step.operands]
        lines.append(f"  T v{number} = {EXPRESSIONS[step.ufunc.__name__].format(*operands)};")
        names[step.target] = f"v{number}"
    return [*lines, f"  return {names['result', 0]};"]


class FusedKernel:
    """Evaluates a group: `kernel(xp, *inputs)` is the result.

    Args:
      steps: the group; the last one's target is ("result", 0).
      dtype: float32 or float64, of all inputs and the result.
      whole: the inputs that are arrays of the result's shape; the others are scalars.
    """

    def __init__(self, steps: Sequence[Step], dtype: Any, whole: Sequence[int]):
        self._steps = tuple(steps)
        self._dtype = np.dtype(dtype)
        self._whole = frozenset(whole)
        self._texts: dict[tuple, str] = {}

    def __call__(self, xp: Any, *inputs: Any, out: Array = None) -> Array:
        """The result for arrays of one shape, in a new array or in `out`, which may be an input."""
        kinds, arguments = self._given(xp, inputs)
        shape = inputs[min(self._whole)].shape
        result = xp.empty(shape, self._dtype) if out is None else out
        if not result.size:
            return result
        text = self._texts.get(kinds)
        if text is None:
            text = self._texts[kinds] = source(self._steps, self._dtype, kinds)
        place = result.data.ptr
        for i in self._whole:
            place |= arguments[i].data.ptr
        aligned = place % 16 == 0
        grid = elements(-(-result.nbytes // 16) if aligned else result.size)
        kernel = function_of(xp, text, "fused")
        kernel(grid, (THREADS,), (*arguments, result, result.size, aligned))
        return result

    def reduced(self, xp: Any, how: str, *inputs: Any, rows: bool = False) -> Array:
        """The sum ("add") or the largest element ("maximum") of the result: of all of it, with no
        axes, or along its last axis. The result itself is not kept."""
        kinds, arguments = self._given(xp, inputs)
        shape = inputs[min(self._whole)].shape
        size = math.prod(shape)
        count, columns = (math.prod(shape[:-1]), shape[-1]) if rows else (-(-size // _PART), _PART)
        made = xp.empty(shape[:-1] if rows else (count,), self._dtype)
        combine, start = _REDUCTIONS[how]
        if count:
            text = self._texts.get((how, *kinds))
            if text is None:
                text = reduction_source(self._steps, self._dtype, kinds, combine, start)
                self._texts[(how, *kinds)] = text
            grid, block = row_launch(count, columns)
            kernel = function_of(xp, text, "reduced")
            kernel(grid, block, (*arguments, made, count, columns, size))
        return made if rows else _of_parts(xp, how, made)

    def _given(self, xp: Any, inputs: Sequence[Any]) -> tuple[tuple[str, ...], list]:
        """How each input is given to the kernel, and what is given."""
        shape = inputs[min(self._whole)].shape
        kinds, arguments = [], []
        for i, value in enumerate(inputs):
            if i in self._whole:
                if value.shape != shape:
                    raise ValueError(f"arrays of the shapes {shape} and {value.shape} in one group")
                kinds.append(_WHOLE)
                arguments.append(in_one_piece(xp, value))
            elif isinstance(value, xp.ndarray):
                kinds.append(_ON_DEVICE)
                arguments.append(value)
            else:
                kinds.append(_BY_VALUE)
                arguments.append(self._dtype.type(value))
        return tuple(kinds), arguments


def _of_parts(xp: Any, how: str, parts: Array) -> Array:
    """The reduction of what a first launch has reduced."""
    return (row_sums if how == "add" else row_maxima)(xp, parts.reshape(1, -1)).reshape(())
