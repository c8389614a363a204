"""`K.function` in eager mode: a part of the graph of Keras's symbolic tensors as a function that is called."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.functions.concrete_function import ConcreteFunction
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import eager_mode
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.shape_inference import constant_value
from tfmini._src.graph.tensor import Tensor
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.ops import ops
from tfmini._src.variables.variable import Variable


class EagerExecutionFunction:
    """`f(values)` computes outputs from inputs, and returns their values in their structure.

    Args:
      inputs: placeholders of symbolic tensors, a list.
      outputs: tensors computed from them.
      updates: operations, or pairs of a variable and its new value.
      name: kept, nothing more.

    Raises:
      TypeError: for updates that are no list.
    """

    def __init__(self, inputs: Any, outputs: Any, updates: Any = None, name: str | None = None):
        updates = updates or []
        if not isinstance(updates, list | tuple):
            raise TypeError("`updates` in a Keras backend function should be a list or tuple.")
        self.name = name
        self._structure = outputs
        self.inputs = flatten(inputs, expand_composites=True)
        self.outputs = flatten(outputs, expand_composites=True)
        self._updates = updates
        specs = [TensorSpec(x.shape, x.dtype) for x in self.inputs]
        names = [f"input_{number}" for number in range(len(specs))]
        with eager_mode():
            self._function = ConcreteFunction(name or "function", self._results, specs, names)

    def _results(self, *tensors: Tensor) -> list[Tensor]:
        copies = _Copies(dict(zip(self.inputs, tensors)))
        found = [ops.identity(copies.of(x)) for x in self.outputs]
        for update in self._updates:
            if isinstance(update, tuple):
                ops.assign(update[0], copies.of(update[1]))
            elif isinstance(update, Operation):
                copies.of_operation(update)
            elif getattr(update, "op", None) is not None:
                copies.of_operation(update.op)
        return found

    def __call__(self, inputs: Any) -> Any:
        values = flatten(inputs, expand_composites=True)
        given = []
        for tensor, value in zip(self.inputs, values):
            if value is None:
                value = _default(tensor)
            if not isinstance(value, Tensor):
                value = ops.convert_to_tensor(value, dtype=tensor.dtype)
            given.append(value if value.dtype is tensor.dtype else ops.cast(value, tensor.dtype))
        found = self._function.call(given)
        return pack_sequence_as(self._structure, [x.numpy() for x in found], expand_composites=True)


def _default(tensor: Tensor) -> Any:
    if tensor.op.type == "PlaceholderWithDefault":
        return constant_value(tensor.op.inputs[0])
    raise ValueError(f"You must feed a value for placeholder {tensor}")


class _Copies:
    """Copies of operations in the default graph.

    Args:
      known: by tensor, what is in its place.
    """

    def __init__(self, known: dict[Tensor, Tensor]) -> None:
        self._known = known
        self._made: dict[Operation, Operation] = {}

    def of(self, tensor: Any) -> Any:
        """The copy of a tensor; the value of a variable."""
        if isinstance(tensor, Variable) or not isinstance(tensor, Tensor):
            return tensor
        if tensor not in self._known:
            source = getattr(tensor, "_captured_from", None)
            if source is None:
                source = self.of_operation(tensor.op).outputs[tensor.value_index]
            self._known[tensor] = source
        return self._known[tensor]

    def of_operation(self, op: Operation) -> Operation:
        """The copy of an operation, with all that it depends on."""
        waiting = [op]
        while waiting:
            one = waiting[-1]
            before = [x.op for x in one.inputs if self._is_open(x)]
            before += one.control_inputs
            missing = [other for other in before if other not in self._made]
            if one in self._made or not missing:
                waiting.pop()
                if one not in self._made:
                    self._made[one] = self._copy(one)
            else:
                waiting += missing
        return self._made[op]

    def _is_open(self, tensor: Tensor) -> bool:
        return tensor not in self._known and not hasattr(tensor, "_captured_from")

    def _copy(self, op: Operation) -> Operation:
        if op.type in ("Placeholder", "PlaceholderV2"):
            raise ValueError(f"You must feed a value for placeholder {op.outputs[0]}")
        graph: Any = get_default_graph()
        for function in op.graph._functions.values():
            if function.library_name not in graph._functions:
                function.add_to_graph(graph)
        inputs = tuple([self.of(tensor) for tensor in op.inputs])
        with graph.control_dependencies([self._made[other] for other in op.control_inputs]):
            name = graph.unique_name(op.name)
            made: Operation = graph.add_node(
                op.opdef, name, inputs, op._input_dtypes, dict(op.attrs)
            )
        for tensor, copy in zip(op.outputs, made.outputs):
            copy.set_shape(tensor.shape)
        return made
