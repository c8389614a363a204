"""Public namespaces: each is a directory with a stub, `__init__.pyi`, the single table of its names.

A stub row is an import: `from tfmini._src.ops.nn.activations import relu as relu`, or, if another namespace
is the object's home, `from tfmini.nn import relu as relu`. An object with a different name at its definition gets its
public name by assignment, as type checkers do not treat `import Constant as constant` as a re-export. Editors and type
checkers read the stub as usual; `attach` reads it when the namespace is imported, and each name is loaded on first
access.
"""

from __future__ import annotations

import importlib
import inspect
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from types import FunctionType, ModuleType
from typing import Any

from tfmini._src.base.names.hints import no_attribute
from tfmini._src.base.names.lazy_namespace import LazyNamespace, names_loaded_so_far
from tfmini._src.base.names.left_out import is_left_out, is_tensorflow_name
from tfmini._src.base.names.load_module import is_module, load_module

_ROOT = __name__.partition(".")[0]
_INTERNAL = f"{_ROOT}._src."
_ROW = re.compile(r"^(?:from (\S+) )?import (\S+) as (\w+)(?:; (\w+) = \3)?$", re.MULTILINE)

# The stub of each imported namespace: for each name, the source module and the name there.
_stubs: dict[str, dict[str, tuple[str, str]]] = {}


class _Namespace(LazyNamespace):
    """A module copied and pickled by name, since functions of layers close over `tf`."""

    def __reduce__(self) -> tuple:
        return importlib.import_module, (self.__name__,)


def attach(
    module: str, file: str
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Makes a public namespace expose the names in its stub, and reject other names with a hint.

        __getattr__, __dir__, __all__ = attach(__name__, __file__)

    Args:
      module: the namespace's `__name__`.
      file: its `__file__`, next to the stub.

    Returns:
      The module's `__getattr__`, `__dir__` and `__all__`.
    """
    stub = _read_stub(file)
    _stubs[module] = stub
    sys.modules[module].__class__ = _Namespace
    names = names_loaded_so_far(sys.modules[module])
    public = [name for name in stub if not name.startswith("_")]

    def __getattr__(name: str) -> Any:
        if name not in stub:
            raise no_attribute(module, name, public)
        source, attribute = stub[name]
        value = _load(source, attribute)
        if source.startswith(_INTERNAL):
            _set_public_module(value, module, name)
        names[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*public, *(n for n in (*names, *stub) if n.startswith("__"))})

    return __getattr__, __dir__, public


def _read_stub(file: str) -> dict[str, tuple[str, str]]:
    with open(os.path.splitext(file)[0] + ".pyi", encoding="utf-8") as stub:
        rows = _ROW.findall(stub.read())
    return {other or name: (module, attribute) for module, attribute, name, other in rows}


def _load(module: str, name: str) -> Any:
    """Returns the object that `from module import name` imports, or `import name` if `module` is empty."""
    if not module:
        return load_module(name)
    source = load_module(module)
    is_package = hasattr(source, "__path__") and name not in names_loaded_so_far(source)
    if is_package and is_module(f"{module}.{name}"):
        return load_module(f"{module}.{name}")
    return getattr(source, name)


def _set_public_module(value: Any, module: str, name: str) -> None:
    """Sets the module of a class or function to the public namespace, for tracebacks and pickles."""
    if isinstance(value, (type, FunctionType)) and value.__qualname__ == name:
        if value.__module__.startswith(_INTERNAL):
            value.__module__ = module


class PublicNames(Mapping[str, Any]):
    """The objects of a public namespace under the names that `has` selects, loaded on first access."""

    def __init__(self, namespace: str, has: Callable[[str], bool]):
        self._namespace, self._is_implemented = namespace, has

    def __getitem__(self, name: str) -> Any:
        if name not in self:
            raise KeyError(name)
        return getattr(load_module(self._namespace), name)

    def __contains__(self, name: object) -> bool:
        return name in {*iter(self)}

    def __iter__(self) -> Iterator[str]:
        return filter(self._is_implemented, load_module(self._namespace).__all__)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def public_name(function: Any) -> str | None:
    """Returns the preferred public path of a function or method, such as `tf.nn.static_rnn`; None for a private one."""
    function = _unwrap(function)
    repeating = ("tf.keras.", "tf.contrib.slim.")  # packages that repeat names of others
    method = function.__name__ if "." in function.__qualname__ else ""
    paths = [
        (
            path.startswith(repeating),
            len(value.__mro__) if method else 0,
            not path.endswith("." + value.__name__),
            path.startswith("tf.contrib."),
            len(path),
            path,
        )
        for path, value in _loaded_objects()
        if not isinstance(value, ModuleType)  # unwrapping would search its names for `__wrapped__`
        and _unwrap(_get_method(value, method)) is function
    ]
    if not paths:
        return None
    # For a method: the class attribute with the defined name.
    *_, path = min(paths)
    return path if method in ("", "__init__") else f"{path}.{method}"


def first_missing_prefix(path: str) -> str | None:
    """Finds the shortest `tf` path prefix that TensorFlow has and tfmini lacks: `tf.xla` for `tf.xla.experimental`.

    If the whole path exists, no attribute is accessed, since that would load packages.
    """
    if not is_left_out(path):
        return None
    value, so_far = sys.modules[_ROOT], "tf"
    for part in path.split(".")[1:]:
        so_far += "." + part
        if not hasattr(value, part):
            return so_far if is_tensorflow_name(so_far) else None
        value = getattr(value, part)
    return None


def _loaded_objects() -> Iterator[tuple[str, Any]]:
    """Yields the loaded public objects, each under all its paths."""
    for module, stub in _stubs.items():
        names = names_loaded_so_far(sys.modules[module])
        namespace = "tf" + module.removeprefix(_ROOT)
        for name, (source, attribute) in stub.items():
            source_module = sys.modules.get(source)
            where = (
                names
                if name in names or source_module is None
                else names_loaded_so_far(source_module)
            )
            key = name if name in names else attribute
            if key in where:
                yield f"{namespace}.{name}", where[key]


def _unwrap(value: Any) -> Any:
    """Same as `inspect.unwrap`, but ten times as fast for objects without a wrapper."""
    return inspect.unwrap(value) if hasattr(value, "__wrapped__") else value


def _get_method(value: Any, method: str) -> Any:
    if not method:
        return value
    if not isinstance(value, type):
        return None
    return next((vars(base)[method] for base in value.__mro__ if method in vars(base)), None)
