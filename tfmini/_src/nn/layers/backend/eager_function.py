"""`K.function` in eager mode: wraps a subgraph of Keras's symbolic tensors as a callable."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.functions.concrete_function import ConcreteFunction
from tfmini._src.functions.lift_to_graph import lift_to_graph
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.eager.execution_mode import eager_mode
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.shape_inference import constant_value
from tfmini._src.graph.tensor import Tensor
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.ops import ops
from tfmini._src.variables.lifted_values import UnliftableError
from tfmini._src.variables.variable import Variable


class EagerExecutionFunction:
    """Callable that computes `outputs` from input values and returns their values in the structure of `outputs`.

    Args:
      inputs: a list of symbolic placeholders.
      outputs: tensors computed from them.
      updates: operations, or pairs of a variable and its new value.
      name: stored, otherwise unused.

    Raises:
      TypeError: if `updates` is not a list.
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
        names = [f"input_{index}" for index in range(len(specs))]
        with eager_mode():
            self._function = ConcreteFunction(name or "function", self._results, specs, names)

    def _results(self, *tensors: Tensor) -> list[Tensor]:
        fetches = [x for x in (*self.outputs, *map(_as_update, self._updates)) if _is_of_graph(x)]
        try:
            copies = lift_to_graph(
                fetches,
                get_default_graph(),
                handle_captures=True,
                op_map=dict(zip(self.inputs, tensors)),
            )
        except UnliftableError as error:
            raise ValueError(f"You must feed a value for placeholder: {error}") from None
        results = [ops.identity(copies.get(x, x)) for x in self.outputs]
        for update in self._updates:
            if isinstance(update, tuple):
                ops.assign(update[0], copies.get(update[1], update[1]))
        return results

    def __call__(self, inputs: Any) -> Any:
        values = flatten(inputs, expand_composites=True)
        arguments = []
        for tensor, value in zip(self.inputs, values):
            if value is None:
                value = _default(tensor)
            if not isinstance(value, Tensor):
                value = ops.convert_to_tensor(value, dtype=tensor.dtype)
            arguments.append(
                value if value.dtype is tensor.dtype else ops.cast(value, tensor.dtype)
            )
        results = self._function.call(arguments)
        return pack_sequence_as(
            self._structure, [x.numpy() for x in results], expand_composites=True
        )


def _default(tensor: Tensor) -> Any:
    if tensor.op.type == "PlaceholderWithDefault":
        return constant_value(tensor.op.inputs[0])
    raise ValueError(f"You must feed a value for placeholder {tensor}")


def _as_update(update: Any) -> Any:
    """Returns the operation or new value described by an element of `updates`."""
    if isinstance(update, tuple):
        return update[1]
    return update if isinstance(update, Operation) else getattr(update, "op", None)


def _is_of_graph(value: Any) -> bool:
    return isinstance(value, Tensor | Operation) and not isinstance(value, Variable | EagerTensor)
