"""Gradients of function calls, which are themselves calls of a backward function.

The forward call is extended to return the intermediate values that the backward function takes as arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from tfmini._src.autodiff.gradients import gradients
from tfmini._src.autodiff.pending_counts import is_trainable
from tfmini._src.base import dtypes
from tfmini._src.base.identity import index_in, is_in
from tfmini._src.base.read_only import read_only
from tfmini._src.functions.called_graphs import add_outputs
from tfmini._src.functions.eager_calls import call_eagerly
from tfmini._src.functions.library_functions import LibraryFunction, append_unique_number
from tfmini._src.functions.traced_function import TracedGraph
from tfmini._src.graph.attributes import NameAttrList
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.default_graph import library_graph
from tfmini._src.graph.eager import tapes
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops, raw


class CallGradient:
    """Gradient rule of calls of a function.

    Args:
      body: the body of the function.
      name: stem of the names of its functions.
      values: the calls' results, by default the body's; after a gradient also the intermediate values.
    """

    def __init__(self, body: TracedGraph, name: str, values: Sequence[Tensor] | None = None):
        self._body = body
        self._name = name
        self._outputs = list(body.outputs if values is None else values)

    def __call__(self, op: Operation, *grads: Any) -> list[Any]:
        """Returns the gradients of a call's inputs, given the gradients of its results."""
        backward = self._backward
        backward.forward.add_to_graph(op.graph)
        backward.function.add_to_graph(library_graph())
        if len(backward.outputs) > len(self._outputs):
            types = tuple([tensor.dtype.base_dtype for tensor in backward.outputs])
            op.attrs = {**op.attrs, "f": NameAttrList(backward.forward.name), "Tout": types}
            add_outputs(op, backward.outputs[len(self._outputs) :])
            tapes.record_more_outputs(op)
        return backward.call(op, grads)

    @property
    def count(self) -> int:
        """The number of differentiated results."""
        return len(self._outputs)

    @property
    def forward_count(self) -> int:
        """The number of results of `forward`."""
        return len(self._backward.outputs)

    forward: LibraryFunction = read_only(
        "The function, extended to return the values that the gradient needs.", "_backward.forward"
    )

    @cached_property
    def for_forward_function(self) -> CallGradient:
        """The gradient rule of `forward`."""
        return CallGradient(self._body, self._name, self._backward.outputs)

    def call_gradient(self, call: Any, grads: Sequence[Any]) -> list[Any]:
        """Returns the gradients of the inputs of a call of `forward`, an object with `inputs` and `outputs`."""
        return self._backward.call(call, grads)

    def add_to_graph(self, graph: Graph) -> None:
        """Adds the functions called by a gradient to a graph's library."""
        self._backward.forward.add_to_graph(graph)
        self._backward.function.add_to_graph(graph)

    @cached_property
    def _backward(self) -> _Backward:
        return _Backward(self._body, self._outputs, self._name)


