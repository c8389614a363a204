"""`tensorflow.python.autograph.operators.control_flow`: blocks as functions of the variables they modify."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.autograph.operators import if_statement, loops
from tfmini._src.ops import ops

__all__ = ["for_stmt", "if_stmt", "while_stmt"]


class _Variables:
    """The variables of a loop, by position, in addition to the state of objects, which is accessed by two functions."""

    def __init__(self, values: tuple, get_state: Callable | None, set_state: Callable | None):
        self.values = tuple(values)
        self._get = get_state or tuple
        self._set = set_state or (lambda state: None)
        self.names = tuple(f"loop variable {n}" for n in range(len(self.values)))
        self.composites = tuple(f"state {n}" for n in range(len(self._get())))

    def get(self) -> tuple:
        return (*self.values, *self._get())

    def set(self, values: Any) -> None:
        count = len(self.names)
        self.values = tuple(values[:count])
        if self.composites:
            self._set(tuple(values[count:]))

    def update(self, values: Any) -> None:
        if self.names:
            self.values = tuple(values)


def for_stmt(
    iter_: Any,
    extra_test: Callable | None,
    body: Callable,
    get_state: Callable | None,
    set_state: Callable | None,
    init_vars: tuple,
    basic_symbol_names: Any = None,
    composite_symbol_names: Any = None,
) -> tuple:
    """Calls `body(item, *variables)` for each item while `extra_test(*variables)` is true; returns the variables.

    Args:
      iter_: the iterated object.
      extra_test: the condition, or None.
      body: a function that returns the variables after an iteration.
      get_state, set_state: accessors of the state of objects, or None.
      init_vars: the initial variables.
      basic_symbol_names, composite_symbol_names: have no effect.
    """
    variables = _Variables(init_vars, get_state, set_state)
    loops.for_stmt(
        iter_,
        None if extra_test is None else lambda: extra_test(*variables.values),
        lambda item: variables.update(body(item, *variables.values)),
        variables.get,
        variables.set,
        variables.names,
        variables.composites,
    )
    return variables.values


def while_stmt(
    test: Callable,
    body: Callable,
    get_state: Callable | None,
    set_state: Callable | None,
    init_vars: tuple,
    basic_symbol_names: Any = None,
    composite_symbol_names: Any = None,
    opts: Any = None,
) -> tuple:
    """Repeats `body(*variables)` while `test(*variables)` is true; returns the variables.

    Args:
      test: the condition.
      body: a function that returns the variables after an iteration.
      get_state, set_state: accessors of the state of objects, or None.
      init_vars: the initial variables.
      basic_symbol_names, composite_symbol_names, opts: have no effect.
    """
    variables = _Variables(init_vars, get_state, set_state)
    loops.while_stmt(
        lambda: test(*variables.values),
        lambda: variables.update(body(*variables.values)),
        variables.get,
        variables.set,
        variables.names,
        variables.composites,
    )
    return variables.values


def if_stmt(
    cond: Any,
    body: Callable,
    orelse: Callable,
    get_state: Callable,
    set_state: Callable,
    basic_symbol_names: Any = None,
    composite_symbol_names: Any = None,
) -> Any:
    """Returns the result of `body()` or `orelse()`; for a tensor, a node selects the result.

    Args:
      cond: the condition.
      body, orelse: functions that return the same number of values.
      get_state, set_state: accessors of the state of objects.
      basic_symbol_names, composite_symbol_names: have no effect.
    """
    if not if_statement.is_dense(cond):
        return body() if cond else orelse()

    def isolate(block: Callable) -> Callable:
        def run() -> Any:
            before = get_state()
            result, after = block(), get_state()
            set_state(before)
            return result, after

        return run

    result, state = ops.cond(cond, isolate(body), isolate(orelse))
    set_state(state)
    return result
