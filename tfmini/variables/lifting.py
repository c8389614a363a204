"""`init_scope`: where variables are made, outside of what happens to be under construction."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tfmini.graph import default
from tfmini.graph.default_graph import get_default_graph
from tfmini.graph.graph import Graph


@contextmanager
def init_scope() -> Iterator[None]:
    """A block outside of open control dependencies, conditions, loops and function bodies.

    Its nodes go to the innermost graph that is not a function's, keep the current name scope, and
    get no control inputs from the blocks around it.

    Example:
      with tf.control_dependencies([update]), tf.init_scope():
          table = tf.Variable(tf.zeros([10]))  # does not wait for `update`
    """
    inner = get_default_graph()
    graph = _outermost_of_functions(inner)
    scope = inner.get_name_scope()
    with graph.as_default(), graph.name_scope(scope and scope + "/"):
        with graph.control_dependencies(None):
            yield


def _outermost_of_functions(graph: Graph) -> Graph:
    if not graph.building_function:
        return graph
    for candidate in reversed(default.graphs.items):
        if not candidate.building_function:
            return candidate
    raise RuntimeError("The global graph is a function.")
