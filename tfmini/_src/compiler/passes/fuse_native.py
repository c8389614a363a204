"""fuse_native: elementwise nodes on a CPU that follow each other become one call of the native library.

Groups are those of `groups.py`, as on a GPU: a cell's gates with their gradients, a chain, the formula of a loss. A
call takes as long as some ten of numpy's on small arrays; on large ones it saves the passes through memory.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.compiler.analysis.def_use import Uses
from tfmini._src.compiler.passes.elementwise import (
    Ufunc,
    inputs_and_results,
    reads_as_matrices,
    ufuncs_of,
    with_buffers,
)
from tfmini._src.compiler.passes.fuse_gpu import fused_node, is_on_gpu
from tfmini._src.compiler.passes.fusion_groups import Limits, find_groups
from tfmini._src.compiler.program.program import BlockStep, Node, Program
from tfmini._src.devices.arrays import Array
from tfmini._src.devices.native.elementwise_program import NativeProgram, most_registers, operations
from tfmini._src.devices.numpy.matrix_strides import strides_as_matrix
from tfmini._src.graph.op_traits.elementwise_formula import Steps, of_ufunc

_LIMITS = Limits(inputs=32, members=4096)
# What numpy and a program take, in microseconds, as measured: a ufunc's call, its pass over an element; a program's
# call; an element of a function's series.
_CALL, _PASS, _PROGRAM, _SERIES = 0.35, 0.00012, 4.0, 0.0004
_SERIES_OF = frozenset({"exp", "expm1", "log", "log1p", "tanh", "expit", "erf", "logaddexp"})
_WORTH_A_THREAD = 20.0  # microseconds
_MOST_SHAPES = 64


def fuse_native(program: Program) -> Program:
    """Returns the program with groups of elementwise nodes replaced by one node of kind "fused"."""
    if not operations():
        return program
    readers = Uses(program.nodes).readers
    nodes: dict[int, Node] = {}
    inner: set[int] = set()
    for group in find_groups(program, lambda node: _key(node, program), _LIMITS):
        members = group.nodes
        if len(members) == 1 and len(native_formula(members[0])) < 2:
            continue  # one pass of numpy's
        fused = _fused(members, program, readers)
        if fused is not None:
            nodes[id(members[-1])] = fused
            inner.update(id(node) for node in members[:-1])
    program.nodes = [nodes.get(id(n), n) for n in program.nodes if id(n) not in inner]
    return program


def _key(node: Node, program: Program) -> tuple[object, ...] | None:
    """The key that all nodes of a fusion group share; None for a node that cannot be in a group."""
    if node.kind != "op" or is_on_gpu(node) or not native_formula(node):
        return None
    slot = program.slots[node.outputs[0]]
    if not slot.dims or not reads_as_matrices(node, program):
        return None
    return slot.dims, slot.dtype, node.device, node.guard


def native_formula(node: Node) -> Steps:
    """The steps of a node's op in the native library; none if it lacks one of them, or there is no library."""
    formula, ufunc, inputs, known = (
        node.opdef.formula,
        node.opdef.ufunc,
        len(node.inputs),
        operations(),
    )
    if ufunc:
        steps = of_ufunc(ufunc, inputs)
    else:
        steps = () if formula is None else formula.on_cpu(inputs)
    return steps if all(name in known for name, *_ in steps) else ()


def _fused(members: list[Node], program: Program, readers: dict[int, list[Node]]) -> Node | None:
    """The node that stands for a group; None where it does not pay, or needs too many registers."""
    inputs, outputs = inputs_and_results(members, program, readers)
    formulas = [native_formula(node) for node in members]
    constants, ufuncs, values = ufuncs_of(members, formulas, inputs)
    dims: Any = program.slots[outputs[-1]].dims
    smallest = _smallest(ufuncs)
    if None not in dims and math.prod(dims) < smallest:
        return None
    given = len(inputs) + len(constants)
    steps, buffers = with_buffers(ufuncs, given, [values[slot] for slot in outputs])
    if given + buffers + len(outputs) > most_registers():
        return None
    slots = [program.slots[slot] for slot in inputs]
    dtype = program.slots[outputs[-1]].dtype.as_numpy_dtype
    group = NativeGroup(
        steps,
        buffers,
        len(outputs),
        dtype,
        scalars=[i for i, slot in enumerate(slots) if not slot.dims],
        whole=[i for i, slot in enumerate(slots) if slot.dims == dims],
        inputs=len(inputs),
        constants=constants,
        dims=dims,
        smallest=smallest,
    )
    return fused_node(members, inputs, outputs, group, steps)


