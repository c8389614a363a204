"""Flag definitions that also accept the argument names used before TensorFlow 1.5."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from absl import flags, logging

from tfmini._src.base.flags.flag_values import define_tensorflow_flags

_RENAMED = {"flag_name": "name", "default_value": "default", "docstring": "help"}


def _accept_older_names(define: Callable) -> Callable:
    """Makes `define` accept flag_name, default_value and docstring for name, default and help."""

    @functools.wraps(define)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        define_tensorflow_flags()
        if not _RENAMED.keys().isdisjoint(kwargs):
            logging.error(
                "Use of the keyword argument names (flag_name, default_value, docstring) is deprecated, please use "
                "(name, default, help) instead."
            )
            kwargs = {_RENAMED.get(key, key): value for key, value in kwargs.items()}
        return define(*args, **kwargs)

    return wrapper


DEFINE_string = _accept_older_names(flags.DEFINE_string)
DEFINE_boolean = _accept_older_names(flags.DEFINE_boolean)
DEFINE_bool = DEFINE_boolean
DEFINE_float = _accept_older_names(flags.DEFINE_float)
DEFINE_integer = _accept_older_names(flags.DEFINE_integer)

flags.disclaim_key_flags()  # flags defined through this module belong to its caller
