"""`while` and `for`: `tf.while_loop` if the condition or the iterated value is a tensor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tfmini._src.autograph.operators.builtins import len_
from tfmini._src.autograph.operators.dataset_loops import loop_over_dataset
from tfmini._src.autograph.operators.if_statement import is_dense
from tfmini._src.autograph.operators.structure_checks import check_iteration
from tfmini._src.autograph.operators.undefined import UndefinedReturnValue, undefined_names
from tfmini._src.data.dataset import DatasetV2
from tfmini._src.data.experimental.optional import get_next_as_optional
from tfmini._src.data.owned_iterator import OwnedIterator
from tfmini._src.functions.traced_function import TracedGraph
from tfmini._src.graph.autograph_status import python_loops
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.is_tensor import is_tensor
from tfmini._src.graph.shape_inference import constant_value
from tfmini._src.ops import ops
from tfmini._src.ops.lists.tensor_array import TensorArray


@dataclass(frozen=True)
class LoopState:
    """The state written by a loop, with its getter and setter.

    Attributes:
      get, set: accessors of the values: `names`, `composites`, the rest.
      names: variables read in later iterations or after the loop.
      composites: attributes and items.
    """

    get: Callable[[], tuple]
    set: Callable[[Sequence[Any]], None]
    names: tuple[str, ...]
    composites: tuple[str, ...]

    def values(self) -> tuple:
        """Returns the values of the loop's variables."""
        return self.get()[: len(self.names) + len(self.composites)]

    def assign(self, values: Sequence[Any]) -> None:
        """Sets the loop's variables."""
        self.set((*values, *self.get()[len(values) :]))

    def check_defined(self) -> None:
        """Raises ValueError if a variable is unset before the loop, or if the loop returns a value."""
        values = self.get()[: len(self.names)]
        missing = undefined_names(values)
        if missing:
            raise ValueError(
                f"TensorFlow requires that the following symbols must be defined before the loop: {missing}"
            )
        if any(isinstance(value, UndefinedReturnValue) for value in values):
            raise ValueError("return statements are not supported within a TensorFlow loop.")


def while_stmt(
    test: Callable,
    body: Callable,
    get_state: Callable,
    set_state: Callable,
    names: tuple[str, ...],
    composites: tuple[str, ...],
) -> None:
    """Repeats `body` while `test()` holds; builds a graph loop if the result is a tensor.

    Raises:
      ValueError: if a loop variable is unset before the loop, or changes its shape.
      TypeError: if a loop variable changes its dtype or structure.
    """
    state = LoopState(get_state, set_state, names, composites)
    with TracedGraph("tmp").as_default():
        first = test()
    if is_dense(first):
        state.check_defined()
        _graph_loop(state, test, body, (*names, *composites))
        return
    if not first:
        return
    body()
    iterations = 0
    while test():
        body()
        iterations += 1
        if iterations > python_loops.max_iterations:
            raise ValueError("iteration limit exceeded")


def for_stmt(
    iterated: Any,
    extra_test: Callable | None,
    body: Callable,
    get_state: Callable,
    set_state: Callable,
    names: tuple[str, ...],
    composites: tuple[str, ...],
) -> None:
    """Calls `body` with each item while `extra_test()` holds; in the graph, for tensors, datasets and their iterators.

    Raises:
      ValueError, TypeError: as in `while_stmt`.
    """
    state = LoopState(get_state, set_state, names, composites)
    if is_tensor(iterated):
        state.check_defined()
        is_range = hasattr(iterated, "op") and iterated.op.type == "Range"
        (_loop_over_range if is_range else _loop_over_items)(iterated, extra_test, body, state)
    elif isinstance(iterated, DatasetV2):
        state.check_defined()
        loop_over_dataset(iterated, extra_test, body, state)
    elif isinstance(iterated, OwnedIterator) and not executing_eagerly():
        state.check_defined()
        _loop_over_elements(_following(iterated), extra_test, body, state)
    elif hasattr(iterated, "_in_graph") and not executing_eagerly():  # a strategy's iterator
        state.check_defined()
        _loop_over_elements(iterated._in_graph(), extra_test, body, state)
    else:
        for item in iterated:
            if extra_test is not None and not extra_test():
                break
            body(item)


