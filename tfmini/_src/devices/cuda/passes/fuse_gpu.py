"""fuse_gpu: fuses consecutive elementwise nodes on a GPU into one node with one launch.

The results of a group (see `elementwise_groups.py`) are the values read outside the group. Inputs may broadcast.
"""

from __future__ import annotations

from tfmini._src.base import dtypes
from tfmini._src.compiler.analysis.def_use import Uses
from tfmini._src.compiler.fusion.elementwise_groups import (
    inputs_and_results,
    shapes_read_as_matrices,
)
from tfmini._src.compiler.fusion.fusion_groups import Limits, find_groups
from tfmini._src.compiler.program.fused_node import fused_node
from tfmini._src.compiler.program.program import Node, Program
from tfmini._src.devices.cuda.elementwise import gpu_formula
from tfmini._src.devices.cuda.fusion import Float16Operands
from tfmini._src.devices.cuda.passes.fused_kernels import GroupKernel, RectifiedBias

# Limits of a kernel, beyond which register pressure slows it down.
_LIMITS = Limits(inputs=32, members=40)
# A single such node has a precompiled kernel.
_ONE_LAUNCH = frozenset({"ReluGrad"})


def fuse_gpu(program: Program) -> Program:
    """Returns the program with groups of elementwise nodes on GPUs replaced by one node of kind "fused"."""
    if not any(is_on_gpu(node) for node in program.nodes):
        return program
    groups = find_groups(program, lambda node: _fusion_key(node, program), _LIMITS)
    readers = Uses(program.nodes).readers
    nodes: dict[int, Node] = {}
    inner: set[int] = set()
    biases = {n.outputs[0]: n for n in program.nodes if RectifiedBias.begins(n) and is_on_gpu(n)}
    for group in groups:
        members = group.nodes
        last = members[-1]
        if len(members) > 1 or (_has_steps(last) and last.opdef.name not in _ONE_LAUNCH):
            nodes[id(last)] = _fuse_group(members, program, readers)
            inner.update(id(n) for n in members[:-1])
            continue
        bias = biases.get(last.inputs[0])
        if bias is None or last.opdef.name != "Relu" or len(readers[bias.outputs[0]]) > 1:
            continue
        if bias.outputs[0] not in program.fetches and _shape_key(bias, program) == group.key:
            nodes[id(last)] = fused_node(
                [bias, last], bias.inputs, last.outputs, RectifiedBias(bias)
            )
            inner.add(id(bias))
    program.nodes = [nodes.get(id(n), n) for n in program.nodes if id(n) not in inner]
    return program


def is_on_gpu(node: Node) -> bool:
    return "/device:GPU:" in node.device


def _fusion_key(node: Node, program: Program) -> tuple[object, ...] | None:
    """Returns the key shared by all nodes of a fusion group; None for a node that cannot be in a group."""
    return _shape_key(node, program) if _is_fusible(node, program) else None


def _shape_key(node: Node, program: Program) -> tuple[object, ...]:
    slot = program.slots[node.outputs[0]]
    return slot.dims, compute_dtype(slot.dtype), node.device, node.guard


def _has_steps(node: Node) -> bool:
    """Whether the formula of a node has several operations, not counting the rounding to float16."""
    return len([name for name, *_ in gpu_formula(node) if name != "float16"]) > 1


def _is_fusible(node: Node, program: Program) -> bool:
    """Whether the node is an elementwise op on a GPU that a kernel supports."""
    if node.kind != "op" or not is_on_gpu(node) or not gpu_formula(node):
        return False
    types = {compute_dtype(program.slots[s].dtype) for s in (node.outputs[0], *node.inputs)}
    return types in ({dtypes.float32}, {dtypes.float64}) and shapes_read_as_matrices(node, program)


def compute_dtype(dtype: dtypes.DType) -> dtypes.DType:
    """Returns the dtype in which the kernels compute."""
    return dtypes.float32 if dtype is dtypes.float16 else dtype


def _fuse_group(members: list[Node], program: Program, readers: dict[int, list[Node]]) -> Node:
    inputs, outputs = inputs_and_results(members, program, readers)
    result = program.slots[outputs[-1]]
    halves = [
        frozenset(i for i, s in enumerate(slots) if program.slots[s].dtype is dtypes.float16)
        for slots in (inputs, outputs)
    ]
    dtype = compute_dtype(result.dtype).as_numpy_dtype
    dims = [program.slots[s].dims for s in inputs]
    full_inputs = [i for i, d in enumerate(dims) if d == result.dims]
    broadcast = [i for i, d in enumerate(dims) if d and d != result.dims]
    kernel = GroupKernel(
        members,
        inputs,
        outputs,
        dtype,
        full_inputs,
        broadcast,
        result.dims,
        Float16Operands(*halves),
    )
    return fused_node(members, inputs, outputs, kernel)
