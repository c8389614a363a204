"""The gradient of While: a loop over the iterations in reverse, whose body is the gradient of the body.

The forward loop accumulates the values needed from each iteration in lists, which it returns; the backward loop pops
them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.autodiff.gradients import UnconnectedGradients, gradients
from tfmini._src.autodiff.pending_counts import is_trainable
from tfmini._src.base import dtypes, proto
from tfmini._src.base.identity import index_in, is_in
from tfmini._src.base.records import dataclass
from tfmini._src.functions.auto_control_deps import order_effects
from tfmini._src.functions.called_graphs import (
    add_outputs,
    called_graph,
    extend_function,
    resource_input,
)
from tfmini._src.functions.cond_v2 import Branch, part_name
from tfmini._src.functions.library_functions import LibraryFunction
from tfmini._src.functions.traced_function import TracedGraph
from tfmini._src.graph.attributes import NameAttrList
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.default_graph import library_graph
from tfmini._src.graph.opdef import public
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.shape_inference import constant_value
from tfmini._src.graph.tensor import Tensor, copy_handle_data
from tfmini._src.ops import ops, raw
from tfmini._src.ops.lists.list_arrays import element_shape_input

_ORIGINAL = "_num_original_outputs"


@dataclass(frozen=True)
class _Loop:
    """A While and its functions as graphs.

    unchanged: loop-invariant variables.
    """

    op: Operation
    test: TracedGraph
    body: TracedGraph
    unchanged: frozenset[Tensor]


class _BodyGradientGraph(TracedGraph):
    """The gradient of a loop's body.

    empty_lists: for each list to be filled by the forward loop, the initial empty list.
    next_values: by placeholder of an outer tensor, the value passed to the next iteration.
    """

    def __init__(self, name: str, loop: _Loop):
        super().__init__(name)
        self._loop = loop
        self._values: dict[Tensor, Tensor] = {}
        self.empty_lists: list[Tensor] = []
        self.next_values: dict[Tensor, Tensor] = {}

    def capture(self, tensor: Tensor, name: str | None = None) -> Tensor:
        """Captures a tensor; loop-variant values are popped from an accumulator list."""
        if tensor.graph is not self._loop.body:
            return super().capture(tensor, name)
        name = name or tensor.op.name
        while tensor.op.type == "Identity":
            tensor = tensor.op.inputs[0]
        if tensor not in self._values:
            self._values[tensor] = self._value(tensor, name)
        return self._values[tensor]

    def _value(self, tensor: Tensor, name: str) -> Tensor:
        loop = self._loop
        if tensor in loop.unchanged and tensor.dtype is not dtypes.resource:
            return super().capture(tensor, name)
        if tensor.op.type == "Const":
            return ops.constant(constant_value(tensor), dtype=tensor.dtype)
        if tensor.dtype is dtypes.resource:
            index = index_in(resource_input(loop.body, tensor), loop.body.inputs)
            return super().capture(loop.op.inputs[index], name)
        pushed = _stacked_list(tensor, loop.body)
        if pushed is None:
            pushed = self._push(tensor)
        accumulator = super().capture(pushed, name)
        remaining, value = raw.TensorListPopBack(accumulator, -1, element_dtype=tensor.dtype)
        value.set_shape(tensor.shape)
        self.next_values[accumulator] = remaining
        return value

    def _push(self, tensor: Tensor) -> Tensor:
        """Pushes a tensor of the forward body onto a new list; returns the filled list."""
        loop = self._loop
        with loop.op.graph.as_default(), control_dependencies(None):
            shape = element_shape_input(tensor.shape)
            name = f"{tensor.name}/accumulator".replace(":", "_")
            max_iterations = loop.op.inputs[1]
            empty = raw.EmptyTensorList(
                shape, max_iterations, element_dtype=tensor.dtype, name=name
            )
        self.empty_lists.append(empty)
        with loop.body.as_default():
            pushed = raw.TensorListPushBack(empty, tensor)
        loop.body.outputs.append(pushed)
        loop.body.inputs.append(loop.body.capture(empty))
        with loop.test.as_default():
            loop.test.inputs.append(loop.test.capture(empty))
        return pushed


def _stacked_list(tensor: Tensor, body: TracedGraph) -> Tensor | None:
    """Returns the list onto which the loop already pushes a tensor, for another gradient."""
    for consumer in tensor._consumers:
        if consumer.type == "TensorListPushBack" and is_in(consumer.inputs[0], body.inputs):
            index = index_in(consumer.inputs[0], body.inputs)
            source = output = body.outputs[index]
            if output.op.type == "Identity":
                source = output.op.inputs[0]
            if source is consumer.outputs[0]:
                return output
    return None


@public
def while_gradients(op: Operation, grads: Sequence[Any]) -> list:
    """Returns the gradients of the loop variables' initial values, given the gradients of their final values."""
    op = op.outputs[0].op  # the mutable operation
    loop = _loop_node(op)
    count = op.attrs.get(_ORIGINAL, len(op.outputs))
    starts: list[Any] = [None] * len(op.outputs)
    for index, grad in enumerate(grads[:count]):
        starts[index] = _initial_gradient(grad, loop.body.outputs[index], op.outputs[index])
    counter = ops.constant(0, op.outputs[0].dtype, name="grad_counter")
    step = _Step(loop, starts)
    if any(isinstance(grad, IndexedSlices) for grad in step.grads):
        loop = _loop_node(op)  # rebuilt, because the loop variables are now known to be slices
        for index, grad in zip(step.indices, step.grads):
            if isinstance(grad, IndexedSlices):
                starts[index] = _no_slices(grad, op.inputs[index])
        step = _Step(loop, starts)
    if step.graph.empty_lists:
        _fill_lists(loop, step.graph.empty_lists)
    op.attrs = {**op.attrs, _ORIGINAL: len(op.outputs)}
    return _backward_loop(loop, step, [counter, op.inputs[1], op.outputs[0]], starts)


