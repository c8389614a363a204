"""`for` over a dataset: a `reduce` whose state consists of the values written by the loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.autograph.operators.structure_checks import check_iteration
from tfmini._src.data.dataset import DatasetV2
from tfmini._src.data.experimental.element_filters import take_while
from tfmini._src.data.experimental.element_transformations import scan
from tfmini._src.ops import ops


def loop_over_dataset(
    dataset: DatasetV2, extra_test: Callable | None, body: Callable, state: Any
) -> None:
    """Calls `body` with each element while `extra_test()` holds, in graph functions.

    Args:
      state: the LoopState.
    """
    if extra_test is not None:
        _reduce_while(dataset, extra_test, body, state)
        return
    count = len(state.names)
    variables, composites = _loop_and_other_values(state)
    no_names, no_composites = not variables, not composites
    initial = ((ops.constant(0),) if no_names else variables, composites)
    if no_composites:
        ops.constant(0)  # unused, as in TensorFlow's graph

    def step(initial_values: Any, element: Any) -> Any:
        outer, inner = initial_values
        values = (*(() if no_names else outer), *(() if no_composites else inner))
        state.assign(values)
        body(element)
        new_values = state.values()
        check_iteration(values, new_values, (*state.names, *state.composites), with_shapes=False)
        return (outer if no_names else new_values[:count]), (
            inner if no_composites else new_values[count:]
        )

    names, inner = dataset.reduce(initial, step)
    state.assign((*(() if no_names else names), *(() if no_composites else inner)))


def _reduce_while(dataset: Any, extra_test: Callable, body: Callable, state: Any) -> None:
    """Implements `loop_over_dataset` with a condition: reduces the states while it holds to the last state."""
    count = len(state.names)
    initial = _loop_and_other_values(state)

    def scan_step(initial_values: Any, element: Any) -> Any:
        variables, composites = initial_values
        state.assign((*variables, *composites))

        def run_body() -> Any:
            values = state.values()
            body(element)
            new_values = state.values()
            check_iteration(
                values, new_values, (*state.names, *state.composites), with_shapes=False
            )
            return new_values[:count], new_values[count:]

        continues = extra_test()
        new_values = ops.cond(continues, run_body, lambda: (variables, composites))
        return new_values, (*new_values, continues)

    states = dataset.apply(scan(initial, scan_step))
    states = states.apply(take_while(lambda variables, composites, continues: continues))
    names, inner = states.reduce(initial, lambda initial_values, new_values: new_values[:2])
    state.assign((*names, *inner))


def _loop_and_other_values(state: Any) -> tuple[tuple, tuple]:
    values = state.values()
    count = len(state.names)
    return values[:count], values[count:]
