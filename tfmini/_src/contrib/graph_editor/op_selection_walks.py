"""Operations and tensors selected by forward or backward walks, or by filters."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph import op_selection
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor


def get_forward_walk_ops(
    seed_ops: Any,
    inclusive: bool = True,
    within_ops: Any = None,
    within_ops_fn: Callable[..., Any] | None = None,
    stop_at_ts: Any = (),
    control_outputs: Any = None,
) -> list[Operation]:
    """Returns all operations downstream of the seeds.

    Args:
      seed_ops: operations, or tensors, whose consumers are the seeds.
      inclusive: whether the result includes the seeds.
      within_ops: operations that the walk may visit; None for all.
      within_ops_fn: predicate of operations that the walk may visit.
      stop_at_ts: tensors that end the walk.
      control_outputs: a `ControlOutputs`, to follow control edges too; or None.

    Raises:
      TypeError: if the arguments are not operations or tensors of one graph.

    Example: `tf.contrib.graph_editor.get_forward_walk_ops(x)`.
    """
    seeds = list(seed_ops) if op_selection.is_iterable(seed_ops) else [seed_ops]
    if not seeds:
        return []
    if isinstance(seeds[0], Tensor):
        seeds = op_selection.get_consuming_ops(seeds)
    else:
        seeds = op_selection.make_list_of_op(seeds, allow_graph=False)
    stops = set(op_selection.make_list_of_t(stop_at_ts))
    within = None
    if within_ops:
        within = set(op_selection.make_list_of_op(within_ops, allow_graph=False))
        seeds = [op for op in seeds if op in within]
    visited, waiting = dict.fromkeys(seeds), list(seeds)
    while waiting:
        op = waiting.pop(0)
        successors = [user for t in op.outputs if t not in stops for user in t.consumers()]
        if control_outputs is not None:
            successors += control_outputs.get(op)
        for other in successors:
            is_within = within is None or other in within
            if other not in visited and is_within and (not within_ops_fn or within_ops_fn(other)):
                visited[other] = None
                waiting.append(other)
    return list(visited) if inclusive else [op for op in visited if op not in seeds]


@deprecated("2019-06-06", "Please use tensorflow.python.ops.op_selector.get_backward_walk_ops.")
@arguments_of(op_selection.get_backward_walk_ops, "only_differentiable")
def get_backward_walk_ops(*args: Any) -> list[Operation]:
    """Returns all operations upstream of the seeds.

    Args:
      seed_ops: operations, or tensors, whose producers are the seeds.
      inclusive, within_ops, within_ops_fn, stop_at_ts: as in `get_forward_walk_ops`.
      control_inputs: whether to follow control inputs too.

    Raises:
      TypeError: if the arguments are not operations or tensors of one graph.

    Example: `tf.contrib.graph_editor.get_backward_walk_ops(loss)`.
    """
    return op_selection.get_backward_walk_ops(*args)


def make_list_of_op(
    ops: object, check_graph: bool = True, allow_graph: bool = True, ignore_ts: bool = False
) -> list[Operation]:
    """Returns the operations as a list.

    Args:
      ops: an operation, an iterable of them, or a graph.
      check_graph: whether all operations must belong to one graph.
      allow_graph: whether to accept a graph.
      ignore_ts: whether to skip tensors among them.

    Raises:
      TypeError: if the arguments are not operations of one graph.
    """
    return op_selection.make_list_of_op(ops, check_graph, allow_graph, ignore_ts)


def filter_ops(ops: object, positive_filter: Callable[..., Any]) -> list[Operation]:
    """Returns the operations that satisfy a predicate.

    Args:
      ops: operations, or a graph.
      positive_filter: a predicate that selects operations; True selects all.
    """
    listed = op_selection.make_list_of_op(ops)
    return listed if positive_filter is True else [op for op in listed if positive_filter(op)]


def filter_ts(ops: object, positive_filter: Callable[..., Any]) -> list[Tensor]:
    """Returns the inputs and outputs of operations that satisfy a predicate.

    Args:
      ops: operations, or a graph.
      positive_filter: a predicate that selects tensors; True selects all.
    """
    listed = op_selection.make_list_of_op(ops)
    tensors = [t for op in listed for t in op.inputs] + [t for op in listed for t in op.outputs]
    unique = list(dict.fromkeys(tensors))
    return unique if positive_filter is True else [t for t in unique if positive_filter(t)]


def filter_ops_from_regex(ops: object, regex: Any) -> list[Operation]:
    """Returns the operations whose names match a regular expression.

    Args:
      ops: operations, or a graph.
      regex: a regular expression.
    """
    pattern = re.compile(regex)
    return filter_ops(ops, lambda op: pattern.search(op.name))


def filter_ts_from_regex(ops: object, regex: Any) -> list[Tensor]:
    """Returns the inputs and outputs of operations whose names match a regular expression.

    Args:
      ops: operations, or a graph.
      regex: a regular expression.
    """
    pattern = re.compile(regex)
    return filter_ts(ops, lambda t: pattern.search(t.name))
