"""`tensorflow.python.util.tf_contextlib`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from tfmini.compat.python.util.tf_decorator import make_decorator

__all__ = ["contextmanager"]


def contextmanager(target: Callable) -> Any:
    """Same as `contextlib.contextmanager`, in a form that `tf_decorator` recognizes."""
    return make_decorator(target, contextlib.contextmanager(target), "contextmanager")
