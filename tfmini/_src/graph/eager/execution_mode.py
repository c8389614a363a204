"""Graph or eager mode: whether the call of an op adds a node to a graph, or runs its kernel at once.

The stack of default graphs decides: a graph on its top says graph mode, `EAGER` eager mode; below the stack it is what
`enable_eager_execution` has made the default. What executes an op at once is above the graph: `install` names it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from tfmini._src.base.names import deprecation
from tfmini._src.graph import default_stack
from tfmini._src.graph.default_stack import EAGER

if TYPE_CHECKING:
    from tfmini._src.graph.opdef import OpDef

# Executes the call of an op: `execute(opdef, args, kwargs, name)`; None in programs without eager execution.
execute: Callable[[OpDef, tuple[object, ...], dict[str, Any], str | None], Any] | None = None
# Calls a function of the library: `call(function, opdef of the call, dtypes of results, inputs)` gives its results.
call: Callable[..., list[Any]] | None = None
# Gives a value that is new on the device for which the open blocks ask: `place(tensor)`.
place: Callable[[Any], Any] | None = None
is_default = False


def install(
    executor: Callable[..., Any],
    caller: Callable[..., Any],
    placer: Callable[[Any], Any],
    by_default: bool,
) -> None:
    """Makes these functions execute ops and functions of eager mode and place values, by default if `by_default`."""
    global execute, call, place, is_default
    execute, call, place = executor, caller, placer
    is_default = is_default or by_default
    deprecation.executing_eagerly = executing_eagerly


def executing_eagerly() -> bool:
    """Whether an op called here and now runs at once, rather than adding a node to a graph."""
    if execute is None:
        return False
    items = default_stack.graphs.items
    return items[-1] is EAGER if items else is_default


def refuse_eagerly(message: str, kind: type[Exception] = RuntimeError) -> None:
    """Raises an error in eager mode, for what is of graphs alone."""
    if executing_eagerly():
        raise kind(message)


def eager_mode() -> AbstractContextManager[Any]:
    """A block in eager mode."""
    return default_stack.graphs.pushed(EAGER)
