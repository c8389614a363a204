"""`tensorflow.python.util.tf_export`: names under which TensorFlow offers a symbol. Here they are only noted."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tfmini.compat.python.util import tf_decorator, tf_inspect

__all__ = ["api_export", "estimator_export", "keras_export", "kwarg_only", "tf_export"]


class api_export:
    """A decorator that notes names on a symbol: `_tf_api_names`, `_tf_api_names_v1`.

    Args:
      *args: the names, "nn.relu".
      api_name: "tensorflow", "keras" or "estimator".
      v1: the names in TensorFlow 1, by default the same.
      overrides, allow_multiple_exports: are for TensorFlow's own checks.
    """

    def __init__(
        self,
        *args: str,
        api_name: str = "tensorflow",
        v1: Any = None,
        overrides: Any = None,
        allow_multiple_exports: bool = False,
    ) -> None:
        self._names = args
        self._names_v1 = args if v1 is None else tuple(v1)
        self._attribute = "_tf_api_names" if api_name == "tensorflow" else f"_{api_name}_api_names"

    def __call__(self, func: Any) -> Any:
        target = tf_decorator.unwrap(func)[1]
        setattr(target, self._attribute, self._names)
        setattr(target, self._attribute + "_v1", self._names_v1)
        return func

    def export_constant(self, module_name: str, name: str) -> None:
        """Nothing to do: a constant stays where it is."""


tf_export = functools.partial(api_export, api_name="tensorflow")
keras_export = functools.partial(api_export, api_name="keras")
estimator_export = functools.partial(api_export, api_name="estimator")


def kwarg_only(f: Callable) -> Callable:
    """A decorator for functions that take keywords alone: TypeError otherwise."""

    names = tf_inspect.getargspec(f).args

    @functools.wraps(f)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if args:
            raise TypeError(
                f"{f.__name__} only takes keyword args (possible keys: {names}). Please pass these args as "
                "kwargs instead."
            )
        return f(**kwargs)

    return wrapper
