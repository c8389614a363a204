"""`init_scope`, which lifts variable creation out of the graph under construction."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, ContextDecorator, contextmanager
from typing import Any

from tfmini._src.graph import default_stack
from tfmini._src.graph.default_graph import get_default_graph, graph_of_ops, thread_graph
from tfmini._src.graph.eager import execution_mode, tapes
from tfmini._src.graph.eager.execution_mode import eager_mode
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.scopes import name_scope


def init_scope() -> AbstractContextManager[None]:
    """Context manager that escapes open control dependencies, conditionals, loops and function bodies.

    Nodes created in it are added to the innermost non-function graph, keep the current name scope, and
    have no control inputs from the enclosing blocks.

    Example:

      with tf.control_dependencies([update]), tf.init_scope():
          table = tf.Variable(tf.zeros([10]))  # does not depend on `update`
    """
    return _InitScope()


class _InitScope(ContextDecorator):
    """The block of an `init_scope`, which determines the graphs to escape on entry."""

    def __enter__(self) -> None:
        graph = graph_of_ops()
        self._block: AbstractContextManager[Any] | None = None
        if graph is not None and _escapes(graph):
            self._block = _context_manager(graph)
            self._block.__enter__()

    def __exit__(self, *error: Any) -> None:
        if self._block is not None:
            self._block.__exit__(*error)

    def _recreate_cm(self) -> _InitScope:
        return _InitScope()


def _escapes(graph: Graph) -> bool:
    """Whether `init_scope` here would change the graph, the control inputs or the devices."""
    blocks, scope_notes = graph._blocks, default_stack.graphs.notes
    return bool(
        graph.building_function
        or blocks.controls
        or graph._control_flow_context is not None
        or (not blocks.devices and scope_notes and scope_notes[-1])
    )


def _context_manager(inner: Graph) -> AbstractContextManager[Any]:
    """Returns the context manager that implements `init_scope` here."""
    if executing_eagerly_outside_functions():
        return _eager_scope(inner)
    graph, devices = _outer_graph_and_devices(inner)
    return _outer_scope(inner, graph, devices)


@contextmanager
def _eager_scope(inner: Graph) -> Iterator[None]:
    with tapes.stop_recording(), eager_mode(), name_scope(_scope_name(inner)):
        yield


@contextmanager
def _outer_scope(inner: Graph, graph: Graph, devices: list) -> Iterator[None]:
    scope = inner.get_name_scope()
    with graph.as_default(), graph.name_scope(scope and scope + "/"):
        with graph.control_dependencies(None):
            graph._blocks.devices, outer_devices = devices, graph._blocks.devices
            try:
                yield
            finally:
                graph._blocks.devices = outer_devices


def executing_eagerly_outside_functions() -> bool:
    """Whether the functions under construction are called in eager mode."""
    for graph in reversed(default_stack.graphs.items):
        if graph is default_stack.EAGER:
            return True
        if not graph.building_function:
            return False
    return execution_mode.is_default


def graph_of_variables() -> Graph | None:
    """Returns the graph to which new variables are added; None in eager mode."""
    graph = graph_of_ops()
    if graph is not None and not graph.building_function:
        return graph
    return graph_around_functions()


def graph_around_functions() -> Graph | None:
    """Returns the innermost non-function graph; None in eager mode."""
    if executing_eagerly_outside_functions():
        return None
    return _outer_graph_and_devices(get_default_graph())[0]


def _scope_name(graph: Graph) -> str | None:
    scope = graph.get_name_scope()
    return f"{scope}/" if scope else None


def _outer_graph_and_devices(inner: Graph) -> tuple[Graph, list]:
    """Returns the innermost non-function graph, and its innermost open device blocks.

    If colocation has cleared the device blocks, the blocks open when the graph became the default apply, as in
    TensorFlow: slots are placed on the devices of the block around `minimize` of the optimizer.
    """
    devices = inner._blocks.devices
    for graph, devices_then in zip(
        reversed(default_stack.graphs.items), reversed(default_stack.graphs.notes)
    ):
        devices = devices or devices_then
        if not graph.building_function:
            return graph, devices
    return thread_graph(), devices
