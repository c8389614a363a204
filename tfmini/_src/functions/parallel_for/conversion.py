"""Conversion of an iteration's body to ops that compute all iterations at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.identity import are_same
from tfmini._src.functions.called_graphs import called_graph
from tfmini._src.functions.functional_ops import map_fn
from tfmini._src.functions.parallel_for.converters import converters
from tfmini._src.functions.parallel_for.loop_nodes import exit_loop, has_state
from tfmini._src.graph.attributes import NameAttrList
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.function_library import called_function
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops, raw


@dataclass(frozen=True)
class Value:
    """A body tensor's value: the same in all iterations, or stacked along a new first dimension."""

    tensor: Tensor
    is_stacked: bool


class OpToConvert:
    """An op of the body, with the values of its inputs.

    Attributes:
      op: the op.
      values: the values of its inputs; for an Exit, of all values that enter its loop.
      conversion: the conversion it belongs to.
      length: the number of iterations, a one-element tensor.
    """

    def __init__(self, op: Operation, values: list[Value], conversion: Conversion):
        self.op = op
        self.values = values
        self.conversion = conversion
        self.length = conversion.length

    def is_stacked(self, index: int) -> bool:
        """Whether an input differs between iterations."""
        return self.values[index].is_stacked

    def invariant_input(self, index: int) -> Tensor:
        """Returns a loop-invariant input; raises ValueError if it differs between iterations."""
        if self.is_stacked(index):
            wrong, prefix = (index, "") if not index or self.is_stacked(0) else (0, "not ")
            text = (
                f'Input "{self.op.opdef.inputs[wrong].name}" of op "{self.op.type}" expected to be'
            )
            raise ValueError(f"{text} {prefix}loop invariant.")
        return self.values[index].tensor

    def stacked_input(self, index: int) -> Tensor:
        """Returns an input, tiled over the iterations if it is the same in all."""
        value = self.values[index]
        return value.tensor if value.is_stacked else tile(value.tensor, self.length)

    def all_stacked(self) -> list[Tensor]:
        """Returns all inputs, stacked."""
        return [self.stacked_input(index) for index in range(len(self.values))]

    def rank(self, index: int) -> int:
        """Returns the number of dimensions of an input in one iteration; raises ValueError if it is unknown."""
        rank = self.op.inputs[index].shape.ndims
        if rank is None:
            raise ValueError(
                f'Input {index} of op "{self.op.name}" ({self.op.type}) must have a static rank to be vectorized.'
            )
        return rank

    def copy_with(self, *inputs: Any, **attrs: Any) -> Any:
        """Adds an op of the same type with other inputs and attrs; returns its outputs."""
        return copy_op(self.op, list(inputs), **attrs)


def tile(tensor: Tensor, length: Tensor) -> Tensor:
    """Stacks copies of a tensor, one per iteration."""
    expanded = ops.expand_dims(tensor, 0)
    ones = ops.ones([ops.rank(tensor)], length.dtype)
    result: Tensor = ops.tile(expanded, ops.concat([length, ones], 0))
    return result


def copy_op(op: Operation, inputs: list[Any], **changed_attrs: Any) -> Any:
    """Copies an op with other inputs and attrs; returns the outputs, or the operation if it has no outputs."""
    values: list[Any] = []
    for arg in op.opdef.inputs:
        if arg.is_list:
            count = arg.count(op.attrs)
            values.append(inputs[:count])
            inputs = inputs[count:]
        else:
            values.append(inputs.pop(0))
    attrs: dict[str, Any] = {}
    for name in op.opdef.settable_attrs:
        if name in op.attrs:
            value = op.attrs[name]
            if isinstance(value, NameAttrList):
                value = op.graph._functions.get(value.name, value)
            attrs[name] = value
    results = op.opdef(*values, **{**attrs, **changed_attrs})
    if results is None or isinstance(results, Operation):
        return results
    parts = results if isinstance(results, list | tuple) else [results]
    return [t for part in parts for t in (part if isinstance(part, list) else [part])]


