"""In-place rerouting of inputs and outputs between subgraphs."""

from __future__ import annotations

from typing import Any

from tfmini._src.contrib.graph_editor.reroute import reroute_ts, swap_ts
from tfmini._src.contrib.graph_editor.subgraph import SubGraphView, make_view
from tfmini._src.graph.op_selection import check_graphs, get_consuming_ops

Views = tuple[SubGraphView, SubGraphView]


def swap_inputs(sgv0: SubGraphView, sgv1: Any) -> Views:
    """Swaps the inputs of two subgraphs.

    Args:
      sgv0, sgv1: views, or arguments of `sgv`; views are modified in place.

    Returns:
      Both views.

    Raises:
      ValueError: if the graphs differ, or the inputs differ in number, dtypes or shapes.

    Example: `tf.contrib.graph_editor.swap_inputs(first.op, second.op)`.
    """
    return _inputs_rerouted(sgv0, sgv1, swaps=True)


def reroute_inputs(sgv0: SubGraphView, sgv1: SubGraphView) -> Views:
    """Connects the inputs of `sgv0` to `sgv1`; arguments and result as in `swap_inputs`."""
    return _inputs_rerouted(sgv0, sgv1, swaps=False)


def swap_outputs(sgv0: SubGraphView, sgv1: Any) -> Views:
    """Swaps the outputs of two subgraphs among their consumers; arguments and result as in `swap_inputs`."""
    return _outputs_rerouted(sgv0, sgv1, swaps=True)


def reroute_outputs(sgv0: SubGraphView, sgv1: SubGraphView) -> Views:
    """Connects the outputs of `sgv0` to the consumers of `sgv1`; arguments and result as in `swap_inputs`."""
    return _outputs_rerouted(sgv0, sgv1, swaps=False)


def swap_ios(sgv0: SubGraphView, sgv1: SubGraphView) -> tuple[Any, Any]:
    """Calls `swap_outputs` and `swap_inputs`; arguments and result as in `swap_inputs`."""
    _outputs_rerouted(sgv0, sgv1, swaps=True)
    _inputs_rerouted(sgv0, sgv1, swaps=True)
    return sgv0, sgv1


def reroute_ios(sgv0: SubGraphView, sgv1: SubGraphView) -> tuple[Any, Any]:
    """Calls `reroute_outputs` and `reroute_inputs`; arguments and result as in `swap_inputs`."""
    _outputs_rerouted(sgv0, sgv1, swaps=False)
    _inputs_rerouted(sgv0, sgv1, swaps=False)
    return sgv0, sgv1


def _outputs_rerouted(sgv0: Any, sgv1: Any, swaps: bool) -> Views:
    first, second = make_view(sgv0), make_view(sgv1)
    check_graphs(first, second)
    change = swap_ts if swaps else reroute_ts
    change(first.outputs, second.outputs, cannot_modify=first.ops + second.ops)
    return first, second


def _inputs_rerouted(sgv0: Any, sgv1: Any, swaps: bool) -> Views:
    first, second = make_view(sgv0), make_view(sgv1)
    check_graphs(first, second)
    passing = [get_consuming_ops(view.passthroughs) for view in (first, second)]
    change = swap_ts if swaps else reroute_ts
    change(first.inputs, second.inputs, can_modify=first.ops + second.ops + passing[0] + passing[1])
    _take_inputs(first, second, swaps)
    return first, second


def _take_inputs(first: SubGraphView, second: SubGraphView, swaps: bool) -> None:
    """Moves the inputs of `first` to `second`, or swaps their inputs; updates outputs that pass inputs through."""
    previous_inputs = [(list(v._inputs), list(v._passthroughs)) for v in (first, second)]
    for view, (inputs, passing) in zip(
        (second, first), previous_inputs if swaps else previous_inputs[:1]
    ):
        view._inputs, view._passthroughs = list(inputs), list(passing)
    pairs = [(first, second), (second, first)] if swaps else [(first, second)]
    for first_view, other in pairs:
        passing = first_view._passthroughs
        other._outputs = [
            other._inputs[first_view._inputs.index(t)] if t in passing else t
            for t in other._outputs
        ]
