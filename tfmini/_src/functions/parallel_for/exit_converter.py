"""Converter of loops: a single loop runs all iterations of `pfor` until the last one ends.

If the condition differs between iterations, the body only computes the active ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base.shapes import TensorShape
from tfmini._src.functions.parallel_for.conversion import Conversion, OpToConvert, Value, tile
from tfmini._src.functions.parallel_for.converters import converter
from tfmini._src.functions.parallel_for.loop_nodes import LoopNodes, exit_loop, has_state
from tfmini._src.functions.parallel_for.tensor_array_converters import producer
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops, raw
from tfmini._src.ops.control_flow.while_loop import while_loop

# Ops whose results are the same in all iterations, regardless of inputs.
_INVARIANT_OPS = frozenset(
    ["Shape", "ShapeN", "Size", "Rank", "TensorArraySizeV3", "TensorArrayV3", "StackV2"]
)


@converter("Exit")
def _exit(op: OpToConvert) -> Any:
    loop = exit_loop(op.op)
    result = op.conversion.loops
    if loop.condition not in result:
        result[loop.condition] = _ConvertedLoop(op, loop).results()
    return [result[loop.condition][loop.switches.index(op.op.inputs[0].op)]]


class _ConvertedLoop:
    """A loop in the body, converted for all iterations of `pfor`."""

    def __init__(self, op: OpToConvert, loop: LoopNodes):
        self._enclosing_conversion = op.conversion
        self._loop = loop
        count = len(loop.switches)
        self._initial, self._invariants = op.values[:count], op.values[count:]
        self._shapes = [merge.outputs[0].shape for merge in loop.merges]
        self._next = [merge.inputs[1].op for merge in loop.merges]
        stacked = self._stacked_tensors()
        self._is_stacked = [merge.outputs[0] in stacked for merge in loop.merges]
        self._parts = loop.condition.inputs[0] in stacked

    def results(self) -> list[Value]:
        """Builds the converted loop; returns the final values of the loop variables."""
        initial = [
            self._tile_to_length(value, self._enclosing_conversion.length)
            if stacked
            else value.tensor
            for value, stacked in zip(self._initial, self._is_stacked)
        ]
        if self._parts:
            return [Value(tensor, True) for tensor in self._run_active_iterations(initial)]
        result = self._run(
            lambda *state: (
                self._iteration(state, None).value(self._loop.condition.inputs[0]).tensor
            ),
            lambda *state: self._next_values(self._iteration(state, None)),
            initial,
            [
                _stacked_shape(shape) if stacked else shape
                for shape, stacked in zip(self._shapes, self._is_stacked)
            ],
        )
        return [Value(*pair) for pair in zip(result, self._is_stacked)]

    def _run_active_iterations(self, initial: list[Tensor]) -> list[Tensor]:
        """Builds a loop over the active iterations; returns the final values of all iterations.

        A variable equal in all active iterations still has a separate final value in each.
        """
        for op in self._loop.body:
            if op.type == "StackPushV2":
                raise ValueError(
                    f"{op.name}: cannot convert the gradient of a loop whose condition is not loop-invariant"
                )
        length, unstacked_count = self._enclosing_conversion.length, self._is_stacked.count(False)

        def running_rows(rows: Tensor, state: list[Tensor]) -> Tensor:
            iteration = self._iteration(state, rows)
            continues = self._tile_to_length(
                iteration.value(self._loop.condition.inputs[0]), iteration.length
            )
            active: Tensor = ops.boolean_mask(rows, continues)
            return active

        def body(rows: Tensor, *variables: Tensor) -> list[Tensor]:
            unstacked, last = iter(variables[:unstacked_count]), variables[unstacked_count:]
            state = [
                ops.gather(tensor, rows) if stacked else next(unstacked)
                for tensor, stacked in zip(last, self._is_stacked)
            ]
            iteration = self._iteration(state, rows)
            result = self._next_values(iteration)
            positions = ops.expand_dims(rows, 1)
            updates = self._all_stacked(result, iteration.length)
            written = [raw.TensorScatterUpdate(t, positions, new) for t, new in zip(last, updates)]
            return [running_rows(rows, result), *self._unstacked_variables(result), *written]

        result = self._run(
            lambda rows, *_: ops.size(rows) > 0,
            body,
            [
                running_rows(ops.range(length[0]), initial),
                *self._unstacked_variables(initial),
                *self._all_stacked(initial, length),
            ],
            [
                TensorShape([None]),
                *self._unstacked_variables(self._shapes),
                *map(_stacked_shape, self._shapes),
            ],
        )
        return result[1 + unstacked_count :]

    def _run(self, cond: Any, body: Any, initial: list[Tensor], shapes: list[TensorShape]) -> Any:
        return while_loop(
            cond,
            body,
            initial,
            shapes,
            parallel_iterations=self._loop.enters[0].attrs["parallel_iterations"],
            return_same_structure=True,
        )

    def _iteration(self, state: Sequence[Tensor], rows: Tensor | None) -> Conversion:
        """Returns the conversion of one loop iteration for these values of the variables."""
        converted = {}
        for switch, tensor, stacked in zip(self._loop.switches, state, self._is_stacked):
            for inner in (switch.inputs[0], *switch.outputs):
                converted[inner] = Value(tensor, stacked)
        for enter, value in zip(self._loop.invariants, self._invariants):
            if rows is not None and value.is_stacked:
                value = Value(ops.gather(value.tensor, rows), True)
            converted[enter.outputs[0]] = value
        return self._enclosing_conversion.subconversion(self._loop.body, converted, rows)

    def _next_values(self, iteration: Conversion) -> list[Tensor]:
        """Returns the next values of the loop variables."""
        results = []
        for op, stacked, shape in zip(self._next, self._is_stacked, self._shapes):
            value = iteration.value(op.inputs[0])
            if value.is_stacked and not stacked:
                raise ValueError(f"Input 0 of {op.name} expected to be loop invariant")
            results.append(
                self._tile_to_length(value, iteration.length) if stacked else value.tensor
            )
            with control_dependencies([iteration.walk(control) for control in op.control_inputs]):
                results[-1] = ops.identity(results[-1])
            results[-1].set_shape(_stacked_shape(shape) if stacked else shape)
        return results

    def _unstacked_variables(self, items: list[Any]) -> list[Any]:
        """Returns the loop variables that are not stacked."""
        return [item for item, stacked in zip(items, self._is_stacked) if not stacked]

    def _all_stacked(self, state: list[Tensor], length: Tensor) -> list[Tensor]:
        return [self._tile_to_length(Value(*pair), length) for pair in zip(state, self._is_stacked)]

    def _tile_to_length(self, value: Value, length: Tensor) -> Tensor:
        return value.tensor if value.is_stacked else tile(value.tensor, length)

    def _stacked_tensors(self) -> set[Tensor]:
        """Returns the loop's tensors that may differ between iterations of `pfor`."""
        loop = self._loop
        values = [*self._initial, *self._invariants]
        stacked = {e.outputs[0] for e, value in zip(loop.enters, values) if value.is_stacked}
        count = -1
        while count != len(stacked):
            count = len(stacked)
            for op in (*loop.merges, *loop.switches, *self._next, *loop.body):
                if self._varies(op, stacked):
                    stacked.update(op.outputs[1:] if op.type == "TensorArrayGradV3" else op.outputs)
        return stacked

    def _varies(self, op: Operation, stacked: set[Tensor]) -> bool:
        if op.type in _INVARIANT_OPS:
            return False
        if op.type == "StackPopV2":
            return self._enclosing_conversion.stack_varies.get(producer(op), False)
        if not stacked.isdisjoint(op.inputs) or op.type == "TensorArrayGradV3":
            return True
        return has_state(op) and not op.type.startswith(("TensorArray", "Stack"))


def _stacked_shape(shape: TensorShape) -> TensorShape:
    return TensorShape([None]).concatenate(shape)
