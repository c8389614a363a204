"""Stand-ins for TensorFlow 1.15.5 names that tfmini lacks: they can be imported, but using them fails.

This suffices for libraries that import a name and never call it. A class can be subclassed and used in `isinstance`
(always false); instantiating it fails.
"""

from __future__ import annotations

import abc
import functools
from typing import Any, NoReturn

from tfmini._src.base.names.hints import is_missing
from tfmini._src.train.optimizers.optimizer import Optimizer


class MissingName:
    """A missing function or object: calling it or accessing an attribute raises NotImplementedError."""

    def __init__(self, full_name: str) -> None:
        self.__dict__["_full_name"] = full_name
        self.__dict__["__name__"] = full_name.rpartition(".")[2]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise_missing_name_error(self._full_name)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(is_missing(self._full_name), name=name)
        return missing(f"{self._full_name}.{name}", "object")

    def __repr__(self) -> str:
        return f"<missing {self._full_name}>"

    def _raise_missing(self, *args: Any) -> NoReturn:
        raise_missing_name_error(self._full_name)

    __iter__ = __len__ = __getitem__ = __setitem__ = __contains__ = __enter__ = __exit__ = (
        _raise_missing
    )
    __int__ = __float__ = __index__ = _raise_missing
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = (
        _raise_missing
    )
    __lt__ = __le__ = __gt__ = __ge__ = _raise_missing


class MissingType(abc.ABCMeta):
    """Metaclass of missing classes. Their attributes are also missing; dunder names raise AttributeError."""

    _full_name: str

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(
                f"type object '{cls.__name__}' has no attribute '{name}'", name=name
            )
        return missing(f"{cls._full_name}.{name}", "object")


def raise_missing_name_error(full_name: str) -> NoReturn:
    """Raises NotImplementedError for a missing name."""
    raise NotImplementedError(is_missing(full_name))


@functools.cache
def missing(full_name: str, object_type: str) -> Any:
    """Returns the stand-in for a missing "class", "function" or "object"; one per name."""
    if object_type != "class":
        return MissingName(full_name)

    def __new__(cls: Any, *args: Any, **kwargs: Any) -> Any:
        raise_missing_name_error(full_name)

    module, _, name = full_name.rpartition(".")
    # Libraries iterate over tf.train and inspect the bases of its optimizers.
    is_optimizer = module == "tf.train" and name.endswith("Optimizer")
    bases = (Optimizer,) if is_optimizer else ()
    return MissingType(
        name, bases, {"_full_name": full_name, "__module__": module, "__new__": __new__}
    )
