"""Gradients of If and Case: nodes of the same type, whose branches are the branches' gradients.

Intermediate values that a gradient needs become outputs of the forward node: optionals, which have a value if the
branch was taken.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from tfmini._src.autodiff.gradients import gradients
from tfmini._src.autodiff.pending_counts import is_trainable
from tfmini._src.base import dtypes
from tfmini._src.base.identity import index_in, is_in
from tfmini._src.functions.called_graphs import (
    add_outputs,
    called_graph,
    extend_function,
    resource_input,
)
from tfmini._src.functions.cond_v2 import Branch, build_choice, cast_indices, part_name
from tfmini._src.functions.traced_function import TracedGraph
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.opdef import public
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops, raw


class _BranchGradientGraph(TracedGraph):
    """The gradient of a branch.

    optionals: maps each tensor of the branch to the optional that holds it.
    adds_outputs: whether the forward branch needs additional outputs.
    """

    def __init__(self, name: str, branch: TracedGraph, is_part: bool):
        super().__init__(name, is_part)
        self._branch = branch
        self._values: dict[Tensor, Tensor] = {}
        self.optionals: dict[Tensor, Tensor] = {}
        self.adds_outputs = False

    def capture(self, tensor: Tensor, name: str | None = None) -> Tensor:
        """Captures a value as any function does; intermediate values of the branch are read from optionals."""
        branch = self._branch
        if tensor.graph is not branch or is_in(tensor, [*branch.inputs, *branch.outputs]):
            return super().capture(tensor, name)
        if tensor not in self._values:
            self._values[tensor] = self._value(tensor, name)
        return self._values[tensor]

    def _value(self, tensor: Tensor, name: str | None) -> Tensor:
        if tensor.dtype is dtypes.resource:
            return super().capture(resource_input(self._branch, tensor), name)
        optional = _find_optional(tensor, self._branch)
        if optional is None:
            self.adds_outputs = True
            with self._branch.as_default():
                optional = raw.OptionalFromValue([tensor])
        self.optionals[tensor] = optional
        captured = super().capture(optional, name or tensor.op.name)
        return raw.OptionalGetValue(
            captured, output_types=[tensor.dtype], output_shapes=[tensor.shape]
        )[0]


def _find_optional(tensor: Tensor, branch: TracedGraph) -> Tensor | None:
    """Returns the optional of a tensor that the branch already outputs for another gradient, else None."""
    for consumer in tensor._consumers:
        if consumer.type == "OptionalFromValue" and is_in(consumer.outputs[0], branch.outputs):
            return consumer.outputs[0]
    return None


@public
def branch_gradients(op: Operation, grads: Sequence[Any]) -> list:
    """Returns the gradients of the inputs of an If or Case; None for the predicate or index."""
    op = op.outputs[0].op  # the mutable operation
    keys = ("branches",) if op.type == "Case" else ("then_branch", "else_branch")
    values = [op.attrs[key] for key in keys]
    called = values[0] if op.type == "Case" else values
    branches = [called_graph(op, branch, op.inputs[1:]) for branch in called]
    parts = [_trace_gradient(branch, grads) for branch in branches]
    if any(part.graph.adds_outputs for part in parts):
        _add_optionals(op, keys, branches, [list(part.graph.optionals.values()) for part in parts])
    for branch, part in zip(branches, parts):
        graph = part.graph
        graph.captured = {
            _outer_tensor(op, branch, t): result for t, result in graph.captured.items()
        }
        part.captured = list(graph.captured)
    _unify_sparse_gradients(parts)
    case = op.type == "Case"
    computed = build_choice(
        "Case" if case else "If", op.inputs[0], parts, "gradient" if case else None
    )
    return [None, *computed]


def _trace_gradient(branch: TracedGraph, grads: Sequence[Any]) -> Branch:
    graph_class = functools.partial(_BranchGradientGraph, branch=branch)

    def gradient() -> list:
        pairs = [pair for pair in zip(branch.outputs, grads) if is_trainable(pair[0])]
        input_grads = gradients([y for y, _ in pairs], branch.inputs, [grad for _, grad in pairs])
        return [
            ops.zeros_unconnected(x) if grad is None else grad
            for x, grad in zip(branch.inputs, input_grads)
        ]

    return Branch(part_name("", f"{branch.name}_grad"), gradient, graph_class, orders=True)


def _add_optionals(
    op: Operation, keys: Sequence[str], branches: Sequence[TracedGraph], optionals: list[list]
) -> None:
    """Adds optionals to the node's outputs: each branch's own, padded with empty ones to a common number."""
    max_count = max(map(len, optionals))
    for branch, outputs in zip(branches, optionals):
        with branch.as_default():
            outputs += [raw.OptionalNone() for _ in range(max_count - len(outputs))]
        branch.outputs += outputs
    extended: list[Any] = [extend_function(op, branch) for branch in branches]
    values = [extended] if op.type == "Case" else extended
    types = tuple([tensor.dtype.base_dtype for tensor in branches[0].outputs])
    shapes = [tensor._dims for tensor in branches[0].outputs]
    op.attrs = {**op.attrs, **dict(zip(keys, values)), "Tout": types, "output_shapes": shapes}
    add_outputs(op, optionals[0])


def _outer_tensor(op: Operation, branch: TracedGraph, tensor: Tensor) -> Tensor:
    """Returns the outer tensor captured as a branch's tensor."""
    if tensor.graph is not branch:
        return tensor
    if is_in(tensor, branch.outputs):
        return op.outputs[index_in(tensor, branch.outputs)]
    return op.inputs[1 + index_in(tensor, branch.inputs)]


def _unify_sparse_gradients(parts: Sequence[Branch]) -> None:
    """Converts a gradient to IndexedSlices in all branches if any branch returns IndexedSlices."""
    for part in parts:
        part.structure = part.results
    for index, row in enumerate(zip(*(part.structure for part in parts))):
        if not any(isinstance(value, IndexedSlices) for value in row):
            continue
        for part, value in zip(parts, row):
            if not isinstance(value, IndexedSlices):
                with part.graph.as_default():
                    part.structure[index] = _as_indexed_slices(value)
    for part in parts:
        with part.graph.as_default():
            part.set_outputs(part.structure)
    cast_indices(parts)


def _as_indexed_slices(tensor: Tensor) -> IndexedSlices:
    """Converts a tensor to IndexedSlices of all its rows."""
    tensor = ops.convert_to_tensor(tensor)
    shape = ops.shape_internal(tensor, optimize=False)
    return IndexedSlices(tensor, ops.range(0, shape[0]), shape)
