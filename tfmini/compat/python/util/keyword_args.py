"""`tensorflow.python.util.keyword_args`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini.compat.python.util.tf_decorator import make_decorator

__all__ = ["keyword_args_only"]


def keyword_args_only(func: Callable) -> Any:
    """Decorates a function to raise ValueError for positional arguments."""

    def new_func(*args: Any, **kwargs: Any) -> Any:
        if args:
            raise ValueError(f"Must use keyword args to call {func.__name__}.")
        return func(**kwargs)

    return make_decorator(func, new_func, "keyword_args_only")
