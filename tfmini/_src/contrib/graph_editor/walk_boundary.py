"""Walks along inputs, outputs and control edges of operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.graph_editor.op_selection_walks import (
    filter_ops_from_regex,
    get_backward_walk_ops,
    get_forward_walk_ops,
)
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.op_selection import make_list_of_op
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor


class ControlOutputs:
    """Map from each operation to the operations that have it as a control input.

    Args:
      graph: the graph.

    Raises:
      TypeError: if `graph` is not a graph.

    Example: `tf.contrib.graph_editor.ControlOutputs(graph).get(op)`.
    """

    graph: Graph = read_only("The graph.")

    def __init__(self, graph: Any):
        if not isinstance(graph, Graph):
            raise TypeError(f"Expected a tf.Graph, got: {type(graph)}")
        self._graph = graph
        self._found: dict[Operation, list[Operation]] = {}
        self._version: Any = None
        self.update()

    def update(self) -> ControlOutputs:
        """Updates the map if the graph has grown; returns itself."""
        if self._version != self._graph.version:
            self._found = {}
            for op in self._graph.get_operations():
                for control in op.control_inputs:
                    self._found.setdefault(control, []).append(op)
            self._version = self._graph.version
        return self

    def get_all(self) -> dict[Any, Any]:
        """Returns the map, a dict from operation to list of operations."""
        return self._found

    def get(self, op: Operation) -> Any:
        """Returns the operations with a control input from `op`."""
        return self._found.get(op, ())


def check_cios(
    control_inputs: bool = False,
    control_outputs: ControlOutputs | None = None,
    control_ios: ControlOutputs | None = None,
) -> tuple[bool, Any]:
    """Validates options; returns whether to follow control inputs, and the ControlOutputs to follow, or None.

    Args:
      control_inputs: whether to follow control inputs backward.
      control_outputs: a ControlOutputs, to follow control edges forward; or None.
      control_ios: a ControlOutputs, to follow control edges in both directions; or None.

    Raises:
      TypeError: for arguments of the wrong type.
      ValueError: if both `control_outputs` and `control_ios` are given.
    """
    for value in (control_ios, control_outputs):
        if value is not None and not isinstance(value, ControlOutputs):
            raise TypeError(f"Expected a util.ControlOutputs, got: {type(value)}")
    if control_ios is not None:
        if control_outputs is not None:
            raise ValueError("control_outputs should be None when using control_ios.")
        control_inputs, control_outputs = True, control_ios
    if control_outputs is not None:
        control_outputs.update()
    return control_inputs, control_outputs


def get_ops_ios(
    ops: object,
    control_inputs: bool = False,
    control_outputs: ControlOutputs | None = None,
    control_ios: ControlOutputs | None = None,
) -> list[Operation]:
    """Returns the neighbors of operations: producers of their inputs and consumers of their outputs.

    Arguments and errors as in `check_cios`.
    """
    control_inputs, control_outputs = check_cios(control_inputs, control_outputs, control_ios)
    neighbors: dict[Operation, None] = {}
    for op in make_list_of_op(ops):
        neighbors.update(dict.fromkeys(t.op for t in op.inputs))
        for t in op.outputs:
            neighbors.update(dict.fromkeys(t.consumers()))
        if control_outputs is not None:
            neighbors.update(dict.fromkeys(control_outputs.get(op)))
        if control_inputs:
            neighbors.update(dict.fromkeys(op.control_inputs))
    return list(neighbors)


def get_within_boundary_ops(
    ops: object,
    seed_ops: object,
    boundary_ops: object = (),
    inclusive: bool = True,
    control_inputs: bool = False,
    control_outputs: ControlOutputs | None = None,
    control_ios: ControlOutputs | None = None,
) -> list[Operation]:
    """Returns the operations of `ops` reachable from seeds, in both directions, without crossing a boundary.

    Args:
      ops: operations, or a graph.
      seed_ops: operations that start the walk.
      boundary_ops: operations that end the walk; `inclusive`: whether the result includes them.
      control_inputs, control_outputs, control_ios: as in `check_cios`.

    Raises:
      ValueError: if a seed is on the boundary.
    """
    control_inputs, control_outputs = check_cios(control_inputs, control_outputs, control_ios)
    seeds = make_list_of_op(seed_ops, allow_graph=False)
    boundary, within, wave = set(make_list_of_op(boundary_ops)), set(seeds), set(seeds)
    if boundary & within:
        raise ValueError("Boundary is intersecting with the seeds.")
    while wave:
        reached = set(get_ops_ios(wave, control_inputs, control_outputs)) - within
        wave = reached - boundary
        within |= reached if inclusive else wave
    return [op for op in make_list_of_op(ops) if op in within]


def get_walks_union_ops(
    forward_seed_ops: object,
    backward_seed_ops: object,
    forward_inclusive: bool = True,
    backward_inclusive: bool = True,
    within_ops: Any = None,
    within_ops_fn: Callable[..., Any] | None = None,
    control_inputs: bool = False,
    control_outputs: Any = None,
    control_ios: Any = None,
) -> list[Operation]:
    """Returns the operations downstream of the forward seeds or upstream of the backward seeds.

    Args:
      forward_seed_ops, backward_seed_ops: operations that start the walks.
      forward_inclusive, backward_inclusive: whether the result includes the seeds.
      within_ops, within_ops_fn: limits of the walks, as in `get_forward_walk_ops`.
      control_inputs, control_outputs, control_ios: as in `check_cios`.
    """
    forward, backward = _walks(
        *(forward_seed_ops, backward_seed_ops, forward_inclusive, backward_inclusive),
        *(within_ops, within_ops_fn, control_inputs, control_outputs, control_ios),
    )
    return list(dict.fromkeys([*forward, *backward]))


@arguments_of(get_walks_union_ops)
def get_walks_intersection_ops(*args: Any) -> list[Operation]:
    """Returns the operations reached by both walks; takes the arguments of `get_walks_union_ops`."""
    forward, backward = _walks(*args)
    intersection = set(backward)
    return [op for op in forward if op in intersection]


def _walks(
    forward_seed_ops: Any,
    backward_seed_ops: Any,
    forward_inclusive: bool,
    backward_inclusive: bool,
    within_ops: Any,
    within_ops_fn: Callable | None,
    *controls: Any,
) -> tuple[list[Operation], list[Operation]]:
    control_inputs, control_outputs = check_cios(*controls)
    within = (within_ops, within_ops_fn)
    return (
        get_forward_walk_ops(
            forward_seed_ops, forward_inclusive, *within, control_outputs=control_outputs
        ),
        get_backward_walk_ops(
            backward_seed_ops, backward_inclusive, *within, control_inputs=control_inputs
        ),
    )


def get_name_scope_ops(ops: object, scope: str) -> list[Operation]:
    """Returns the operations in a name scope, including the operation with exactly that name."""
    return filter_ops_from_regex(ops, f"^{scope[:-1] if scope.endswith('/') else scope}(/.*)?$")


def compute_boundary_ts(ops: object) -> tuple[list[Tensor], list[Tensor], list[Tensor]]:
    """Returns the (inputs, outputs, inner tensors) of a set of operations.

    Outputs have outside consumers or none; inner tensors are produced and consumed within the set.
    """
    ops = make_list_of_op(ops)
    members = set(ops)
    consumed = list(dict.fromkeys(t for op in ops for t in op.inputs))
    values = list(dict.fromkeys(t for op in ops for t in op.outputs))
    result = set(values)
    inner = [t for t in consumed if t in result]
    selected = {t for t in inner if members.issuperset(t.consumers())}
    return [t for t in consumed if t not in result], [t for t in values if t not in selected], inner
