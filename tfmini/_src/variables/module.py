"""`tf.Module`, the base class of objects that find the variables and modules among their attributes."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from typing import Any

from tfmini._src.base.nest.shallow import flatten_with_tuple_paths
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.scopes import name_scope
from tfmini._src.variables.auto_trackable import AutoTrackable
from tfmini._src.variables.variable import Variable

_WORD = re.compile("((?<=[a-z0-9])[A-Z]|(?!^)[A-Z](?=[a-z]))")


class Module(AutoTrackable):
    """A named object that finds its own variables and its submodules' variables.

    Args:
      name: a Python identifier, by default the class name in snake case.

    Raises:
      ValueError: if the name is not an identifier.
    """

    # Attributes excluded from traversal; subclasses extend it.
    _TF_MODULE_IGNORED_PROPERTIES: frozenset[str] = frozenset(
        {
            "_self_unconditional_checkpoint_dependencies",
            "_self_unconditional_dependency_names",
            "_self_unconditional_deferred_dependencies",
        }
    )
    _name: str
    name: str = read_only("The module's name.")

    def __init__(self, name: str | None = None):
        if name is None:
            name = _WORD.sub(r"_\1", type(self).__name__).lower()
        elif not re.match("^[a-zA-Z_]([a-zA-Z0-9_])*$", name):
            raise ValueError(
                f"{name!r} is not a valid module name. Module names must be valid Python "
                "identifiers (e.g. a valid class name)."
            )
        self._name = name
        with name_scope(name) as scope_name:
            self._scope_name = scope_name

    @property
    def name_scope(self) -> Any:
        """The name scope of the module, which can be re-entered."""
        return name_scope(self._scope_name)

    @property
    def variables(self) -> tuple[Any, ...]:
        """The variables of the module and its submodules, with attributes in alphabetical order."""
        return tuple(self._flatten(predicate=_is_variable))

    @property
    def trainable_variables(self) -> tuple[Any, ...]:
        """The trainable variables of the module and its submodules."""
        return tuple(v for v in self.variables if getattr(v, "trainable", False))

    @property
    def submodules(self) -> tuple[Any, ...]:
        """The modules among the attributes, and their submodules."""
        return tuple(self._flatten(predicate=_is_module))

    def _flatten(
        self,
        recursive: bool = True,
        predicate: Callable[[Any], bool] | None = None,
        attribute_traversal_key: Callable[[str], Any] | None = None,
        with_path: bool = False,
    ) -> Iterator[Any]:
        """Yields the leaves of all attributes, followed by the submodules' leaves; used by subclasses.

        Args:
          recursive: whether to traverse submodules.
          predicate: a function that selects leaves, by default all.
          attribute_traversal_key: sort key for attribute names.
          with_path: whether to yield (path, leaf) pairs, including repeated leaves.
        """
        expected = predicate or (lambda leaf: True)
        return self._walk((), {id(self)}, recursive, expected, attribute_traversal_key, with_path)

    def _walk(
        self,
        path: tuple,
        seen: set[int],
        recursive: bool,
        predicate: Callable[[Any], bool],
        key: Callable[[str], Any] | None,
        with_path: bool,
    ) -> Iterator[Any]:
        modules = []
        for name in sorted(vars(self).keys() - self._TF_MODULE_IGNORED_PROPERTIES, key=key):
            for subpath, leaf in flatten_with_tuple_paths(vars(self)[name]):
                if not with_path:
                    if id(leaf) in seen:
                        continue
                    seen.add(id(leaf))
                full_path = (*path, name, *subpath)
                if predicate(leaf):
                    yield (full_path, leaf) if with_path else leaf
                if recursive and _is_module(leaf):
                    modules.append((full_path, leaf))
        for full_path, module in modules:
            yield from module._walk(full_path, seen, recursive, predicate, key, with_path)

    @classmethod
    def with_name_scope(cls, method: Callable[..., Any]) -> Callable[..., Any]:
        """Decorates a method to run in the name scope of the module."""

        @functools.wraps(method)
        def wrapper(self: Any, *args: Any, **kwargs: Any) -> Any:
            with self.name_scope:
                return method(self, *args, **kwargs)

        return wrapper


def _is_variable(value: Any) -> bool:
    return isinstance(value, Variable)


def _is_module(value: Any) -> bool:
    return isinstance(value, Module)
