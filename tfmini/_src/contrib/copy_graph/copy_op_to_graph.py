"""Copies operations, tensors and variables to another graph, within a scope."""

from __future__ import annotations

import copy as copies
from collections.abc import Iterable
from typing import Any

from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor
from tfmini._src.session.session import Session
from tfmini._src.variables.variable import Variable


def copy_variable_to_graph(org_instance: Variable, to_graph: Graph, scope: str = "") -> Variable:
    """Copies a variable to another graph, with the same initial value and collections.

    Args:
      org_instance: the variable.
      to_graph: the graph of the copy.
      scope: prefix of the copy's name, and of collection names other than GLOBAL_VARIABLES and TRAINABLE_VARIABLES.

    Returns:
      The copy.

    Raises:
      TypeError: if `org_instance` is not a variable.
    """
    if not isinstance(org_instance, Variable):
        raise TypeError(str(org_instance) + " is not a Variable")
    graph = org_instance.graph
    default_collections = (GraphKeys.GLOBAL_VARIABLES, GraphKeys.TRAINABLE_VARIABLES)
    collections = [
        name if name in default_collections else _scoped_name(scope, name)
        for name in graph.get_all_collection_keys()
        if _in_collection(org_instance, name)
    ]
    trainable = _in_collection(org_instance, GraphKeys.TRAINABLE_VARIABLES)
    with graph.as_default(), Session() as session:
        value = session.run(org_instance.initialized_value())
    name = org_instance.name.partition(":")[0]
    with to_graph.as_default():
        return Variable(
            value,
            trainable,
            name=_scoped_name(scope, name),
            collections=collections,
            validate_shape=False,
        )


def copy_op_to_graph(
    org_instance: Operation | Tensor,
    to_graph: Graph,
    variables: Iterable[Variable],
    scope: str = "",
) -> Any:
    """Copies an operation or tensor to another graph, with all its ancestors.

    Nodes of the same name in `to_graph` are reused.

    Args:
      org_instance: the operation or tensor.
      to_graph: the graph of the copy.
      variables: copies of the variables, as returned by `copy_variable_to_graph`.
      scope: prefix of the names of copies and their collections.

    Returns:
      The copy.

    Raises:
      TypeError: if `org_instance` is neither an operation nor a tensor.

    Example:
      copied = tf.contrib.copy_graph.copy_variable_to_graph(weights, other, "twin")
      twin = tf.contrib.copy_graph.copy_op_to_graph(loss, other, [copied], "twin")
    """
    name = _scoped_name(scope, org_instance.name)
    variables = list(variables)
    by_name = {variable.name: variable for variable in variables}
    if name in by_name:
        return to_graph.get_tensor_by_name(name)
    try:
        return to_graph.as_graph_element(name, allow_tensor=True, allow_operation=True)
    except (KeyError, TypeError, ValueError):
        pass
    if isinstance(org_instance, Tensor):
        op = org_instance.op
        copy = copy_op_to_graph(op, to_graph, variables, scope)
        tensor = copy.outputs[op.outputs.index(org_instance)]
        for key in op.graph.get_all_collection_keys():
            if _in_collection(org_instance, key):
                to_graph.add_to_collection(_scoped_name(scope, key), tensor)
        return tensor
    if isinstance(org_instance, Operation):
        return _copy_op(org_instance, name, to_graph, variables, scope)
    raise TypeError("Could not copy instance: " + str(org_instance))


def get_copied_op(org_instance: Operation | Tensor, graph: Graph, scope: str = "") -> Any:
    """Returns the copy of an operation or tensor in another graph, found by its name in a scope.

    Raises:
      KeyError: if there is no copy.
    """
    name = _scoped_name(scope, org_instance.name)
    return graph.as_graph_element(name, allow_tensor=True, allow_operation=True)


def _copy_op(op: Operation, name: str, graph: Graph, variables: list, scope: str) -> Operation:
    """Copies an operation, after copying its original op, control inputs and inputs."""
    original = op._original_op
    if original is not None:
        original = copy_op_to_graph(original, graph, variables, scope)
    controls = [copy_op_to_graph(source, graph, variables, scope) for source in op.control_inputs]
    inputs = [copy_op_to_graph(source, graph, variables, scope) for source in op.inputs]
    node_def = copies.deepcopy(op.node_def)
    node_def.name = name
    operation = Operation(
        node_def,
        graph,
        inputs,
        op._output_types[:],
        controls,
        op._input_types[:],
        original,
        copies.deepcopy(op.op_def),
    )
    graph._record_op_seen_by_control_dependencies(operation)
    graph._apply_device_functions(operation)
    return operation


def _scoped_name(scope: str, name: str) -> str:
    return f"{scope}/{name}" if scope else name


def _in_collection(item: Any, name: str) -> bool:
    return any(member is item for member in item.graph.get_collection(name))
