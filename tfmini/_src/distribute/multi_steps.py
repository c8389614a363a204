"""In-graph loops of steps: `extended.experimental_run_steps_on_iterator`, and outputs of their steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.base.read_only import read_only
from tfmini._src.distribute.strategy_context import (
    get_replica_context,
    get_strategy,
    in_cross_replica_context,
)
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.ops import ops


class MultiStepContext:
    """Values retained by the steps of a loop; the first argument of the step function.

    Attributes:
      run_op: the operation that runs the loop.
    """

    run_op: Any = None
    last_step_outputs: dict[str, Any] = read_only(
        "Values retained by the last step, by name.", "_outputs"
    )
    non_tensor_outputs: dict[str, Any] = read_only("Other retained values, by name.")

    def __init__(self) -> None:
        self._outputs: dict[str, Any] = {}
        self._reduce_ops: dict[str, Any] = {}
        self._non_tensor_outputs: dict[str, Any] = {}

    def set_last_step_output(self, name: str, output: Any, reduce_op: Any = None) -> None:
        """Stores an output of the last step.

        Args:
          name: the output's name.
          output: a tensor, or one per replica.
          reduce_op: a `tf.distribute.ReduceOp`; required in replica context.
        """
        if in_cross_replica_context():
            self._keep(get_strategy(), output, name, reduce_op)
            return
        assert reduce_op is not None
        get_replica_context().merge_call(self._keep, args=(output, name, reduce_op))

    def _keep(self, strategy: Any, output: Any, name: str, reduce_op: Any) -> None:
        self._reduce_ops[name] = reduce_op
        if reduce_op is not None:
            output = strategy.reduce(reduce_op, output, axis=None)
        self._outputs[name] = output

    def set_non_tensor_output(self, name: str, output: Any) -> None:
        """Stores an output that is not a tensor."""
        if in_cross_replica_context():
            self._non_tensor_outputs[name] = output
            return

        def keep(strategy: Any, value: Any) -> None:
            self._non_tensor_outputs[name] = strategy.experimental_local_results(value)

        get_replica_context().merge_call(keep, args=(output,))


def run_steps(
    fn: Callable,
    iterator: Any,
    iterations: Any,
    initial_loop_values: Any,
    unwrap: Callable[[Any], Any] = lambda value: value,
    wrap: Callable[[Any, Any], Any] = lambda value, reduce_op: value,
) -> MultiStepContext:
    """Builds a loop that calls `fn(context, element)` the given number of times.

    Args:
      fn: returns an operation.
      iterator: provides the elements.
      iterations: number of iterations.
      initial_loop_values: initial retained values, by name.
      unwrap: converts a retained value to tensors.
      wrap: converts tensors, and the operation that reduced them, to a retained value.

    Returns:
      The context, with `run_op` and the values after the loop.
    """
    context = MultiStepContext()
    first = flatten({} if initial_loop_values is None else initial_loop_values)

    def body(index: Any, *_: Any) -> list:
        step_output = fn(context, iterator.get_next())
        for name, output in context._outputs.items():
            context._outputs[name] = unwrap(output)
        with control_dependencies([step_output]):
            return [index + 1, *flatten(context._outputs)]

    results = ops.while_loop(
        lambda index, *_: index < iterations,
        body,
        [ops.constant(0), *first],
        name="",
        parallel_iterations=1,
        back_prop=False,
        swap_memory=False,
        return_same_structure=True,
    )
    context.run_op = ops.group(results)
    outputs = pack_sequence_as(context._outputs, results[1:])
    context._outputs = {
        name: wrap(value, context._reduce_ops.get(name)) for name, value in outputs.items()
    }
    return context