def _loop_node(op: Operation) -> _Loop:
    test, body = (called_graph(op, op.attrs[key], op.outputs) for key in ("cond", "body"))
    return _Loop(op, test, body, frozenset(body.inputs) & frozenset(body.outputs))


def _initial_gradient(grad: Any, inner_tensor: Tensor, outer_tensor: Tensor) -> Any:
    """Returns the gradient of a final value; None if absent or not needed."""
    is_rest = inner_tensor.op.type == "TensorListPopBack" and inner_tensor.value_index == 0
    if not is_trainable(inner_tensor.op.attrs["element_dtype"] if is_rest else inner_tensor):
        return None
    if grad is None and outer_tensor.dtype in (dtypes.resource, dtypes.variant):
        return ops.zeros_unconnected(outer_tensor)
    return grad


class _Step:
    """The gradient of one iteration.

    indices: indices of the loop variables with a gradient.
    grads: their gradients: slices for a resource whose rows are read.
    """

    def __init__(self, loop: _Loop, starts: Sequence[Any]):
        self.indices = [index for index, start in enumerate(starts) if start is not None]
        body = loop.body
        self.graph = graph = _BodyGradientGraph(part_name("", f"{body.name}_grad"), loop)
        ys = [body.outputs[index] for index in self.indices]
        xs = [body.inputs[index] for index in self.indices]
        with graph.as_default():
            counter, max_iterations, total = (
                ops.placeholder(loop.op.outputs[0].dtype, [], "placeholder") for _ in range(3)
            )
            values = [_gradient_placeholder(starts[index], x) for index, x in zip(self.indices, xs)]
            graph.inputs = [
                counter,
                max_iterations,
                total,
                *(t for grad in values for t in _component_tensors(grad)),
            ]
            grads = gradients(ys, xs, values, unconnected_gradients=UnconnectedGradients.ZERO)
            self.grads = [
                grad
                if x.dtype is dtypes.resource and isinstance(grad, IndexedSlices)
                else ops.convert_to_tensor(grad)
                for x, grad in zip(xs, grads)
            ]
            results = (counter + 1, max_iterations, total, *self.grads)
            tensors = [tensor for result in results for tensor in _returned(result)]
            graph.outputs = [graph.capture(tensor) for tensor in tensors]
            graph.must_run = order_effects(graph, 0, graph.outputs)
        graph.inputs += graph.captured.values()
        graph.outputs += [
            graph.next_values.get(tensor, tensor) for tensor in graph.captured.values()
        ]


