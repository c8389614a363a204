"""What a public module shows: the names in its `__all__`, some of which load at their first use.

Each public module ends with `_namespace(globals())`. That sets `__getattr__` and `__dir__` out of sight of
editors and type checkers, which would take any name for one that exists if they saw a `__getattr__`.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from tfmini.names.hints import no_attribute
from tfmini.names.left_out import family, is_tensorflows

_modules: list[dict[str, Any]] = []


class _Namespace(ModuleType):
    """A module that copies and pickles have by its name: functions of layers close over `tf`."""

    def __reduce__(self) -> tuple:
        return _module_of_name, (self.__name__,)


def _module_of_name(name: str) -> ModuleType:
    return sys.modules[name]


def namespace(names: dict[str, Any], load: Callable[[str], Any] | None = None) -> None:
    """Makes the module whose globals are `names` show `__all__`, and refuse other names with a hint.

    Args:
      names: the module's `globals()`, `__all__` included.
      load: gives a name of `__all__` that is not among the globals yet. Editors see such a name if the
        module imports it where `typing.TYPE_CHECKING`.
    """
    _modules.append(names)
    module, public = names["__name__"], names["__all__"]
    late = {name for name in public if name not in names}

    def __getattr__(name: str) -> Any:
        if load is None or name not in late:
            raise no_attribute(module, name, public)
        names[name] = load(name)
        return names[name]

    def __dir__() -> list[str]:
        return sorted({*public, *(name for name in names if name.startswith("__"))})

    names.update(__getattr__=__getattr__, __dir__=__dir__)
    sys.modules[module].__class__ = _Namespace


def public_name(function: Any) -> str | None:
    """How a program reaches a function or method, `tf.nn.static_rnn`; the shortest way, if there is any."""
    function = _unwrapped(function)
    method = function.__name__ if "." in function.__qualname__ else ""
    found = [
        (
            path.startswith("tf.keras."),
            len(value.__mro__) if method else 0,
            not path.endswith("." + value.__name__),
            path.startswith("tf.contrib."),
            len(path),
            path,
        )
        for path, value in _offered()
        if _unwrapped(_member(value, method)) is function
    ]
    if not found:
        return None
    *_, path = min(
        found
    )  # of the class that has a method, the one that is called what it was defined as
    return path if method in ("", "__init__") else f"{path}.{method}"


def first_lacking(path: str) -> str | None:
    """The part of a path below `tf` that TensorFlow has and tfmini lacks: `tf.xla` of `tf.xla.experimental`.

    Where nothing is said to be left out nothing is asked for, since packages load when they are.
    """
    if family(path) is None:
        return None
    value, so_far = sys.modules[__name__.partition(".")[0]], "tf"
    for part in path.split(".")[1:]:
        so_far += "." + part
        if not hasattr(value, part):
            return so_far if is_tensorflows(so_far) else None
        value = getattr(value, part)
    return None


def _offered() -> Iterator[tuple[str, Any]]:
    """All that is offered and loaded, by its path."""
    for names in _modules:
        module = "tf" + names["__name__"].removeprefix("tfmini")
        for name in names["__all__"]:
            if name in names:
                yield f"{module}.{name}", names[name]


def _unwrapped(value: Any) -> Any:
    """`inspect.unwrap`, which takes ten times as long for what nothing wraps."""
    return inspect.unwrap(value) if hasattr(value, "__wrapped__") else value


def _member(value: Any, method: str) -> Any:
    if not method:
        return value
    return inspect.getattr_static(value, method, None) if isinstance(value, type) else None
