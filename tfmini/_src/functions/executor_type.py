"""`tf.experimental.function_executor_type`: the executor requested by function calls in a block."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tfmini._src.base.errors import NotFoundError

_EXECUTOR_TYPES = ("SINGLE_THREADED_EXECUTOR", "", "DEFAULT")


class _RequestedExecutor(threading.local):
    name: str | None = None


_requested = _RequestedExecutor()


@contextmanager
def function_executor_type(executor_type: str | None) -> Iterator[None]:
    """Context manager that sets the executor of function calls; results do not depend on it.

    Calls raise NotFoundError for an unknown executor.

    Args:
      executor_type: "", "DEFAULT" or "SINGLE_THREADED_EXECUTOR"; None means "".

    Example:
      with tf.experimental.function_executor_type("SINGLE_THREADED_EXECUTOR"):
          step(batch)
    """
    previous_type, _requested.name = _requested.name, executor_type
    try:
        yield
    finally:
        _requested.name = previous_type


def executor_type() -> str:
    """Returns the executor type requested in this thread, or an empty string."""
    return _requested.name or ""


def check_executor_type(function_name: str) -> None:
    """Raises NotFoundError if a function call requests an unknown executor."""
    if executor_type() not in _EXECUTOR_TYPES:
        raise NotFoundError(
            None,
            None,
            f"{{{{function_node {function_name}}}}} No executor factory registered for the given executor type: "
            f"{executor_type()} Registered factories are {{{', '.join(_EXECUTOR_TYPES)}}}. [Op:{function_name}]",
        )
