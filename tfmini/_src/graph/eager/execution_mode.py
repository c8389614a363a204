"""Graph or eager mode: whether an op call adds a node to a graph or runs its kernel immediately.

The stack of default graphs decides: a graph on top means graph mode, `EAGER` means eager mode; an empty stack means
the default set by `enable_eager_execution`. The eager executor belongs to a higher layer and registers itself with
`install`.
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

# Executes an op call: `execute(opdef, args, kwargs, name)`; None in programs without eager execution.
execute: Callable[[OpDef, tuple[object, ...], dict[str, Any], str | None], Any] | None = None
# Calls a library function: `call(function, opdef of the call, result dtypes, inputs)` returns the results.
call: Callable[..., list[Any]] | None = None
# Copies a new value to the device that the open device blocks request: `place_tensor(tensor)`.
place_tensor: Callable[[Any], Any] | None = None
is_default = False


def install(
    executor: Callable[..., Any],
    caller: Callable[..., Any],
    placer: Callable[[Any], Any],
    by_default: bool,
) -> None:
    """Registers the eager op executor, function caller and value placer; `by_default` makes eager mode the default."""
    global execute, call, place_tensor, is_default
    execute, call, place_tensor = executor, caller, placer
    is_default = is_default or by_default
    deprecation.executing_eagerly = executing_eagerly


def executing_eagerly() -> bool:
    """Whether an op called here runs immediately instead of adding a node to a graph."""
    if execute is None:
        return False
    items = default_stack.graphs.items
    return items[-1] is EAGER if items else is_default


def require_graph_mode(message: str, error_class: type[Exception] = RuntimeError) -> None:
    """Raises an error in eager mode, for graph-only features."""
    if executing_eagerly():
        raise error_class(message)


def eager_mode() -> AbstractContextManager[Any]:
    """Context manager that enables eager mode."""
    return default_stack.graphs.as_default(EAGER)
