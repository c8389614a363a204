"""The default graph of a thread, and the common graph of a call's arguments."""

from __future__ import annotations

import functools
import threading
import weakref
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext

from tfmini._src.graph import default_stack
from tfmini._src.graph.default_stack import EAGER
from tfmini._src.graph.eager import execution_mode
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.tensor import Tensor, TensorLike


class _ThreadGraph(threading.local):
    """The thread's own graph, the default if its stack of default graphs is empty."""

    graph: Graph | None = None


_thread_state = _ThreadGraph()


def get_default_graph() -> Graph:
    """Returns the graph of this thread's innermost `with graph.as_default():` block, else the thread's own graph.

    In eager mode, function graphs are skipped.
    """
    items = default_stack.graphs.items
    if not items:
        return _thread_state.graph or thread_graph()
    return items[-1] if items[-1] is not EAGER else _eager_graph()


def graph_of_ops() -> Graph | None:
    """Returns the graph to which ops are added: the default graph, or None in eager mode."""
    items = default_stack.graphs.items
    if not items:
        return None if execution_mode.is_default else _thread_state.graph or thread_graph()
    if items[-1] is EAGER:
        return None if execution_mode.execute is not None else _eager_graph()
    return items[-1]


def _eager_graph() -> Graph:
    for graph in reversed(default_stack.graphs.items):
        if graph is not EAGER and not graph.building_function:
            return graph
    return _thread_state.graph or thread_graph()


def graphs_under_construction() -> Iterator[Graph]:
    """Yields this thread's innermost graph, even in eager mode, and for a function graph its enclosing graphs."""
    for graph in reversed(default_stack.graphs.items):
        if graph is not EAGER:
            yield graph
            if not graph.building_function:
                return
    yield _thread_state.graph or thread_graph()


def library_graph() -> Graph:
    """Returns the graph whose library holds the functions called here: the default graph, or eager mode's."""
    return eager_function_library() if executing_eagerly() else get_default_graph()


@functools.cache
def eager_function_library() -> Graph:
    """Returns the graph of eager mode's function library, which references functions weakly: their users own them."""
    graph = Graph()
    graph._functions = weakref.WeakValueDictionary()  # type: ignore[assignment]
    return graph


def thread_graph() -> Graph:
    """Returns the thread's own graph, the default outside any `with graph.as_default():`."""
    if _thread_state.graph is None:
        _thread_state.graph = Graph()
    return _thread_state.graph


def has_default_graph() -> bool:
    """Whether this thread has a default graph: the graph of an open block, or its own graph if already created."""
    return bool(default_stack.graphs.items) or _thread_state.graph is not None


def tensor_graph_scope(tensor: Tensor) -> AbstractContextManager[object]:
    """Makes the graph of `tensor` the default for a block, unless a default graph is already set."""
    if executing_eagerly() or default_stack.graphs.items:
        return nullcontext()
    return tensor.graph.as_default()


def reset_default_graph() -> None:
    """Replaces this thread's default graph with an empty one.

    Raises:
      AssertionError: inside `with graph.as_default():`.
    """
    if default_stack.graphs.items:
        raise AssertionError(
            "Do not use tf.reset_default_graph() to clear nested graphs. If you need a cleared graph, exit "
            "the nesting and create a new graph."
        )
    _thread_state.graph = None  # created on the next request; until then, eager mode may be enabled


def graph_of_inputs(inputs: Iterable[TensorLike], graph: Graph | None = None) -> Graph:
    """Returns the common graph of the tensors in `inputs` (nested lists included), else the default graph.

    Raises:
      TypeError: if `graph` is not a Graph.
      ValueError: if the tensors belong to different graphs.
    """
    current = get_default_graph()
    if current.building_function:  # functions capture tensors of other graphs
        return current
    if graph and not isinstance(graph, Graph):
        raise TypeError(f"Input graph needs to be a Graph: {graph}")
    original = None
    for item in inputs:
        for value in item if isinstance(item, list | tuple) else (item,):
            if value.__class__ is not Tensor:
                convert = getattr(value, "_as_graph_element", None)
                if not callable(convert):  # not a graph element
                    continue
                value = convert()
            if graph is not None and value.graph is not graph:
                raise ValueError(f"{value} is not from the passed-in graph.")
            if original is None:
                original = value
            elif value.graph is not original.graph:
                raise ValueError(f"{value} must be from the same graph as {original}.")
    return graph or (current if original is None else original.graph)
