"""Groups of elementwise ops, each fused into one generated kernel that keeps intermediate values in registers.

A group is a list of steps. Each applies a numpy ufunc to inputs or results of earlier steps. Inputs are arrays of one
shape, arrays that broadcast to it, or scalars (numpy scalars or one-element arrays on the device). Strided arrays, such
as column slices, and broadcast arrays are read as matrices with two strides.

Values are computed in float32 or float64; with float32 some of the inputs and results may be float16 in memory.
"""

from __future__ import annotations

import math
from collections.abc import Container, Sequence
from typing import Any, NamedTuple

import numpy as np

from tfmini._src.devices.arrays import ArrayModule
from tfmini._src.devices.cuda.elementwise import (
    EXPRESSIONS,
    FUNCTION_NAMES,
    FUNCTIONS,
    OTHER_EXPRESSIONS,
)
from tfmini._src.devices.cuda.kernel_sources import compile_kernel, complete
from tfmini._src.devices.cuda.launch import (
    THREADS,
    Array,
    as_contiguous,
    grid_for_elements,
    rows as row_launch,
)
from tfmini._src.devices.cuda.reductions import row_maxima, row_sums
from tfmini._src.devices.numpy.matrix_strides import strides_as_matrix

TYPES = {
    "float16": ("Half", "Half4"),
    "float32": ("float", "float4"),
    "float64": ("double", "double2"),
}
_MEMBERS = ("x", "y", "z", "w")
# Input kinds.
_FULL_ARRAY, _MATRIX_VIEW, _DEVICE_SCALAR, _VALUE_SCALAR = "array", "matrix", "pointer", "value"
_REDUCTIONS = {"add": ("Sum", "T(0)"), "maximum": ("Largest", "Limits<T>::lowest()")}
_MAX_LAUNCHES = 256  # maximum cached launches per group, one per set of shapes and strides
_BLOCK_ELEMENTS = 8192  # elements per block in full reductions
_MAX_INT32_ELEMENTS = (
    1 << 30
)  # maximum elements with 32-bit indices, such that adding one more stride does not overflow


# One ufunc with the locations of its operands and result: `ufunc`, `operands`, `target`, as in
# `compiler.program.program.BlockStep`. A location is ("input", i), ("buffer", i) or ("result", i).
Step = Any


Types = tuple[str, str]


class Float16Operands(NamedTuple):
    """Indices of a group's inputs and results that are float16 in memory."""

    inputs: frozenset[int] = frozenset()
    results: frozenset[int] = frozenset()


_NO_HALVES = Float16Operands()


def supports(steps: Sequence[Step], dtype: Any) -> bool:
    """Whether there is a kernel for these steps on floats of this dtype."""
    supported = all(step.ufunc.__name__ in EXPRESSIONS for step in steps)
    return supported and np.dtype(dtype).name in ("float32", "float64")


def source(
    steps: Sequence[Step],
    dtype: Any,
    kinds: Sequence[str],
    index: str = "long long",
    halves: Float16Operands = _NO_HALVES,
) -> str:
    """Returns the CUDA C++ of a group: a kernel `fused`. Its parameters are the inputs, the results, the row length for
    "matrix" inputs, the size, and whether all addresses are aligned for 16-byte loads.

    `kinds`: the form of each input: "array"; "matrix", with the strides of its rows and columns; "pointer" (to one
      element) or "value". `index` is the type of computed indices.
    """
    width = 16 // np.dtype(dtype).itemsize
    results = range(_result_count(steps))
    types = _types(len(kinds), dtype, halves.inputs)
    made_types = _types(_result_count(steps), dtype, halves.results)
    as_matrix = _MATRIX_VIEW in kinds
    lines = [
        '#line 1 "fused"',
        *_function(steps, dtype, types, made_types),
        f'extern "C" __global__ void fused({_parameters(kinds, types)},',
        f"    {', '.join(f'{made_types[k][0]}* y{k}' for k in results)},",
        f"    {'long long columns, ' if as_matrix else ''}long long size, bool aligned) {{",
        *_scalars(kinds),
        f"  {index} first = ({index})blockIdx.x * blockDim.x + threadIdx.x;",
        f"  {index} step = ({index})gridDim.x * blockDim.x;",
    ]
    if not as_matrix:
        full_inputs = [i for i, kind in enumerate(kinds) if kind == _FULL_ARRAY]
        members = _MEMBERS[:width]
        outputs = [[f"made{k}.{member}" for k in results] for member in members]
        lines += [
            "  if (aligned) {",
            f"    for ({index} g = first; g < size / {width}; g += step) {{",
            *(f"      {types[i][1]} w{i} = ((const {types[i][1]}*)x{i})[g];" for i in full_inputs),
            *(f"      {made_types[k][1]} made{k};" for k in results),
            *(
                f"      {_compute_call(kinds, f'w{{}}.{m}', out)};"
                for m, out in zip(members, outputs)
            ),
            *(f"      (({made_types[k][1]}*)y{k})[g] = made{k};" for k in results),
            "    }",
            f"    first += size / {width} * {width};",
            "  }",
        ]
    rows = f"{index} row = i / ({index})columns, column = i - row * ({index})columns;"
    lines += [
        f"  for ({index} i = first; i < size; i += step) {{",
        *([f"    {rows}"] if as_matrix else []),
        f"    {_compute_call(kinds, 'x{}[i]', [f'y{k}[i]' for k in results])};",
        "  }",
        "}",
        "",
    ]
    return _add_half_type("\n".join(lines))