class Conversion:
    """Converts the tensors of a body, each once.

    Args:
      length: the number of iterations, a one-element tensor.
      indices: the iteration indices.
      operations: the ops of the body.
      values: the known values, initially only the value of the iteration index.
      falls_back: converter for ops without one of their type; None to reject them.
      reductions: the tensors whose stacked values are placeholders in the body.
      copies: whether ops that are the same in all iterations are copied, since they belong to another graph or loop.

    Attributes:
      body_ops: the ops of the body, and of enclosing bodies.
      stack_varies: for each op in the body that creates a stack, whether its elements differ between iterations.
      full_length: the number of iterations for which TensorArrays and stacks have elements.
      rows: the indices of these iterations among the outer ones; None for all.
      loops: the final values of loops, by their conditions.
    """

    def __init__(
        self,
        length: Tensor,
        indices: Tensor,
        operations: Iterable[Operation],
        values: dict[Tensor, Value],
        falls_back: Callable[[OpToConvert], Any] | None,
        reductions: dict[Tensor, Tensor] | None = None,
        copies: bool = False,
    ):
        self.length = length
        self.iteration_indices = indices
        self._converted_ops = set(operations)
        self._values = values
        self.fallback_converter = falls_back
        self._reductions = reductions or {}
        self._copies = copies
        self._operations: dict[Operation, Any] = {t.op: v.tensor.op for t, v in values.items()}
        self.body_ops = self._converted_ops
        self.stack_varies: dict[Operation, bool] = {}
        self.full_length = length
        self.rows: Tensor | None = None
        self.loops: dict[Operation, list[Value]] = {}

    def subconversion(
        self, operations: set[Operation], values: dict[Tensor, Value], rows: Tensor | None
    ) -> Conversion:
        """Returns the conversion of a nested loop's body for a subset `rows` of the iterations, by default all."""
        length, indices = self.length, self.iteration_indices
        if rows is not None:
            length, indices = ops.reshape(ops.size(rows), [1]), ops.gather(indices, rows)
        conversion = Conversion(
            length, indices, operations, values, self.fallback_converter, copies=True
        )
        conversion.body_ops, conversion.stack_varies = self.body_ops, self.stack_varies
        conversion.full_length, conversion.rows = self.full_length, self.rows
        if rows is not None:
            conversion.rows = rows if self.rows is None else ops.gather(self.rows, rows)
        return conversion

    def value(self, tensor: Tensor) -> Value:
        """Returns the value of a tensor inside or outside the body."""
        self.walk(tensor.op)
        return self._values.get(tensor, Value(tensor, False))

    def convert(self, result: Any) -> Any:
        """Converts a result of the body: returns its stacked value for all iterations."""
        if result is None:
            return None
        if isinstance(result, SparseTensor):
            return self._sparse(result)
        if isinstance(result, Operation):
            assert not result.outputs, (
                f"Only operations without outputs are converted, not {result}"
            )
            return self.walk(result)
        return self._stack(result)

    def _stack(self, tensor: Tensor) -> Tensor:
        value = self.value(tensor)
        return value.tensor if value.is_stacked else tile(value.tensor, self.length)

    def _sparse(self, tensor: SparseTensor) -> SparseTensor:
        if tensor.indices.op.type == "ParseSingleExample":  # parsed at once for all rows
            self.walk(tensor.indices.op)
            components = (tensor.indices, tensor.values, tensor.dense_shape)
            return SparseTensor(*(self._values[part].tensor for part in components))
        parts = [self._stack(t) for t in (tensor.indices, tensor.values, tensor.dense_shape)]
        serialized = map_fn(lambda row: raw.SerializeSparse(*row), parts, dtype=dtypes.string)
        indices, values, shape = raw.DeserializeSparse(serialized, dtype=tensor.dtype)
        rank = tensor.indices.shape.as_list()[-1]
        size = None if rank is None else rank + 1
        indices.set_shape([None, size])
        shape.set_shape([size])
        return SparseTensor(indices, values, shape)

    def walk(self, op: Operation) -> Any:
        """Converts an op and its dependencies; ops from outside are unchanged."""
        result = op
        stack = [op]
        while stack:
            op = stack[-1]
            if op not in self._converted_ops or op in self._operations:
                stack.pop()
                continue
            missing = [
                source
                for source in self._sources(op)
                if source in self._converted_ops
                and source not in self._operations
                and source is not op
            ]
            if missing:
                stack += missing
                continue
            stack.pop()
            self._convert_op(op)
        return self._operations.get(result, result)

    def _sources(self, op: Operation) -> list[Operation]:
        """Returns the dependencies of an op; for an Exit, the dependencies of its entire loop."""
        inputs, controls = self._inputs(op)
        return [*(t.op for t in inputs), *controls]

    def _inputs(self, op: Operation) -> tuple[Sequence[Tensor], Sequence[Operation]]:
        """Lists the tensors and ops that an op depends on; none for stacks of an outer loop, which gradients extend."""
        if self._is_of_outer_loop(op):
            return [], []
        if op.type == "Exit":
            loop = exit_loop(op)
            return loop.inputs, loop.controls
        return op.inputs, op.control_inputs

    def _is_of_outer_loop(self, op: Operation) -> bool:
        if op.type == "Exit":
            return op.inputs[0].op.inputs[1].op not in self._converted_ops
        if op.type != "StackV2":
            return False
        contexts = [consumer._control_flow_context for consumer in op.outputs[0].consumers()]
        pivots = [getattr(context, "pivot", None) for context in contexts]
        return any(pivot is not None and pivot.op not in self.body_ops for pivot in pivots)

    def _convert_op(self, op: Operation) -> None:
        if op.outputs and op.outputs[0] in self._reductions:
            result = self._stack(self._reductions[op.outputs[0]])
            self._values[op.outputs[0]] = Value(result, False)
            self._operations[op] = result.op
            return
        inputs, control_inputs = self._inputs(op)
        values = [self._values.get(t, Value(t, False)) for t in inputs]
        controls = [self._operations.get(control, control) for control in control_inputs]
        is_changed = self._copies or not are_same(
            [*inputs, *control_inputs], [*(value.tensor for value in values), *controls]
        )
        is_stateful = has_state(op) and not self._is_of_outer_loop(op)
        if not is_changed and not is_stateful:
            self._operations[op] = op
            return
        if self._copies:
            controls = [self._operations[c] for c in control_inputs if c in self._operations]
        with control_dependencies(controls), name_scope(f"{op.name}/pfor/"):
            if op.type == "Exit" or is_stateful or any(value.is_stacked for value in values):
                converted = self._call_converter(op, values)
            else:
                result = copy_op(op, [value.tensor for value in values])
                converted = [Value(t, False) for t in result] if op.outputs else result
        if op.outputs:
            self._values.update(zip(op.outputs, converted))
            self._operations[op] = converted[0].tensor.op
        else:
            self._operations[op] = converted

    def _call_converter(self, op: Operation, values: list[Value]) -> Any:
        called = called_function(op)
        if called is not None:
            return self._convert_call(op, called, values)
        convert = converters.get(op.type, self.fallback_converter)
        if convert is None:
            raise ValueError(
                f"No converter defined for {op.type}\n{op}\ninputs: {values}. \nEither add a converter or set "
                "--op_conversion_fallback_to_while_loop=True, which may run slower"
            )
        result = convert(OpToConvert(op, values, self))
        if not op.outputs:
            return result
        result = result if isinstance(result, list) else [result]
        return [value if isinstance(value, Value) else Value(value, True) for value in result]

    def _convert_call(
        self, op: Operation, called: NameAttrList, values: list[Value]
    ) -> list[Value]:
        """Converts the body of a called function inline."""
        graph = called_graph(op, called, op.inputs)
        converted = dict(zip(graph.inputs, values))
        inner = Conversion(
            self.length,
            self.iteration_indices,
            graph.get_operations(),
            converted,
            self.fallback_converter,
            copies=True,
        )
        for inner_op in (*graph.must_run, *(tensor.op for tensor in graph.outputs)):
            inner.walk(inner_op)
        return [inner._values[tensor] for tensor in graph.outputs]
