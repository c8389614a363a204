"""`if` and `a if b else c`: `tf.cond` if the condition is a tensor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.autograph.operators.structure_checks import check_branches
from tfmini._src.autograph.operators.undefined import UndefinedReturnValue, undefined_names
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.is_tensor import is_tensor
from tfmini._src.ops import ops


def if_stmt(
    test: Any,
    body: Callable,
    orelse: Callable,
    get_state: Callable,
    set_state: Callable,
    names: Sequence[str],
    composites: Sequence[str],
) -> None:
    """Runs one of two blocks; for a tensor condition, traces both from the same state.

    Args:
      test: a bool scalar tensor, or any other value.
      body, orelse: the blocks.
      get_state, set_state: accessors of the values written by the blocks: `names`, `composites` and the rest.
      names: variables read later; both blocks must set the ones not set before.
      composites: attributes and items.

    Raises:
      ValueError: if only one block sets a variable, or only one returns.
      TypeError: if values differ in dtype or structure.
    """
    if not is_dense(test):
        if test:
            body()
        else:
            orelse()
        return
    initial_state = get_state()
    count, end = len(names), len(names) + len(composites)
    results: list[Any] = []

    def branch(block: Callable, branch_name: str) -> Callable:
        def run() -> Any:
            block()
            values = get_state()
            _check_defined(values[:count], branch_name)
            set_state(initial_state)
            results.append(values[:end])
            if len(results) == 2:
                first, second = (_items(values, count) for values in results)
                check_branches(first, second, [*names, *composites])
            tensors = values[:count] if count else (ops.constant(1),)
            return (tensors[0] if len(tensors) == 1 else tensors), values[count:end]

        return run

    value, state = ops.cond(test, branch(body, "if"), branch(orelse, "else"))
    outputs = () if not count else (value,) if count == 1 else value
    set_state((*outputs, *state, *initial_state[end:]))


def if_exp(test: Any, body: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
    """Implements `body if test else orelse`."""
    if not is_dense(test):
        return body() if test else orelse()
    value, _ = ops.cond(test, lambda: (body(), ()), lambda: (orelse(), ()))
    return value


def _items(values: tuple, count: int) -> tuple:
    """Returns the values to compare: the items of a tuple if it is the only variable, as in TensorFlow."""
    if count == 1 and isinstance(values[0], tuple):
        return (*values[0], *values[1:])
    return values


def is_dense(value: Any) -> bool:
    """Whether a condition is a tensor."""
    return is_tensor(value) and not isinstance(value, SparseTensor)


def _check_defined(values: Sequence[Any], branch: str) -> None:
    missing = undefined_names(values)
    if missing:
        raise ValueError(
            f"The following symbols must also be initialized in the {branch} branch: {missing}. Alternatively, you may "
            "initialize them before the if statement."
        )
    if any(isinstance(value, UndefinedReturnValue) for value in values):
        raise ValueError(
            f"A value must also be returned from the {branch} branch. If a value is returned from one branch of a "
            "conditional a value must be returned from all branches."
        )
