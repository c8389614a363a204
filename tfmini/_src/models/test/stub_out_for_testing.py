"""`tf.test.StubOutForTesting`: replaces attributes during a test."""

from __future__ import annotations

import inspect
import types
from typing import Any


class StubOutForTesting:
    """Replaces attributes of modules, classes and instances, and restores them in `CleanUp`.

    It is also a context manager that cleans up on exit.

    Example:
      with tf.test.StubOutForTesting() as stubs:
          stubs.Set(os.path, "exists", lambda path: True)
          assert os.path.exists("no such file")
    """

    def __init__(self) -> None:
        self.cache: list[tuple[Any, Any, str]] = []
        self.stubs: list[tuple[Any, str, Any]] = []

    def __del__(self) -> None:
        self.CleanUp()

    def __enter__(self) -> StubOutForTesting:
        return self

    def __exit__(self, *_: Any) -> None:
        self.CleanUp()

    def CleanUp(self) -> None:
        """Undoes all replacements."""
        self.SmartUnsetAll()
        self.UnsetAll()

    def SmartSet(self, obj: object, attr_name: str, new_attr: object) -> None:
        """Replaces an attribute where it is defined: a class attribute found through an instance is set on the class.

        Args:
          obj: a module, a class or an instance.
          attr_name: the attribute name; static and class methods are supported.
          new_attr: its new value.

        Raises:
          AttributeError: for an unknown name.
        """
        is_own = not inspect.isclass(obj) and attr_name in getattr(obj, "__dict__", ())
        if isinstance(obj, types.ModuleType) or is_own:
            holder = obj
        else:
            searched_class = obj if inspect.isclass(obj) else type(obj)
            holder = next((c for c in searched_class.__mro__ if attr_name in vars(c)), None)
            if holder is None:
                raise AttributeError("Attribute not found.")
        self.stubs.append((holder, attr_name, _raw_attribute(holder, attr_name)))
        setattr(holder, attr_name, new_attr)

    def SmartUnsetAll(self) -> None:
        """Undoes all replacements by `SmartSet`, in reverse order."""
        while self.stubs:
            setattr(*self.stubs.pop())

    def Set(self, parent: object, child_name: str, new_child: object) -> None:
        """Replaces an attribute of a module, class or instance itself.

        Raises:
          AttributeError: for an unknown name.
        """
        self.cache.append((parent, _raw_attribute(parent, child_name), child_name))
        setattr(parent, child_name, new_child)

    def UnsetAll(self) -> None:
        """Undoes all replacements by `Set`, in reverse order."""
        while self.cache:
            parent, child, name = self.cache.pop()
            setattr(parent, name, child)


def _raw_attribute(holder: Any, name: str) -> Any:
    """Returns an attribute in the form expected by `setattr`, which preserves static and class methods."""
    attribute = getattr(holder, name)
    raw_value = getattr(holder, "__dict__", {}).get(name)
    return raw_value if isinstance(raw_value, (staticmethod, classmethod)) else attribute
