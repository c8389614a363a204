"""The default graph of a thread, and the graph that a call's arguments belong to."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext

from tfmini._src.graph import default_stack
from tfmini._src.graph.default_stack import EAGER
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor, TensorLike


class _Lowest(threading.local):
    """The graph below the stack of a thread."""

    graph: Graph | None = None


_lowest = _Lowest()


def get_default_graph() -> Graph:
    """The innermost graph of `with graph.as_default():` in this thread, else the thread's own.

    In eager mode the bodies of functions do not count.
    """
    items = default_stack.graphs.items
    if not items:
        return _lowest.graph or lowest_graph()
    return items[-1] if items[-1] is not EAGER else _graph_of_eager_mode()


def _graph_of_eager_mode() -> Graph:
    for graph in reversed(default_stack.graphs.items):
        if graph is not EAGER and not graph.building_function:
            return graph
    return _lowest.graph or lowest_graph()


def graphs_under_construction() -> Iterator[Graph]:
    """The innermost graph of this thread, even where eager mode is on; of a function's body those around it follow."""
    for graph in reversed(default_stack.graphs.items):
        if graph is not EAGER:
            yield graph
            if not graph.building_function:
                return
    yield _lowest.graph or lowest_graph()


def library_graph() -> Graph:
    """The graph in whose library the functions of ops called here are: the default one, or that of eager mode."""
    return eager_library() if executing_eagerly() else get_default_graph()


@functools.cache
def eager_library() -> Graph:
    """The graph in whose library the functions of eager mode are."""
    return Graph()


def lowest_graph() -> Graph:
    """The thread's own graph, the default outside of all `with graph.as_default():`."""
    if _lowest.graph is None:
        _lowest.graph = Graph()
    return _lowest.graph


def has_default_graph() -> bool:
    """Whether this thread has a default graph: one of a block, or its own, which has been asked for."""
    return bool(default_stack.graphs.items) or _lowest.graph is not None


def in_graph_of(tensor: Tensor) -> AbstractContextManager[object]:
    """A block whose nodes go to the graph of `tensor` where no block has set a default graph."""
    if executing_eagerly() or default_stack.graphs.items:
        return nullcontext()
    return tensor.graph.as_default()


def reset_default_graph() -> None:
    """Replaces the thread's default graph by an empty one.

    Raises:
      AssertionError: inside `with graph.as_default():`.
    """
    if default_stack.graphs.items:
        raise AssertionError(
            "Do not use tf.reset_default_graph() to clear nested graphs. If you need a cleared graph, exit "
            "the nesting and create a new graph."
        )
    _lowest.graph = Graph()


def graph_of_inputs(inputs: Iterable[TensorLike], graph: Graph | None = None) -> Graph:
    """The one graph of the tensors among `inputs` (lists of them too), or the default graph.

    Raises:
      TypeError: if `graph` is no graph.
      ValueError: if they are of different graphs.
    """
    current = get_default_graph()
    if current.building_function:  # which takes in what it is given from other graphs
        return current
    if graph and not isinstance(graph, Graph):
        raise TypeError(f"Input graph needs to be a Graph: {graph}")
    original = None
    for item in inputs:
        for value in item if isinstance(item, list | tuple) else (item,):
            if value.__class__ is not Tensor:
                value = _element(value)
                if value is None:
                    continue
            if graph is not None and value.graph is not graph:
                raise ValueError(f"{value} is not from the passed-in graph.")
            if original is None:
                original = value
            elif value.graph is not original.graph:
                raise ValueError(f"{value} must be from the same graph as {original}.")
    return graph or (current if original is None else original.graph)


def _element(value: object) -> Tensor | Operation | None:
    """The graph element that `value` stands for, or None for plain data."""
    convert = getattr(value, "_as_graph_element", None)
    return convert() if callable(convert) else None