def _add_half_type(text: str) -> str:
    """Returns the source, with a definition of the half type if required."""
    return complete(f'#include "half.h"\n{text}', "fused") if "Half" in text else text


def _types(count: int, dtype: Any, halves: Container[int]) -> list[tuple[str, str]]:
    """Returns the memory types of the arrays, and the vector types in which they are loaded."""
    name = np.dtype(dtype).name
    return [TYPES["float16" if i in halves else name] for i in range(count)]


def _result_count(steps: Sequence[Step]) -> int:
    """Returns the number of results of a group."""
    return 1 + max(index for kind, index in (step.target for step in steps) if kind == "result")


def reduction_source(
    steps: Sequence[Step],
    dtype: Any,
    kinds: Sequence[str],
    combine: str,
    start: str,
    halves: Float16Operands = _NO_HALVES,
) -> str:
    """Returns the CUDA C++ of a group whose result is reduced over rows of `columns` elements each; the last
    row may be shorter. `combine` and `start` are an operation and its neutral element, from basics.h.
    """
    input_types = _types(len(kinds), dtype, halves.inputs)
    scalar = TYPES[np.dtype(dtype).name]
    lines = [
        '#include "basics.h"',
        *_function(steps, dtype, input_types, [scalar]),
        f"WIDE_KERNEL(reduced)({_parameters(kinds, input_types)},",
        f"               {scalar[0]}* y, Index rows, Index columns, Index size) {{",
        *_scalars(kinds),
        "  __shared__ T scratch[32];",
        "  FOR_ROWS(row, rows) {",
        "    Index end = (row + 1) * columns < size ? (row + 1) * columns : size;",
        f"    T total = {start};",
        "    for (Index i = row * columns + threadIdx.x; i < end; i += blockDim.x) {",
        "      T made;",
        f"      {_compute_call(kinds, 'x{}[i]', ['made'])};",
        f"      total = {combine}()(total, made);",
        "    }",
        f"    total = reduce_row(total, {combine}(), T({start}), scratch);",
        "    if (threadIdx.x == 0) y[row] = total;",
        "  }",
        "}",
        "",
    ]
    return complete(_add_half_type("\n".join(lines)), "reduced")


def _function(
    steps: Sequence[Step], dtype: Any, values: Sequence[Types], output_types: Sequence[Types]
) -> list[str]:
    """Returns the statements that compute one element of each result from the inputs' elements."""
    body = _body(steps)
    helper_functions = (
        FUNCTIONS if any(name in line for name in FUNCTION_NAMES for line in body) else ""
    )
    results = [f"{kind}& r{k}" for k, (kind, _) in enumerate(output_types)]
    inputs = ", ".join([*(f"T i{i}" for i in range(len(values))), *results])
    return [
        f"typedef {TYPES[np.dtype(dtype).name][0]} T;",
        helper_functions,
        f"__device__ __forceinline__ void compute({inputs}) {{",
        *body,
        "}",
    ]


