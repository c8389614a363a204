"""The global step: one int64 variable of the graph that counts training steps."""

from __future__ import annotations

from typing import Any

from tfmini import dtypes, logs
from tfmini.graph.default_graph import get_default_graph
from tfmini.graph.graph import Graph
from tfmini.graph.keys import GraphKeys
from tfmini.graph.tensor import Tensor
from tfmini.variables.initializers import Zeros
from tfmini.variables.scope import get_variable
from tfmini.variables.synchronization import VariableAggregation
from tfmini.variables.variable import Variable


def global_step(sess: Any, global_step_tensor: Any) -> int:
    """The value of the global step in a session."""
    return int(sess.run(global_step_tensor))


def get_global_step(graph: Graph | None = None) -> Any:
    """The global step of `graph` (default: the default graph), or None if it has none.

    It is what the collection GLOBAL_STEP holds, else the tensor "global_step:0".

    Raises:
      TypeError: if it is no integer scalar.
    """
    graph = graph or get_default_graph()
    found = graph.get_collection(GraphKeys.GLOBAL_STEP)
    if len(found) > 1:
        logs.error("Multiple tensors in global_step collection.")
        return None
    if found:
        step = found[0]
    elif "global_step" in graph._nodes_by_name:
        step = graph.get_tensor_by_name("global_step:0")
    else:
        return None
    assert_global_step(step)
    return step


def create_global_step(graph: Graph | None = None) -> Any:
    """Makes the global step of `graph` (default: the default graph); raises ValueError if it has one."""
    graph = graph or get_default_graph()
    if get_global_step(graph) is not None:
        raise ValueError('"global_step" already exists.')
    with graph.as_default(), graph.name_scope(None):
        return get_variable(
            GraphKeys.GLOBAL_STEP,
            shape=[],
            dtype=dtypes.int64,
            initializer=Zeros(),
            trainable=False,
            aggregation=VariableAggregation.ONLY_FIRST_REPLICA,
            collections=[GraphKeys.GLOBAL_VARIABLES, GraphKeys.GLOBAL_STEP],
        )


def get_or_create_global_step(graph: Graph | None = None) -> Any:
    """The global step of `graph` (default: the default graph), made if there is none."""
    graph = graph or get_default_graph()
    step = get_global_step(graph)
    return create_global_step(graph) if step is None else step


def assert_global_step(global_step_tensor: Any) -> None:
    """Raises TypeError unless it is an integer scalar variable or tensor."""
    if not isinstance(global_step_tensor, Variable | Tensor):
        raise TypeError(
            f'Existing "global_step" must be a Variable or Tensor: {global_step_tensor}.'
        )
    if not global_step_tensor.dtype.base_dtype.is_integer:
        raise TypeError(
            f'Existing "global_step" does not have integer type: {global_step_tensor.dtype}'
        )
    shape = global_step_tensor.get_shape()
    if shape.ndims != 0 and shape.is_fully_defined():
        raise TypeError(f'Existing "global_step" is not scalar: {shape}')
