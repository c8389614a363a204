"""The global step: an int64 variable of the graph that counts training steps."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np

from tfmini._src.base import dtypes, logs
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.default_stack import DefaultSession
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.variables.copy_modes import VariableAggregation
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.initializers import Zeros
from tfmini._src.variables.variable import Variable

READS = "global_step_read_op_cache"  # collection of the tensor through which hooks read the step


def global_step(sess: DefaultSession, global_step_tensor: Any) -> int:
    """Returns the current global step, read in a session in graph mode."""
    if executing_eagerly():
        return int(np.squeeze(global_step_tensor.numpy()))
    return int(np.squeeze(sess.run(global_step_tensor)))


def get_global_step(graph: Graph | None = None) -> Variable | Any:
    """Returns the global step of `graph` (default: the default graph), or None for a graph without one.

    Searches the GLOBAL_STEP collection, then the tensor "global_step:0".

    Raises:
      TypeError: if it is not an integer scalar.
    """
    graph = graph or get_default_graph()
    steps = graph.get_collection(GraphKeys.GLOBAL_STEP)
    if len(steps) > 1:
        logs.error("Multiple tensors in global_step collection.")
        return None
    if steps:
        step = steps[0]
    elif "global_step" in graph._nodes_by_name:
        step = graph.get_tensor_by_name("global_step:0")
    else:
        return None
    assert_global_step(step)
    return step


def create_global_step(graph: Graph | None = None) -> Variable:
    """Creates the global step of `graph` (default: the default graph); raises ValueError if one exists."""
    graph = graph or get_default_graph()
    if get_global_step(graph) is not None:
        raise ValueError('"global_step" already exists.')
    with nullcontext() if executing_eagerly() else graph.as_default(), name_scope(None):
        return get_variable(
            GraphKeys.GLOBAL_STEP,
            shape=[],
            dtype=dtypes.int64,
            initializer=Zeros(),
            trainable=False,
            aggregation=VariableAggregation.ONLY_FIRST_REPLICA,
            collections=[GraphKeys.GLOBAL_VARIABLES, GraphKeys.GLOBAL_STEP],
        )


def get_or_create_global_step(graph: Graph | None = None) -> Variable:
    """Returns the global step of `graph` (default: the default graph), created if missing."""
    graph = graph or get_default_graph()
    step = get_global_step(graph)
    return create_global_step(graph) if step is None else step


def assert_global_step(global_step_tensor: Tensor | Variable) -> None:
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


def get_global_step_read(graph: Graph | None = None) -> Any:
    """Returns the tensor that hooks read as the global step, or None; raises RuntimeError for several."""
    reads = (graph or get_default_graph()).get_collection(READS)
    if len(reads) > 1:
        raise RuntimeError(
            f"There are multiple items in collection {READS}. There should be only one."
        )
    return reads[0] if reads else None


def get_or_create_global_step_read(graph: Graph | None = None) -> Any:
    """Returns the tensor that hooks read as the global step, created if missing; None without a global step.

    It precedes `increment_global_step` in the same run.
    """
    graph = graph or get_default_graph()
    read = get_global_step_read(graph)
    if read is not None:
        return read
    step = get_global_step(graph)
    if step is None:
        return None
    with graph.as_default(), graph.name_scope(None), graph.name_scope(step.op.name + "/"):
        value = step.initialized_value() if isinstance(step, Variable) else step
        graph.add_to_collection(READS, value + 0)
    return get_global_step_read(graph)


def global_step_read_for(hook: str) -> Any:
    """Returns the tensor that a hook reads as the global step."""
    read = get_or_create_global_step_read()
    if read is None:
        raise RuntimeError(f"Global step should be created to use {hook}.")
    return read


def increment_global_step(increment: Any, graph: Graph | None = None) -> Any:
    """Returns an operation that increments the global step after hooks have read it.

    Raises:
      ValueError: if there is no global step.
    """
    graph = graph or get_default_graph()
    step = get_global_step(graph)
    if step is None:
        raise ValueError(
            "Global step tensor should be created by tf.train.get_or_create_global_step before calling increment."
        )
    read = get_or_create_global_step_read(graph)
    with graph.as_default(), graph.name_scope(None), graph.name_scope(step.op.name + "/"):
        with control_dependencies([read]):
            return ops.assign_add(step, increment)