def _parameters(kinds: Sequence[str], values: Sequence[Types]) -> str:
    strides = "long long rows{0}, long long columns{0}"
    named = {_VALUE_SCALAR: "T i{0}", _MATRIX_VIEW: f"const {{1}}* x{{0}}, {strides}"}
    return ", ".join(
        named.get(kind, "const {1}* x{0}").format(i, values[i][0]) for i, kind in enumerate(kinds)
    )


def _scalars(kinds: Sequence[str]) -> list[str]:
    """Returns the statements that read the scalars stored on the device."""
    return [f"  T i{i} = *x{i};" for i, kind in enumerate(kinds) if kind == _DEVICE_SCALAR]


def _compute_call(kinds: Sequence[str], element: str, results: Sequence[str]) -> str:
    """Returns a call of `compute` with an element of each array and the scalars."""
    formats = {_FULL_ARRAY: element, _MATRIX_VIEW: "x{0}[row * rows{0} + column * columns{0}]"}
    values = [formats.get(kind, "i{}").format(i) for i, kind in enumerate(kinds)]
    return f"compute({', '.join([*values, *results])})"


def _body(steps: Sequence[Step]) -> list[str]:
    """Returns the statements of a group's steps, each of which defines a variable."""
    names: dict[tuple[str, int], str] = {}
    expressions = {**EXPRESSIONS, **OTHER_EXPRESSIONS}
    lines = []
    for index, step in enumerate(steps):
        operands = [names.get(operand, f"i{operand[1]}") for operand in step.operands]
        lines.append(f"  T v{index} = {expressions[step.ufunc.__name__].format(*operands)};")
        names[step.target] = f"v{index}"
    return [*lines, *(f"  r{k} = {names['result', k]};" for k in range(_result_count(steps)))]


def span(xp: ArrayModule, array: Array) -> Array:
    """Returns the memory from the first element of an array to its last, as a vector."""
    last = sum((n - 1) * s for n, s in zip(array.shape, array.strides) if n)
    size = 1 + last // array.itemsize if array.size else 0
    return xp.lib.stride_tricks.as_strided(array, (size,), (array.itemsize,))


class GroupLaunch(NamedTuple):
    """The launch of a group for inputs with fixed shapes and strides.

    shape: shape of the results.
    text: the CUDA C++; "" for no elements.
    kinds, strides: per input; strides are a matrix's row and column strides, in elements.
    gaps: the indices of the inputs that must be copied first.
    aligned: the indices of the inputs whose alignment decides whether vectors are loaded.
    grid, grid_of_vectors: the grids for elements, and for vectors if they may be loaded.
    sizes: the parameters after the results.
    """

    shape: tuple[int, ...]
    text: str
    kinds: tuple[str, ...]
    strides: tuple[tuple[int, int] | None, ...]
    gaps: tuple[int, ...]
    aligned: tuple[int, ...]
    grid: tuple[int]
    grid_of_vectors: tuple[int] | None
    sizes: tuple[int, ...]