def _loop_over_items(
    items: Any, extra_test: Callable | None, body: Callable, state: LoopState
) -> None:
    """Builds a loop over a tensor's first axis."""
    count = len_(items)
    array = TensorArray(items.dtype, size=count).unstack(items)

    def step(index: Any) -> Any:
        initial_values = state.values()
        body(array.read(index))
        check_iteration(initial_values, state.values(), (*state.names, *state.composites))
        return index + 1

    _counting_loop(0, lambda index: index < count, step, extra_test, state, None)


def _loop_over_range(
    items: Any, extra_test: Callable | None, body: Callable, state: LoopState
) -> None:
    """Builds a loop over a `tf.range`, which is not itself computed."""
    start, limit, delta = items.op.inputs

    def should_continue(item: Any) -> Any:
        static = constant_value(delta)
        if static is not None:
            return item < limit if static.item() >= 0 else item > limit
        return ops.logical_or(
            ops.logical_and(delta >= 0, item < limit), ops.logical_and(delta < 0, item > limit)
        )

    def step(item: Any) -> Any:
        body(item)
        return item + delta

    names = (None, *state.names, *state.composites)
    _counting_loop(start, should_continue, step, extra_test, state, names)


def _following(iterator: OwnedIterator) -> Callable[[], tuple[Any, Callable]]:
    def following() -> tuple[Any, Callable]:
        optional = get_next_as_optional(iterator)
        return optional.has_value(), optional.get_value

    return following


def _loop_over_elements(
    get_next: Callable[[], tuple[Any, Callable]],
    extra_test: Callable | None,
    body: Callable,
    state: LoopState,
) -> None:
    """Builds a loop over elements; `get_next` returns whether there is another element, and its getter."""

    def step(should_continue: Any) -> Any:
        has_value, get_value = get_next()
        initial_values = state.values()

        def run_body() -> Any:
            body(get_value())
            new_values = state.values()
            check_iteration(initial_values, new_values, (*state.names, *state.composites))
            return (ops.constant(()), *new_values)

        _, *new_values = ops.cond(has_value, run_body, lambda: (ops.constant(()), *initial_values))
        state.assign(new_values)
        return has_value

    _counting_loop(True, lambda should_continue: should_continue, step, extra_test, state, None)


def _counting_loop(
    start: Any,
    should_continue: Callable,
    step: Callable,
    extra_test: Callable | None,
    state: LoopState,
    names: Any,
) -> None:
    """Builds a loop with its own counter, advanced by `step`."""
    counter = start

    def test() -> Any:
        if extra_test is None:
            return should_continue(counter)
        return ops.cond(should_continue(counter), extra_test, lambda: False)

    def body() -> None:
        nonlocal counter
        counter = step(counter)

    def get() -> tuple:
        return (counter, *state.get())

    def assign(values: Sequence[Any]) -> None:
        nonlocal counter
        counter, *state_values = values
        state.set(state_values)

    loop_state = LoopState(get, assign, ("", *state.names), state.composites)
    _graph_loop(loop_state, test, body, names)


def _graph_loop(state: LoopState, test: Callable, body: Callable, names: Any) -> None:
    """Builds a loop in the graph; `names` are used in messages, None if values are checked elsewhere."""
    initial_values = state.values()

    def loop_test(*values: Any) -> Any:
        state.assign(values)
        return test()

    def loop_body(*values: Any) -> Any:
        state.assign(values)
        body()
        new_values = state.values()
        if names is not None:
            check_iteration(values, new_values, names)
        return new_values

    final = ops.while_loop(loop_test, loop_body, initial_values, return_same_structure=True)
    state.assign(final)
