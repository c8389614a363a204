"""Selection of operations by their inputs and outputs: graph walks, and normalization of arguments to lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeGuard, TypeVar

from tfmini._src.graph.graph import Graph
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor

Element = TypeVar("Element", Tensor, Operation)

__all__ = [
    "check_graphs",
    "get_backward_walk_ops",
    "get_consuming_ops",
    "get_generating_ops",
    "get_tensors",
    "get_unique_graph",
    "is_differentiable",
    "is_iterable",
    "make_list_of_op",
    "make_list_of_t",
]


def is_iterable(obj: Any) -> TypeGuard[Iterable[Any]]:
    """Whether a value is iterable and not a Tensor."""
    try:
        iter(obj)
    except Exception:  # user classes may raise anything
        return False
    return not isinstance(obj, Tensor)


def is_differentiable(op: Operation) -> bool:
    """Whether an operation has a gradient."""
    return op.opdef.gradient_rule is not None


def get_tensors(graph: object) -> list[Tensor]:
    """Returns all tensors of a graph; raises TypeError for other values."""
    if not isinstance(graph, Graph):
        raise TypeError(f"Expected a graph, got: {type(graph)}")
    return [tensor for op in graph.get_operations() for tensor in op.outputs]


def get_unique_graph(
    tops: object, check_types: type | Iterable[type] | None = None, none_if_empty: bool = False
) -> Graph | None:
    """Returns the common graph of operations and tensors.

    Raises:
      TypeError: for other values; ValueError: if they belong to several graphs, or the list is empty.
    """
    if isinstance(tops, Graph):
        return tops
    if not is_iterable(tops):
        raise TypeError(f"{type(tops)} is not iterable")
    types: Any = check_types or (Operation, Tensor)
    types = tuple(types) if is_iterable(types) else (types,)
    graph: Graph | None = None
    for item in tops:
        if not isinstance(item, types):
            names = ", ".join(map(str, types))
            raise TypeError(f"Expected a type in ({names}), got: {type(item)}")
        if graph is None:
            graph = item.graph
        elif graph is not item.graph:
            raise ValueError(f"Operation {item} does not belong to given graph")
    if graph is None and not none_if_empty:
        raise ValueError("Can't find the unique graph of an empty list")
    return graph


def check_graphs(*args: Any) -> None:
    """Raises ValueError unless all arguments belong to the same graph."""
    graph = None
    for position, item in enumerate(args):
        if graph is None:
            graph = item.graph
        elif item.graph is not None and item.graph is not graph:
            raise ValueError(f"Argument[{position}]: Wrong graph!")


def make_list_of_t(
    ts: object, check_graph: bool = True, allow_graph: bool = True, ignore_ops: bool = False
) -> list[Tensor]:
    """Normalizes a graph, tensor or iterable to a list of tensors; raises TypeError for other values."""
    return _as_list(ts, Tensor, get_tensors, check_graph, allow_graph, ignore_ops)


def make_list_of_op(
    tops: object, check_graph: bool = True, allow_graph: bool = True, ignore_ts: bool = False
) -> list[Operation]:
    """Normalizes a graph, operation or iterable to a list of operations; raises TypeError for other values."""
    return _as_list(tops, Operation, Graph.get_operations, check_graph, allow_graph, ignore_ts)


def _as_list(
    value: object,
    element_type: type[Element],
    select_all: Callable[[Graph], list[Element]],
    check_graph: bool,
    allow_graph: bool,
    allow_others: bool,
) -> list[Element]:
    if isinstance(value, Graph):
        if not allow_graph:
            raise TypeError("allow_graph is False: cannot convert a tf.Graph.")
        return select_all(value)
    items = list(value) if is_iterable(value) else [value]
    if items and check_graph:
        get_unique_graph(items, check_types=None if allow_others else element_type)
    return [item for item in items if isinstance(item, element_type)]


def get_generating_ops(ts: object) -> list[Operation]:
    """Returns the operation that produces each of the tensors."""
    return [tensor.op for tensor in make_list_of_t(ts, allow_graph=False)]


def get_consuming_ops(ts: object) -> list[Operation]:
    """Returns the operations that consume any of the tensors."""
    tensors = make_list_of_t(ts, allow_graph=False)
    return list(dict.fromkeys(op for tensor in tensors for op in tensor.consumers()))


def get_backward_walk_ops(
    seed_ops: object,
    inclusive: bool = True,
    within_ops: Iterable[Operation] | None = None,
    within_ops_fn: Callable[[Operation], bool] | None = None,
    stop_at_ts: object = (),
    control_inputs: bool = False,
    only_differentiable: bool = False,
) -> list[Operation]:
    """Returns the operations that the seeds depend on.

    Args:
      seed_ops: operations, or tensors whose operations are the starting points.
      inclusive: whether the result includes the seeds.
      within_ops: restricts the walk to these operations.
      within_ops_fn: restricts the walk to operations for which this predicate is true.
      stop_at_ts: tensors at which the walk stops.
      control_inputs: whether to follow control inputs as well.
      only_differentiable: whether to stop at operations without a gradient; ignores control inputs.
    """
    seeds: Any = seed_ops if is_iterable(seed_ops) else [seed_ops]
    if not seeds:
        return []
    if isinstance(seeds[0], Tensor):
        seeds = get_generating_ops(seeds)
    stops = set(map(id, make_list_of_t(stop_at_ts)))
    within = set(make_list_of_op(within_ops, allow_graph=False)) if within_ops else None
    first = [op for op in dict.fromkeys(make_list_of_op(seeds)) if within is None or op in within]
    result = dict.fromkeys(first)
    wave = first
    while wave:
        next_ops = []
        for op in wave:
            if only_differentiable and not is_differentiable(op):
                continue
            predecessors = [tensor.op for tensor in op.inputs if id(tensor) not in stops]
            if control_inputs and not only_differentiable:
                predecessors += op.control_inputs
            next_ops += predecessors
        wave = [
            op
            for op in dict.fromkeys(next_ops)
            if op not in result
            and (within is None or op in within)
            and (within_ops_fn is None or within_ops_fn(op))
        ]
        result.update(dict.fromkeys(wave))
    return [op for op in result if inclusive or op not in first]