class FusedKernel:
    """Evaluates a group: `kernel(xp, *inputs)` returns the result, or a tuple of several results.

    Args:
      steps: the group; the targets of the last steps are ("result", 0), ("result", 1) and so on.
      dtype: float32 or float64, of all inputs and results.
      full_inputs: indices of the inputs that have the shape of the results.
      broadcast: indices of the array inputs that broadcast to this shape; other inputs are scalars.
      halves: the inputs and results that are float16 instead.
    """

    def __init__(
        self,
        steps: Sequence[Step],
        dtype: Any,
        full_inputs: Sequence[int],
        broadcast: Sequence[int] = (),
        halves: Float16Operands = _NO_HALVES,
    ):
        self._steps = tuple(steps)
        self._dtype = np.dtype(dtype)
        self._full_inputs = frozenset(full_inputs)
        self._broadcast = frozenset(broadcast)
        self._halves = halves
        self._count = _result_count(steps)
        self._sources: dict[tuple[object, ...], str] = {}
        self._arrays = tuple(sorted(self._full_inputs | self._broadcast))
        self._result_dtypes = [
            np.dtype("e") if k in halves.results else self._dtype for k in range(self._count)
        ]
        self._launches: dict[tuple[object, ...], GroupLaunch | None] = {}

    def __call__(
        self, xp: ArrayModule, *inputs: Any, out: Array = None, shape: tuple[int, ...] | None = None
    ) -> Any:
        """Runs the group.

        out: output array for a single result; may be an input.
        shape: the result shape, required if no input has it.
        """
        if shape is None:
            shape = inputs[min(self._full_inputs)].shape
        launch = self.launch_for(xp, inputs, shape)
        if launch is None:
            raise self._shape_error(inputs, shape)
        return self.run(xp, launch, inputs, out)

    def launch_for(
        self, xp: ArrayModule, inputs: Sequence[Any], shape: tuple[int, ...]
    ) -> GroupLaunch | None:
        """Returns the launch for inputs of these shapes and strides; None if they do not suit the group."""
        layouts: list[Any] = []
        for i in self._arrays:
            array = inputs[i]
            layouts += (array.shape, array.strides)
        key = (shape, *map(type, inputs), *layouts)
        try:
            return self._launches[key]
        except KeyError:
            pass
        if len(self._launches) >= _MAX_LAUNCHES:
            self._launches.clear()
        launch = self._launches[key] = self._create_launch(xp, inputs, shape)
        return launch

    def _create_launch(
        self, xp: ArrayModule, inputs: Sequence[Any], shape: tuple[int, ...]
    ) -> GroupLaunch | None:
        kinds: list[str] = []
        strides: list[tuple[int, int] | None] = []
        gaps = []
        for i, value in enumerate(inputs):
            distances = None
            kind = _DEVICE_SCALAR if isinstance(value, xp.ndarray) else _VALUE_SCALAR
            if i in self._full_inputs:
                if value.shape != shape:
                    return None
                kind = _FULL_ARRAY
                if not value.flags.c_contiguous:
                    distances = strides_as_matrix(value, shape)
                    if distances is None:
                        gaps.append(i)
            elif i in self._broadcast:
                distances = strides_as_matrix(value, shape)
                if distances is None:
                    return None
            kinds.append(kind if distances is None else _MATRIX_VIEW)
            strides.append(distances)
        size = math.prod(shape)
        as_matrix = _MATRIX_VIEW in kinds
        columns = ((shape[-1] if shape else 1),) if as_matrix else ()
        return GroupLaunch(
            shape=shape,
            text=self._source(tuple(kinds), as_matrix and size < _MAX_INT32_ELEMENTS)
            if size
            else "",
            kinds=tuple(kinds),
            strides=tuple(strides),
            gaps=tuple(gaps),
            aligned=() if as_matrix else tuple(i for i, k in enumerate(kinds) if k == _FULL_ARRAY),
            grid=grid_for_elements(size),
            grid_of_vectors=None
            if as_matrix
            else grid_for_elements(-(-size * self._dtype.itemsize // 16)),
            sizes=(*columns, size),
        )

    def run(
        self, xp: ArrayModule, launch: GroupLaunch, inputs: Sequence[Any], out: Array = None
    ) -> Any:
        """Returns the results of a call, computed by the launch for these inputs."""
        shape = launch.shape
        if out is None:
            results = [xp.empty(shape, dtype) for dtype in self._result_dtypes]
        else:
            results = [out]
        if launch.text:
            if launch.gaps:
                inputs = list(inputs)
                for i in launch.gaps:
                    inputs[i] = as_contiguous(xp, inputs[i])
            self._launch(xp, launch, inputs, results)
        return results[0] if self._count == 1 else tuple(results)

    def _launch(
        self, xp: ArrayModule, launch: GroupLaunch, inputs: Sequence[Any], results: list[Array]
    ) -> None:
        arguments: list[Any] = []
        for kind, value, strides in zip(launch.kinds, inputs, launch.strides):
            if strides is not None:
                arguments += (value.data, *strides)
            elif kind is _VALUE_SCALAR:
                arguments.append(self._dtype.type(value))
            else:
                arguments.append(value)
        grid, is_aligned = launch.grid, False
        if launch.grid_of_vectors is not None:
            alignment = 0
            for array in results:
                alignment |= array.data.ptr
            for i in launch.aligned:
                alignment |= inputs[i].data.ptr
            if alignment % 16 == 0:
                grid, is_aligned = launch.grid_of_vectors, True
        kernel = compile_kernel(xp, launch.text, "fused")
        kernel(grid, (THREADS,), (*arguments, *results, *launch.sizes, is_aligned))

    def _source(self, kinds: tuple[str, ...], is_narrow: bool) -> str:
        text = self._sources.get((is_narrow, *kinds))
        if text is None:
            index = "int" if is_narrow else "long long"
            text = self._sources[(is_narrow, *kinds)] = source(
                self._steps, self._dtype, kinds, index, self._halves
            )
        return text

    def likely_source(self, on_device: Sequence[bool]) -> str:
        """Returns the CUDA C++ for contiguous arrays; the flags select the inputs on the device."""
        kinds = tuple(
            _FULL_ARRAY
            if i in self._full_inputs
            else _MATRIX_VIEW
            if i in self._broadcast
            else (_VALUE_SCALAR, _DEVICE_SCALAR)[is_on_device]
            for i, is_on_device in enumerate(on_device)
        )
        return self._source(kinds, _MATRIX_VIEW in kinds)

    def reduced(self, xp: ArrayModule, reduction: str, *inputs: Any, rows: bool = False) -> Array:
        """Returns the sum ("add") or the largest element ("maximum") of the result: over all elements, or with `rows`
        along the last axis. The result itself is not stored.
        """
        shape = inputs[min(self._full_inputs)].shape
        kinds, arguments = self._reduction_arguments(xp, inputs, shape)
        size = math.prod(shape)
        count, columns = (
            (math.prod(shape[:-1]), shape[-1])
            if rows
            else (-(-size // _BLOCK_ELEMENTS), _BLOCK_ELEMENTS)
        )
        array = xp.empty(shape[:-1] if rows else (count,), self._dtype)
        combine, start = _REDUCTIONS[reduction]
        if count:
            text = self._sources.get((reduction, *kinds))
            if text is None:
                text = reduction_source(
                    self._steps, self._dtype, kinds, combine, start, self._halves
                )
                self._sources[(reduction, *kinds)] = text
            grid, block = row_launch(count, columns)
            kernel = compile_kernel(xp, text, "reduced")
            kernel(grid, block, (*arguments, array, count, columns, size))
        return array if rows else _combine_partials(xp, reduction, array)

    def _reduction_arguments(
        self, xp: ArrayModule, inputs: Sequence[Any], shape: tuple[int, ...]
    ) -> tuple[tuple[str, ...], list[Any]]:
        """Returns the kind of each parameter of a reduction, and the arguments."""
        kinds: list[str] = []
        arguments: list[Any] = []
        for i, value in enumerate(inputs):
            kind, argument = _DEVICE_SCALAR, value
            if i in self._full_inputs:
                if value.shape != shape:
                    raise self._shape_error(inputs, shape)
                kind, argument = _FULL_ARRAY, as_contiguous(xp, value)
            elif i in self._broadcast:
                strides = strides_as_matrix(value, shape)
                if strides is None:
                    raise self._shape_error(inputs, shape)
                kind, argument = _MATRIX_VIEW, (span(xp, value), *strides)
            elif not isinstance(value, xp.ndarray):
                kind, argument = _VALUE_SCALAR, self._dtype.type(value)
            kinds.append(kind)
            arguments.append(argument)
        return tuple(kinds), arguments

    def _shape_error(self, inputs: Sequence[Any], shape: tuple[int, ...]) -> ValueError:
        """Returns the error for inputs whose shapes do not fit the group."""
        for i in self._arrays:
            other = inputs[i].shape
            if i in self._full_inputs and other != shape:
                return ValueError(f"incompatible shapes {shape} and {other} in a fused group")
        broadcast = [inputs[i] for i in self._broadcast]
        other = next(value.shape for value in broadcast if strides_as_matrix(value, shape) is None)
        return ValueError(f"shape {other} does not broadcast to {shape} in a fused group")


def _combine_partials(xp: ArrayModule, reduction: str, parts: Array) -> Array:
    """Combines the partial results of the first launch."""
    return (row_sums if reduction == "add" else row_maxima)(xp, parts.reshape(1, -1)).reshape(())
