"""Callees of a node as graphs, which its gradient reads and extends by additional results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.identity import index_in, is_in
from tfmini._src.functions.library_functions import LibraryFunction
from tfmini._src.functions.traced_function import TracedGraph
from tfmini._src.graph.attributes import NameAttrList
from tfmini._src.graph.function_library import called_function
from tfmini._src.graph.graphdef.function_bodies import build_body
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor, copy_handle_data


def called_graph(op: Operation, called: NameAttrList, values: Sequence[Tensor]) -> TracedGraph:
    """Returns the body of a function that a node calls with these tensors, as a separate graph."""
    function: Any = op.graph._functions[called.name]
    with op.graph.as_default():
        graph = TracedGraph(called.name)
    dims = [tensor._dims for tensor in values]
    body = build_body(function, called.attrs, dict(op.graph._functions), dims, graph)
    graph.inputs = [argument.outputs[0] for argument in body.arguments]
    graph.outputs = list(body.results)
    returned = function.definition.control_ret.values()
    graph.must_run = [graph.get_operation_by_name(name) for name in returned]
    for tensor, inner in zip(values, graph.inputs):
        inner.__dict__["_given_as"] = tensor
        copy_handle_data(tensor, inner)
    return graph


def extend_function(op: Operation, graph: TracedGraph) -> NameAttrList:
    """Adds a function extended by additional results to the library; returns its name."""
    name, functions = f"{graph.name}_rewritten", op.graph._functions
    suffix = 0
    while name in functions:
        suffix += 1
        name = f"{graph.name}_rewritten_{suffix}"
    LibraryFunction(graph, name).add_to_graph(op.graph)
    return NameAttrList(name)


def add_outputs(op: Operation, tensors: Sequence[Tensor]) -> None:
    """Adds outputs to a node for additional results of its function."""
    for tensor in tensors:
        op._add_output(tensor.dtype.base_dtype).set_shape(tensor.shape)
        copy_handle_data(tensor, op.outputs[-1])
    op.graph.note_mutation(op, "by adding outputs")


def resource_input(graph: TracedGraph, tensor: Tensor) -> Tensor:
    """Returns the argument of a function's body that a resource originates from."""
    while not is_in(tensor, graph.inputs):
        op = tensor.op
        if op.type in ("While", "StatelessWhile"):
            tensor = op.inputs[tensor.value_index]
        elif called_function(op) is not None:
            tensor = op.inputs[_forwarded_input_index(op, tensor.value_index)]
        elif op.inputs and op.inputs[0].dtype is dtypes.resource and len(op.outputs) == 1:
            tensor = op.inputs[0]
        else:
            raise ValueError(
                "Taking gradient of a while loop which creates a resource in its body is not supported: "
                f"{op.name}"
            )
    return tensor


def _forwarded_input_index(op: Operation, output_index: int) -> int:
    """Returns the index of the input that a call returns as this output."""
    called = called_function(op)
    assert called is not None
    graph = called_graph(op, called, op.inputs)
    return index_in(resource_input(graph, graph.outputs[output_index]), graph.inputs)
