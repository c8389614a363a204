"""Groups of elementwise ops as one kernel each: its source is generated, its values stay in registers.

A group is steps of one numpy ufunc each, on operands that are inputs or results of steps before. Inputs are arrays of
one shape, or scalars: numpy's, or arrays of one element on the device.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from tfmini.backend.gpu.elementwise import EXPRESSIONS, FUNCTIONS
from tfmini.backend.gpu.launch import THREADS, Array, elements, in_one_piece
from tfmini.backend.gpu.sources import function_of

_TYPES = {"float32": ("float", "float4"), "float64": ("double", "double2")}
_MEMBERS = ("x", "y", "z", "w")
# Kinds of inputs.
_WHOLE, _ON_DEVICE, _BY_VALUE = "array", "pointer", "value"


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
    count = len(kinds)
    whole = [i for i, kind in enumerate(kinds) if kind == _WHOLE]
    parameters = [
        f"{scalar} i{i}" if kind == _BY_VALUE else f"const {scalar}* x{i}"
        for i, kind in enumerate(kinds)
    ]
    loads = [f"  T i{i} = *x{i};" for i, kind in enumerate(kinds) if kind == _ON_DEVICE]
    loads_wide = [f"      {vector} w{i} = ((const {vector}*)x{i})[g];" for i in whole]
    calls_wide = [
        f"      made.{m} = compute({_arguments(count, whole, f'w{{}}.{m}')});"
        for m in _MEMBERS[:width]
    ]
    lines = [
        '#line 1 "fused"',
        f"typedef {scalar} T;",
        "typedef long long Index;",
        FUNCTIONS,
        f"__device__ __forceinline__ T compute({', '.join(f'T i{i}' for i in range(count))}) {{",
        *_body(steps),
        "}",
        f'extern "C" __global__ void fused({", ".join(parameters)}, {scalar}* y, long long size, bool aligned) {{',
        *loads,
        "  Index first = (Index)blockIdx.x * blockDim.x + threadIdx.x;",
        "  Index step = (Index)gridDim.x * blockDim.x;",
        "  if (aligned) {",
        f"    for (Index g = first; g < size / {width}; g += step) {{",
        *loads_wide,
        f"      {vector} made;",
        *calls_wide,
        f"      (({vector}*)y)[g] = made;",
        "    }",
        f"    first += size / {width} * {width};",
        "  }",
        f"  for (Index i = first; i < size; i += step) y[i] = compute({_arguments(count, whole, 'x{}[i]')});",
        "}",
        "",
    ]
    return "\n".join(lines)


def _arguments(count: int, whole: Sequence[int], form: str) -> str:
    """The arguments of `compute`: an element of each array, and the scalars."""
    return ", ".join(form.format(i) if i in whole else f"i{i}" for i in range(count))


def _body(steps: Sequence[Step]) -> list[str]:
    """The statements of a group's steps; each gives a variable of its own."""
    names = {}
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
        self._sources: dict[tuple[str, ...], str] = {}

    def __call__(self, xp: Any, *inputs: Any, out: Array = None) -> Array:
        """The result for arrays of one shape, in a new array or in `out`, which may be an input."""
        shape = inputs[min(self._whole)].shape
        arguments, kinds, place = [], [], 0
        for i, value in enumerate(inputs):
            if i in self._whole:
                if value.shape != shape:
                    raise ValueError(f"arrays of the shapes {shape} and {value.shape} in one group")
                value = in_one_piece(xp, value)
                place |= value.data.ptr
                kinds.append(_WHOLE)
            elif isinstance(value, xp.ndarray):
                kinds.append(_ON_DEVICE)
            else:
                value = self._dtype.type(value)
                kinds.append(_BY_VALUE)
            arguments.append(value)
        result = xp.empty(shape, self._dtype) if out is None else out
        if result.size:
            self._launch(xp, tuple(kinds), arguments, result, place | result.data.ptr)
        return result

    def _launch(
        self, xp: Any, kinds: tuple[str, ...], arguments: list, result: Array, place: int
    ) -> None:
        text = self._sources.get(kinds)
        if text is None:
            text = self._sources[kinds] = source(self._steps, self._dtype, kinds)
        aligned = place % 16 == 0
        size = result.size
        grid = elements(-(-size * result.itemsize // 16) if aligned else size)
        kernel = function_of(xp, text, "fused")
        kernel(grid, (THREADS,), (*arguments, result, size, aligned))
