"""Construction by `tf.Variable(...)`, which calls the graph's variable creators; the innermost selects the kind."""

from __future__ import annotations

import functools
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tfmini._src.graph.default_graph import graphs_under_construction
from tfmini._src.variables.copy_modes import (
    VariableAggregation,
    VariableSynchronization,
)


class _Creators(threading.local):
    """The variable creators of a thread, by graph, outermost first."""

    def __init__(self) -> None:
        self.modes_by_graph: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()
        self.has_creators = (
            False  # whether any graph ever had a creator; if False, the lookup is skipped
        )


_creators = _Creators()
_default_creator: list[Callable[[], Callable]] = []


def create_by(creator: Callable[[], Callable]) -> None:
    """Registers the innermost creator, which selects the kind of variable."""
    _default_creator[:] = [functools.cache(creator)]


def create(
    initial_value: Any = None,
    trainable: bool | None = None,
    collections: Any = None,
    validate_shape: bool = True,
    caching_device: Any = None,
    name: str | None = None,
    variable_def: Any = None,
    dtype: Any = None,
    expected_shape: Any = None,
    import_scope: str | None = None,
    constraint: Any = None,
    use_resource: bool | None = None,
    synchronization: Any = VariableSynchronization.AUTO,
    aggregation: Any = VariableAggregation.NONE,
    shape: Any = None,
) -> Any:
    """Creates a variable; arguments are as in `tf.Variable`."""
    arguments = locals()
    if aggregation is None:
        arguments["aggregation"] = VariableAggregation.NONE
    creator = _default_creator[-1]()
    for following in current_creators() if _creators.has_creators else ():
        creator = _calling(following, creator)
    return creator(**arguments)


def current_creators() -> tuple[Callable, ...]:
    """Returns the variable creators of the graph under construction, outermost first; function bodies inherit them."""
    graphs = [*graphs_under_construction()]
    return tuple([creator for graph in reversed(graphs) for creator in open_creators(graph)])


def open_creators(graph: Any) -> tuple[Callable, ...]:
    """Returns this thread's creators from the open `variable_creator_scope` blocks of a graph, outermost first."""
    return _creators.modes_by_graph.get(graph, ())


def set_creators(graph: Any, creators: tuple[Callable, ...]) -> None:
    """Sets the variable creators of a graph in this thread to the creators of another thread."""
    _creators.modes_by_graph[graph] = creators
    _creators.has_creators = True


def _calling(creator: Callable, next_creator: Callable) -> Callable:
    return lambda **kwargs: creator(next_creator, **kwargs)


@contextmanager
def variable_creator_scope(variable_creator: Callable[..., Any]) -> Iterator[None]:
    """Context manager in which `variable_creator` creates the variables of the graph under construction.

    Args:
      variable_creator: `f(next_creator, **kwargs)` returns a variable; `next_creator(**kwargs)` creates a variable as
        outside this block. The keywords are the arguments of `tf.Variable`.

    Example:
      def on_cpu(next_creator, **kwargs):
          with tf.device("/cpu:0"):
              return next_creator(**kwargs)

      with tf.variable_creator_scope(on_cpu):
          v = tf.Variable(1.0)
    """
    graph = next(graphs_under_construction())
    old = _creators.modes_by_graph.get(graph, ())
    new = (*old, variable_creator)
    set_creators(graph, new)
    try:
        yield
    finally:
        if _creators.modes_by_graph[graph] is not new:
            raise RuntimeError("Exiting variable_creator_scope without proper nesting.")
        _creators.modes_by_graph[graph] = old
