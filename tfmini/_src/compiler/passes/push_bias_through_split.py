"""push_bias_through_split: moves the addition of a bias from before a Split to each of its outputs.

`Split(x + b)` is `x1 + b1, x2 + b2 ...`, and each sum is fused with the elementwise nodes that read the part, into one
launch on a device or one native library call on a CPU: the gates of a cell become one kernel after the product.
"""

from __future__ import annotations

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.compiler.analysis.def_use import Uses
from tfmini._src.compiler.passes.fuse_native import native_formula
from tfmini._src.compiler.program.program import Constant, Node, Program
from tfmini._src.graph import op_registry

_FLOATS = (dtypes.float32, dtypes.float64)


def push_bias_through_split(program: Program) -> Program:
    """Moves the addition of a bias past a Split if only elementwise nodes read each part; returns the program."""
    splits = [n for n in program.nodes if n.kind == "op" and n.opdef.name == "Split"]
    if not splits:
        return program
    uses = Uses(program.nodes)
    replaced: dict[int, list[Node]] = {}
    shared: dict[tuple[object, ...], tuple[int, ...]] = {}  # bias -> its parts
    for node in splits:
        bias = uses.producer.get(node.inputs[1])
        if bias is None or not _adds_bias(bias, node, program) or id(bias) in uses.awaited_ids:
            continue
        if len(uses.readers[bias.outputs[0]]) > 1 or bias.outputs[0] in program.fetches:
            continue
        axis = uses.producer.get(node.inputs[0])
        if axis is None or axis.kind != "const" or axis.constant not in (1, -1):
            continue
        parts = [reader for slot in node.outputs for reader in uses.readers.get(slot, [])]
        device = program.devices.get(node.device)
        formula = native_formula if device is None else device.formula
        if all(reader.kind == "op" and formula(reader) for reader in parts):
            if not set(node.outputs) & set(program.fetches):
                replaced[id(bias)] = []
                replaced[id(node)] = _split_before_bias(bias, node, program, shared)
    if replaced:
        program.nodes = [new for node in program.nodes for new in replaced.get(id(node), [node])]
    return program


def _adds_bias(bias: Node, split: Node, program: Program) -> bool:
    """Whether a node adds a bias to a matrix with a known number of columns that is input to the Split."""
    if bias.kind != "op" or bias.opdef.name != "BiasAdd":
        return False
    dims = program.slots[bias.outputs[0]].dims
    return (
        bias.attrs["T"] in _FLOATS
        and bias.attrs["data_format"] == "NHWC"
        and bias.device == split.device
        and bias.guard == split.guard
        and dims is not None
        and len(dims) == 2
        and dims[1] is not None
        and dims == program.slots[bias.inputs[0]].dims
        and program.slots[bias.inputs[1]].dims == dims[1:]
    )


def _split_before_bias(
    bias: Node, split: Node, program: Program, shared: dict[tuple[object, ...], tuple[int, ...]]
) -> list[Node]:
    """Returns the nodes that split the matrix and, unless already split, the bias, and add them part by part."""
    dtype = bias.attrs["T"]
    matrix, vector = bias.inputs
    zero = program.new_slot(dtypes.int32, ())
    axis = Node("const", split.origin, (), (zero,), payload=Constant(np.int32(0)))
    parts = [program.slots[slot].dims for slot in split.outputs]
    columns = tuple(program.new_slot(dtype, dims) for dims in parts)
    nodes = [axis, _split_like(split, (split.inputs[0], matrix), columns)]
    controls: tuple[Node, ...] = tuple(dict.fromkeys((*bias.controls, *split.controls)))
    key = vector, len(parts), split.device, split.guard, controls
    biases = shared.get(key)
    if biases is None:
        biases = tuple(program.new_slot(dtype, dims and dims[1:]) for dims in parts)
        shared[key] = biases
        nodes.append(_split_like(split, (zero, vector), biases))
    for column, bias_part, result in zip(columns, biases, split.outputs):
        total = Node("op", bias.origin, (column, bias_part), (result,))
        total.opdef = op_registry.opdef("AddV2")
        total.attrs = {"T": dtype}
        nodes.append(total)
    for node in nodes:
        node.guard, node.device, node.controls = split.guard, split.device, controls
    return nodes


def _split_like(split: Node, inputs: tuple[int, ...], outputs: tuple[int, ...]) -> Node:
    return Node("op", split.origin, inputs, outputs)
