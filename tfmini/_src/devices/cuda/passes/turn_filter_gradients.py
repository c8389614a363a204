"""turn_filter_gradients: transposes the filter gradients of an update on a GPU to TensorFlow's layout in one launch.

cuDNN returns filter gradients in its own layout, so each would otherwise be transposed separately.
"""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType

from tfmini._src.base.errors import OpError
from tfmini._src.compiler.analysis.def_use import Uses
from tfmini._src.compiler.program.fused_node import fused_node
from tfmini._src.compiler.program.program import FusedGroup, Node, Program
from tfmini._src.devices.arrays import Array
from tfmini._src.devices.cuda.active_gpus import gpu_in_use
from tfmini._src.devices.cuda.cudnn.filters import to_tensorflow_order
from tfmini._src.devices.cuda.device import LogicalGpu
from tfmini._src.ops.nn.convolution.conv2d_ops import filter_gradient_as_view

_MIN_GRADIENTS = 2


def turn_filter_gradients(program: Program) -> Program:
    """Inserts nodes of kind "fused" that transpose gradients before optimizer updates; returns the program."""
    uses = Uses(program.nodes)
    node_by_position: dict[int, Node] = {}
    replaced: dict[int, Node] = {}
    for node in program.nodes:
        if node.kind != "updates":
            continue
        producers = [uses.producer.get(part.gradient) for part in node.updates.parts]
        gradients = [
            producer
            for producer in producers
            if producer is not None and _is_filter_gradient(producer, node, program, uses)
        ]
        if len(gradients) >= _MIN_GRADIENTS:
            node_by_position[id(node)] = _transposing_node(gradients, node, program)
            for producer in gradients:
                gradient = FilterGradient(producer)
                replaced[id(producer)] = fused_node(
                    [producer], producer.inputs, producer.outputs, gradient
                )
    if node_by_position:
        program.nodes = [
            each
            for node in program.nodes
            for each in (
                [node_by_position[id(node)], node]
                if id(node) in node_by_position
                else [replaced.get(id(node), node)]
            )
        ]
    return program


def _is_filter_gradient(node: Node, update: Node, program: Program, uses: Uses) -> bool:
    """Whether a node is the gradient of a filter that only the update reads."""
    if node.kind != "op" or node.opdef.name != "Conv2DBackpropFilter":
        return False
    gpu = program.devices.get(update.device)
    if not isinstance(gpu, LogicalGpu) or not node.attrs["use_cudnn_on_gpu"] or not gpu.has_cudnn:
        return False
    if (node.device, node.guard) != (update.device, update.guard) or id(node) in uses.awaited_ids:
        return False
    slot = node.outputs[0]
    return uses.only_reader(slot) is update and slot not in program.fetches


def _transposing_node(producers: list[Node], update: Node, program: Program) -> Node:
    """Returns the node that transposes the gradients of an update, and redirects the update to it."""
    results = {}
    for producer in producers:
        slot = producer.outputs[0]
        template = program.slots[slot]
        results[slot] = program.new_slot(template.dtype, template.dims)
        program.memory[results[slot]] = update.device
    node = Node("fused", producers[0].origin, tuple(results), tuple(results.values()))
    node.guard, node.device = update.guard, update.device
    node.payload = FusedGroup((), in_order)
    for member in (update, *update.members):
        member.inputs = tuple(results.get(slot, slot) for slot in member.inputs)
    parts = (replace(p, gradient=results.get(p.gradient, p.gradient)) for p in update.updates.parts)
    update.payload = replace(update.updates, parts=tuple(parts))
    return node


def in_order(xp: ModuleType, *gradients: Array) -> list[Array]:
    """Returns the gradients in TensorFlow's order."""
    return to_tensorflow_order(xp, gradients)


class FilterGradient:
    """Evaluates the gradient of a filter, in cuDNN's order; returns None if the node must compute it."""

    def __init__(self, node: Node):
        self._attrs = dict(node.attrs)

    def __call__(self, xp: ModuleType, x: Array, sizes: Array, grad: Array) -> Array | None:
        gpu = gpu_in_use()
        if gpu is None:
            return None
        try:
            result: Array | None = filter_gradient_as_view(gpu, x, sizes, grad, self._attrs)
        except OpError:  # the op itself will raise it
            return None
        return result