def _gradient_placeholder(start: Any, x: Tensor) -> Any:
    """Creates a placeholder, in the gradient's body, for the incoming gradient of the loop variable `x`."""
    if isinstance(start, IndexedSlices):
        values, indices, sizes = _component_tensors(start)
        rows = [None, *values.shape.as_list()[1:]] if values.shape.dims is not None else None
        return IndexedSlices(
            ops.placeholder(values.dtype, rows, "placeholder"),
            ops.placeholder(indices.dtype, [None], "placeholder"),
            ops.placeholder(sizes.dtype, sizes.shape, "placeholder"),
        )
    shape = start.shape if x.dtype is dtypes.resource else x.shape
    return ops.placeholder(start.dtype, shape, "placeholder")


def _component_tensors(grad: Any) -> list[Tensor]:
    if isinstance(grad, IndexedSlices):
        assert grad.dense_shape is not None
        return [grad.values, grad.indices, grad.dense_shape]
    return [grad]


def _returned(grad: Any) -> list[Tensor]:
    """Returns copies of the tensors of a result, which wait for the side effects of the body."""
    values, *rest = _component_tensors(grad)
    values = ops.identity(values)
    return [values, ops.identity(rest[0]), rest[1]] if rest else [values]


def _no_slices(grad: IndexedSlices, x: Tensor) -> IndexedSlices:
    """Returns empty slices of the same kind as `grad` for the resource variable `x`."""
    values, indices, sizes = _component_tensors(grad)
    shape: Any
    if values.shape.is_fully_defined():
        shape = [0, *values.shape.as_list()[1:]]
    else:
        shape = ops.concat([[0], raw.VariableShape(x)[1:]], 0)
    none = ops.constant([], indices.dtype)
    sizes = raw.VariableShape(x, out_type=sizes.dtype)
    return IndexedSlices(ops.zeros(shape, dtype=values.dtype), none, sizes)


def _fill_lists(loop: _Loop, lists: Sequence[Tensor]) -> None:
    """Adds empty lists to the forward loop, which fills and returns them."""
    op, outputs = loop.op, loop.body.outputs
    op._add_inputs(lists)
    op.attrs = {
        **op.attrs,
        "T": tuple([tensor.dtype.base_dtype for tensor in outputs]),
        "cond": extend_function(op, loop.test),
        "body": extend_function(op, loop.body),
        "output_shapes": [tensor._dims for tensor in outputs],
    }
    add_outputs(op, outputs[-len(lists) :])


def _backward_loop(loop: _Loop, step: _Step, first: list[Tensor], starts: Sequence[Any]) -> list:
    """Adds the node of the gradient; returns it and its result for each loop variable."""
    op, graph = loop.op, step.graph
    variables = list(first)
    for index in step.indices:
        variables += _component_tensors(starts[index])
    for tensor in graph.captured:
        if tensor.graph is loop.body:
            tensor = op.outputs[index_in(tensor, loop.body.outputs)]
        variables.append(tensor)
    specs = [(tensor.dtype.base_dtype, tensor.shape) for tensor in graph.inputs]
    name = part_name("", f"{op.attrs['cond'].name}_grad")
    test = Branch(
        name,
        lambda count, _, total, *rest: count < total,
        TracedGraph,
        specs,
        [None] * len(specs),
        orders=True,
    )
    results = raw.While(
        variables,
        cond=test.add_to_library(),
        body=_define(graph),
        output_shapes=[tensor.shape for tensor in graph.outputs],
        parallel_iterations=op.attrs["parallel_iterations"],
        name=f"{op.name}_grad",
    )
    node = results[0].op
    node._set_attr("_lower_using_switch_merge", proto.AttrValue(b=True))
    for tensor, inner in zip(node.outputs, graph.outputs):
        copy_handle_data(inner, tensor)
    remaining = iter([ops.identity(tensor) for tensor in results][len(first) :])
    grads: list[Any] = [None] * len(op.inputs)  # the node has more outputs than before
    for index, grad in zip(step.indices, step.grads):
        parts = [next(remaining) for _ in _component_tensors(grad)]
        grads[index] = IndexedSlices(*parts) if isinstance(grad, IndexedSlices) else parts[0]
    return grads


def _define(graph: TracedGraph) -> NameAttrList:
    """Defines a function in the library of the outer graph; returns its name."""
    LibraryFunction(graph, graph.name).add_to_graph(library_graph())
    return NameAttrList(graph.name)
