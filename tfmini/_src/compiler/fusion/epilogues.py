"""Epilogues: fuses a bias and an activation, the only readers of their input, into the preceding node's kernel call."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Any

from tfmini._src.compiler.analysis.def_use import Uses
from tfmini._src.compiler.program.fused_node import fused_node
from tfmini._src.compiler.program.program import Node, Program

BIASES = frozenset({"BiasAdd", "BiasAddV1", "Add", "AddV2"})

# follows(node, chain, program): whether a node, the sole reader of a chain's result, extends it.
FusionRule = Callable[[Node, list[Node], Program], bool]


def fuse_chains(
    program: Program,
    rules: Callable[[Node], Sequence[FusionRule]],
    kernel: Callable[[list[Node]], Callable[..., Any]],
) -> Program:
    """Replaces each node and its epilogue with one "fused" node at the position of the last; returns the program.

    A Shape of the first result, used by the bias gradient, becomes the Shape of the last result, which is equal.

    Args:
      rules: allowed successors of a node, in order; empty for a node that cannot begin a chain.
      kernel: returns the evaluator of a chain.
    """
    uses = Uses(program.nodes)
    positions = {id(node): position for position, node in enumerate(program.nodes)}
    replaced: dict[int, list[Node]] = {}
    for node in program.nodes:
        chain, shapes = _reader_chain(node, rules(node), program, uses)
        if len(chain) == 1 or any(id(member) in replaced for member in chain):
            continue  # a sum of two results is fused with only one of them
        side_results = [*node.outputs[1:], *(shape.outputs[0] for shape in shapes)]
        if _is_read_before(side_results, positions[id(chain[-1])], uses, positions):
            continue
        replaced.update({id(member): [] for member in (*chain, *shapes)})
        for shape in shapes:
            shape.inputs = chain[-1].outputs
        replaced[id(chain[-1])] = [_fuse_chain(chain, kernel(chain)), *shapes]
    if replaced:
        program.nodes = [new for node in program.nodes for new in replaced.get(id(node), [node])]
    return program


def _reader_chain(
    first: Node, rules: Sequence[FusionRule], program: Program, uses: Uses
) -> tuple[list[Node], list[Node]]:
    """Returns the chain of single readers that starts at a node, and the nodes that read only shapes from it."""
    chain, shapes = [first], []
    for rule in rules:
        slot = chain[-1].outputs[0]
        readers = uses.readers.get(slot, [])
        shape_readers = [
            node for node in readers if node.kind == "op" and node.opdef.name == "Shape"
        ]
        consumers = [node for node in readers if node not in shape_readers]
        if len(consumers) != 1 or slot in program.fetches or consumers[0].kind != "op":
            continue
        if _has_same_guard_and_device(consumers[0], first) and rule(consumers[0], chain, program):
            if all(_is_movable_shape(node, first, program, uses) for node in shape_readers):
                chain.append(consumers[0])
                shapes += shape_readers
    return chain, shapes


def _has_same_guard_and_device(node: Node, first: Node) -> bool:
    return node.guard == first.guard and node.device == first.device


def _is_movable_shape(shape: Node, first: Node, program: Program, uses: Uses) -> bool:
    """Whether a Shape can move to a later node and read another slot."""
    if shape.controls or id(shape) in uses.awaited_ids or shape.outputs[0] in program.fetches:
        return False
    return _has_same_guard_and_device(shape, first)


def _is_read_before(slots: Sequence[int], last: int, uses: Uses, positions: dict[int, int]) -> bool:
    """Whether any of these slots is read before the chain's last node."""
    readers = (reader for slot in slots for reader in uses.readers.get(slot, ()))
    return any(positions[id(reader)] < last for reader in readers)


def _fuse_chain(chain: list[Node], evaluate: Callable[..., Any]) -> Node:
    internal_slots = {node.outputs[0] for node in chain}
    inputs = tuple(slot for node in chain for slot in node.inputs if slot not in internal_slots)
    outputs = (*chain[-1].outputs, *chain[0].outputs[1:])
    return fused_node(chain, inputs, outputs, evaluate)


def is_bias(node: Node, chain: list[Node], program: Program) -> bool:
    """Whether a node adds a vector to the last axis of the result."""
    if node.opdef.name not in BIASES or node.attrs.get("data_format", "NHWC") != "NHWC":
        return False
    value, bias = node.inputs
    dims, columns = program.slots[value].dims, program.slots[bias].dims
    if value != chain[-1].outputs[0] or not dims or dims[-1] is None:
        return False
    return columns == dims[-1:]


def is_activation(names: Container[str]) -> FusionRule:
    """Returns a predicate for nodes with one of these activations; a ReluGrad must directly follow the first node."""

    def follows(node: Node, chain: list[Node], program: Program) -> bool:
        if node.opdef.name not in names or node.inputs[0] != chain[-1].outputs[0]:
            return False
        if node.opdef.name != "ReluGrad":
            return True
        dims, features = (program.slots[slot].dims for slot in node.inputs)
        return (
            len(chain) == 1
            and dims is not None
            and dims == features
            and node.inputs[1] != node.inputs[0]
        )

    return follows
