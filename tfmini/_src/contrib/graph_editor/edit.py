"""Detaching, connecting and bypassing parts of a graph."""

from __future__ import annotations

from typing import Any

from tfmini._src.contrib.graph_editor.placeholders import (
    make_placeholder_from_tensor,
    placeholder_name,
)
from tfmini._src.contrib.graph_editor.reroute import remove_control_inputs, reroute_ts
from tfmini._src.contrib.graph_editor.reroute_subgraphs import (
    reroute_inputs,
    swap_inputs,
    swap_outputs,
)
from tfmini._src.contrib.graph_editor.subgraph import SubGraphView, make_view
from tfmini._src.contrib.graph_editor.walk_boundary import ControlOutputs, check_cios
from tfmini._src.graph.op_selection import check_graphs
from tfmini._src.ops import ops


def detach_control_inputs(sgv: SubGraphView) -> None:
    """Removes a subgraph's control dependencies on outside operations.

    Args:
      sgv: a view, or an argument of `tf.contrib.graph_editor.sgv`.
    """
    view = make_view(sgv)
    for op in view.ops:
        remove_control_inputs(op, [cop for cop in op.control_inputs if cop not in view.ops])


def detach_control_outputs(sgv: SubGraphView, control_outputs: ControlOutputs) -> None:
    """Removes a subgraph's control edges to outside operations.

    Args:
      sgv: a view, or an argument of `tf.contrib.graph_editor.sgv`.
      control_outputs: the `ControlOutputs` of the graph.

    Raises:
      TypeError: if `control_outputs` has the wrong type.
    """
    if not isinstance(control_outputs, ControlOutputs):
        raise TypeError("Expected a util.ControlOutputs, got: {}", type(control_outputs))
    control_outputs.update()
    view = make_view(sgv)
    for op in view.ops:
        for waiting in control_outputs.get(op):
            if waiting not in view.ops:
                remove_control_inputs(waiting, op)


def detach_inputs(
    sgv: SubGraphView, control_inputs: bool = False
) -> tuple[SubGraphView, list[Any]]:
    """Replaces a subgraph's inputs with placeholders.

    Args:
      sgv: a view, modified in place, or an argument of `tf.contrib.graph_editor.sgv`.
      control_inputs: whether to call `detach_control_inputs` too.

    Returns:
      The view and the placeholders, whose shapes are unknown.
    """
    view = make_view(sgv)
    with view.graph.as_default():
        placeholders = [ops.placeholder(t.dtype, name=placeholder_name(t)) for t in view.inputs]
    swap_inputs(view, placeholders)
    if control_inputs:
        detach_control_inputs(view)
    return view, placeholders


def detach_outputs(
    sgv: SubGraphView, control_outputs: ControlOutputs | None = None
) -> tuple[SubGraphView, list[Any]]:
    """Replaces the outputs of a subgraph with placeholders in their consumers.

    Args:
      sgv: a view, or an argument of `tf.contrib.graph_editor.sgv`.
      control_outputs: the graph's `ControlOutputs`, to call `detach_control_outputs` too; or None.

    Returns:
      A view of the consumed outputs, and the placeholders.
    """
    view = make_view(sgv)
    view = view.remap_outputs([i for i, t in enumerate(view.outputs) if t.consumers()])
    outer_view = SubGraphView(view.consumers())
    outer_view = outer_view.remap_inputs(
        [i for i, t in enumerate(outer_view.inputs) if t in view.outputs]
    )
    with view.graph.as_default():
        placeholders = [make_placeholder_from_tensor(t) for t in outer_view.inputs]
    swap_outputs(view, placeholders)
    if control_outputs is not None:
        detach_control_outputs(view, control_outputs)
    return view, placeholders


def detach(
    sgv: SubGraphView,
    control_inputs: bool = False,
    control_outputs: ControlOutputs | None = None,
    control_ios: ControlOutputs | None = None,
) -> tuple[Any, list[Any], list[Any]]:
    """Calls `detach_inputs` and `detach_outputs`.

    Args:
      sgv: a view, modified in place, or an argument of `tf.contrib.graph_editor.sgv`.
      control_inputs, control_outputs: as in these functions.
      control_ios: the graph's `ControlOutputs`, used for both.

    Returns:
      `sgv`, the placeholders of its inputs, and the placeholders of its outputs.

    Example: `view, inputs, outputs = tf.contrib.graph_editor.detach(hidden.op)`.
    """
    control_inputs, control_outputs = check_cios(control_inputs, control_outputs, control_ios)
    _, inputs = detach_inputs(sgv, control_inputs)
    _, outputs = detach_outputs(sgv, control_outputs)
    return sgv, inputs, outputs


def connect(
    sgv0: SubGraphView, sgv1: SubGraphView, disconnect_first: bool = False
) -> tuple[SubGraphView, SubGraphView]:
    """Connects the outputs of one subgraph to the inputs of another.

    Args:
      sgv0: subgraph of the outputs; a view, or an argument of `tf.contrib.graph_editor.sgv`.
      sgv1: subgraph of the inputs; a view is modified in place.
      disconnect_first: whether to detach these outputs from their consumers first.

    Returns:
      Both views.

    Raises:
      ValueError: if the graphs differ, or outputs and inputs differ in number, dtypes or shapes.
    """
    first, second = make_view(sgv0), make_view(sgv1)
    check_graphs(first, second)
    if disconnect_first:
        detach_outputs(first)
    reroute_inputs(SubGraphView(passthrough_ts=first.outputs), second)
    return first, second


def bypass(sgv: SubGraphView) -> tuple[SubGraphView, list[Any]]:
    """Connects a subgraph's inputs to the consumers of its outputs, and detaches the subgraph's own inputs.

    Args:
      sgv: a view, modified in place, or an argument of `tf.contrib.graph_editor.sgv`.

    Returns:
      The view and the placeholders.

    Raises:
      ValueError: if inputs and outputs differ in number, dtypes or shapes.
    """
    view = make_view(sgv)
    inputs = list(view.inputs)
    view, placeholders = detach_inputs(view)
    reroute_ts(inputs, view.outputs)
    return view, placeholders