def _smallest(ufuncs: Sequence[Ufunc]) -> int:
    """The number of elements from which a program is faster than numpy's calls."""
    return max(0, math.ceil((_PROGRAM / len(ufuncs) - _CALL) / _PASS))


class NativeGroup:
    """Evaluates a group: `group(*inputs)` is the result, or the list of several; None where numpy is to do it.

    Args:
      steps: on ("input", i), ("buffer", i) and ("result", i).
      buffers: how many there are.
      results: how many there are, all of one shape.
      dtype: numpy's, of all.
      scalars: the numbers of the inputs that are single numbers.
      whole: of those that are arrays of the results' shape; the others broadcast to it.
      inputs: how many there are; the steps' inputs after them are `constants`.
      dims: what is known of the results' shape; all where no input is whole.
      smallest: elements from which on it is worth a call.
    """

    def __init__(
        self,
        steps: Sequence[BlockStep],
        buffers: int,
        results: int,
        dtype: type,
        *,
        scalars: Sequence[int],
        whole: Sequence[int],
        inputs: int,
        constants: Sequence[float],
        dims: tuple[int | None, ...] | None,
        smallest: int,
    ):
        self._dtype = dtype
        self._scalars = tuple(scalars)
        self._whole = tuple(whole)
        self._dims = dims
        self._smallest = smallest
        self._constants: list[np.ndarray] = [np.asarray(value, dtype) for value in constants]
        self._single = results == 1
        given = inputs + len(constants)
        first = {"input": 0, "buffer": given, "result": given + buffers}
        numbers = operations()
        written = []
        for step in steps:
            reads = [first[kind] + number for kind, number in step.operands]
            kind, number = step.target
            written.append((numbers[step.operation], reads[0], reads[-1], first[kind] + number))
        registers = given + buffers + results
        parallel = _elements_of_a_thread(steps)
        self._program = NativeProgram(written, given, registers, results, dtype, parallel)
        self._strides: dict[tuple[object, ...], Any] = {}  # by the shapes and strides of the inputs

    def __call__(self, *inputs: Array) -> Array | list[Array] | None:
        arrays = list(inputs)
        for i in self._scalars:
            arrays[i] = np.asarray(inputs[i], self._dtype)
        shape: Any = arrays[self._whole[0]].shape if self._whole else self._dims
        key = tuple([(array.shape, array.strides) for array in arrays])
        strides = self._strides.get(key)
        if strides is None:
            strides = self._strides_of(arrays, shape)
            if len(self._strides) >= _MOST_SHAPES:
                self._strides.clear()
            self._strides[key] = strides
        if strides is False:
            return None
        results: list[Array] = self._program(arrays + self._constants, strides, shape)
        return results[0] if self._single else results

    def _strides_of(self, arrays: Sequence[np.ndarray], shape: tuple[int, ...]) -> Any:
        """The program's `strides` argument for these inputs; False if the program does not suit them."""
        if math.prod(shape) < self._smallest:
            return False
        if any(arrays[i].shape != shape for i in self._whole):
            return False
        pairs = []
        for array in (*arrays, *self._constants):
            pair = strides_as_matrix(array, shape)
            if pair is None or pair[1] > 1:
                return False
            pairs.append(pair)
        return NativeProgram.strides(pairs)


def _elements_of_a_thread(steps: Sequence[BlockStep]) -> int:
    """The number of elements from which more threads are woken."""
    series = sum(step.operation in _SERIES_OF for step in steps)
    return math.ceil(_WORTH_A_THREAD / (len(steps) * _PASS + series * _SERIES))