class _Backward:
    """The backward function of a call, and the forward function that returns the values it requires.

    function: maps gradients of differentiable results, and values of the body, to gradients of the inputs.
    forward: the function, with these values as further results.
    """

    def __init__(self, body: TracedGraph, values: Sequence[Tensor], name: str) -> None:
        self._trainable_indices = [n for n, tensor in enumerate(values) if is_trainable(tensor)]
        with body.as_default():
            self._graph = graph = TracedGraph(f"__backward_{name}")
        with graph.as_default():
            graph.inputs = [_gradient_argument(values[index]) for index in self._trainable_indices]
            ys = [values[index] for index in self._trainable_indices]
            self._grads = [
                _as_gradient(grad) for grad in gradients(ys, body.inputs, list(graph.inputs))
            ]
            graph.outputs = [
                ops.identity(t) for grad in self._grads for t in _component_tensors(grad)
            ]
        self._body, self._inputs = body, list(body.inputs)
        self._captured = list(graph.captured)
        graph.inputs += graph.captured.values()
        outer = body._outer_graph
        graph._outer_graph = outer
        extra_captures = [
            t for t in self._captured if not is_in(t, values) and not self._is_available(t)
        ]
        self.outputs = [*values, *extra_captures]
        self.function = LibraryFunction(
            graph, append_unique_number(f"__inference_{graph.name}", outer)
        )
        self._gradient = self.function.python_grad_func = CallGradient(graph, graph.name)
        outputs, body.outputs = body.outputs, self.outputs
        try:
            self.forward = LibraryFunction(body, append_unique_number(f"__forward_{name}", outer))
        finally:
            body.outputs = outputs
        self.forward.python_grad_func = CallGradient(body, name, self.outputs)

    def _is_available(self, tensor: Tensor) -> bool:
        """Whether a value is available without an additional result of the call."""
        return self._is_outer_tensor(tensor) or self._is_argument(tensor)

    def _is_outer_tensor(self, tensor: Tensor) -> bool:
        """Whether a tensor is eager or of an enclosing graph, such as those read only by a custom gradient."""
        return isinstance(tensor, EagerTensor) or tensor.graph is not self._body

    def _is_argument(self, tensor: Tensor) -> bool:
        return tensor.dtype is dtypes.resource and is_in(tensor, self._inputs)

    def call(self, op: Operation, grads: Sequence[Any]) -> list[Any]:
        """Returns the gradients of a call's inputs, given the gradients of its results."""
        values = [ops.convert_to_tensor(grads[index]) for index in self._trainable_indices]
        for tensor in self._captured:
            if self._is_outer_tensor(tensor):
                values.append(tensor)
            elif self._is_argument(tensor):
                values.append(op.inputs[index_in(tensor, self._inputs)])
            else:
                values.append(op.outputs[index_in(tensor, self.outputs)])
        if executing_eagerly():
            result = call_eagerly(self.function, self._gradient, values)
            return self._packed_gradients(result)
        results = self._graph.outputs
        types = [tensor.dtype.base_dtype for tensor in results]
        stateful = any(node.opdef.stateful for node in self.function.nodes)
        opdef = raw.StatefulPartitionedCall if stateful else raw.PartitionedCall
        result = opdef(values, Tout=types, f=NameAttrList(self.function.name)) if types else []
        tensors = result if isinstance(result, list | tuple) else [result]
        for tensor, inner in zip(tensors, results):
            tensor.set_shape(inner.shape)
        return self._packed_gradients(tensors)

    def _packed_gradients(self, tensors: Sequence[Tensor]) -> list[Any]:
        """Packs component tensors into gradients."""
        remaining = iter(tensors)
        return [_pack_gradient(grad, remaining) for grad in self._grads]


def _gradient_argument(tensor: Tensor) -> Tensor:
    """Creates the argument for the gradient of a result."""
    if tensor.dtype is dtypes.resource:
        zeros = ops.zeros_unconnected(tensor)
        return ops.placeholder(zeros.dtype, zeros.shape, "placeholder")
    return ops.placeholder(tensor.dtype.base_dtype, tensor.shape, "placeholder")


def _as_gradient(grad: Any) -> Any:
    return grad if grad is None or isinstance(grad, IndexedSlices) else ops.convert_to_tensor(grad)


def _component_tensors(grad: Any) -> list[Tensor]:
    """Returns the component tensors of a gradient."""
    if isinstance(grad, IndexedSlices):
        parts = (grad.values, grad.indices, grad.dense_shape)
        return [part for part in parts if part is not None]
    return [] if grad is None else [grad]


def _pack_gradient(grad: Any, tensors: Any) -> Any:
    """Packs the next tensors into a gradient of the same structure as the body's."""
    if isinstance(grad, IndexedSlices):
        values, indices = next(tensors), next(tensors)
        return IndexedSlices(values, indices, None if grad.dense_shape is None else next(tensors))
    return None if grad is None else next(tensors)
