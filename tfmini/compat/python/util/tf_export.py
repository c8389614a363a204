"""`tensorflow.python.util.tf_export`: records the public names of symbols, without exporting them."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

from tfmini.compat.python.util import tf_decorator, tf_inspect

__all__ = [
    "InvalidSymbolNameError",
    "SymbolAlreadyExposedError",
    "api_export",
    "estimator_export",
    "get_v1_constants",
    "get_v1_names",
    "get_v2_constants",
    "get_v2_names",
    "keras_export",
    "kwarg_only",
    "tf_export",
]

# The prefix of an API's attributes, by the API's name; each API but the first has a separate namespace of `tf`.
_PREFIXES = {"tensorflow": "_tf_api", "estimator": "_estimator_api", "keras": "_keras_api"}


class SymbolAlreadyExposedError(Exception):
    """Raised if a symbol already has exported names."""


class InvalidSymbolNameError(Exception):
    """Raised if a name is in the namespace of another API."""


class api_export:
    """Decorator that records names on a symbol: `_tf_api_names`, `_tf_api_names_v1`.

    Args:
      *args: the names, such as "nn.relu".
      api_name: "tensorflow", "keras" or "estimator".
      v1: the names in TensorFlow 1, by default the same.
      overrides: symbols whose names are removed.
      allow_multiple_exports: whether the symbol may already have names.

    Raises:
      InvalidSymbolNameError: if a name is in the namespace of another API.
      SymbolAlreadyExposedError: when decorating a symbol that already has names.
    """

    def __init__(
        self,
        *args: str,
        api_name: str = "tensorflow",
        v1: Any = None,
        overrides: Any = (),
        allow_multiple_exports: bool = False,
    ) -> None:
        self._names = args
        self._names_v1 = args if v1 is None else tuple(v1)
        self._prefix = _PREFIXES[api_name]
        self._overrides = overrides
        self._repeats = allow_multiple_exports
        for name in {*self._names, *self._names_v1}:
            owner = name.partition(".")[0]
            owner = owner if owner in _PREFIXES else "tensorflow"
            if owner == api_name:
                continue
            if api_name == "tensorflow":
                text = f"@tf_export is not allowed to export symbols under {owner}.*"
            else:
                text = f"Can only export symbols under package name of component: {api_name}, not {name}."
            raise InvalidSymbolNameError(text)

    def __call__(self, func: Any) -> Any:
        name_lists = {"_names": self._names, "_names_v1": self._names_v1}
        for symbol in self._overrides:
            for ending in name_lists:
                delattr(tf_decorator.unwrap(symbol)[1], self._prefix + ending)
        target = tf_decorator.unwrap(func)[1]
        for ending, names in name_lists.items():
            attribute = self._prefix + ending
            if attribute in vars(target) and not self._repeats:
                exposed = getattr(target, attribute)
                raise SymbolAlreadyExposedError(
                    f"Symbol {target.__name__} is already exposed as {exposed}."
                )
            setattr(target, attribute, names)
        return func

    def export_constant(self, module_name: str, name: str) -> None:
        """Records the names of a constant on its module: `_tf_api_constants`, `_tf_api_constants_v1`."""
        module = sys.modules[module_name]
        for ending, names in (("_constants", self._names), ("_constants_v1", self._names_v1)):
            noted = vars(module).setdefault(self._prefix + ending, [])
            noted.append((names, name))


def get_v1_names(symbol: Any) -> list[str]:
    """Returns all names of a symbol in TensorFlow 1."""
    return _noted_names(symbol, "_names_v1")


def get_v2_names(symbol: Any) -> list[str]:
    """Returns all names of a symbol in TensorFlow 2."""
    return _noted_names(symbol, "_names")


def get_v1_constants(module: Any) -> list[Any]:
    """Returns the constants recorded on a module, as pairs of their TensorFlow 1 names and the name in the module."""
    return _noted_names(module, "_constants_v1")


def get_v2_constants(module: Any) -> list[Any]:
    """Returns the constants recorded on a module, as pairs of their TensorFlow 2 names and the name in the module."""
    return _noted_names(module, "_constants")


def _noted_names(symbol: Any, ending: str) -> list[Any]:
    attributes = getattr(symbol, "__dict__", {})
    return [entry for p in _PREFIXES.values() for entry in attributes.get(p + ending, ())]


tf_export = functools.partial(api_export, api_name="tensorflow")
keras_export = functools.partial(api_export, api_name="keras")
estimator_export = functools.partial(api_export, api_name="estimator")


def kwarg_only(f: Callable) -> Callable:
    """Decorates a function to raise TypeError for positional arguments."""

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
