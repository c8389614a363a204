"""`tensorflow.python.util.tf_decorator`: decorators that record their targets."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

__all__ = ["TFDecorator", "make_decorator", "rewrap", "unwrap"]


class TFDecorator:
    """The value of the attribute `_tf_decorator` of a decorated function.

    Attributes:
      decorator_name, decorator_doc: name and docstring of the decorator.
      decorated_target: the decorated function.
      decorator_argspec: the arguments that the decorator declares, if they differ from the target's arguments.
    """

    def __init__(
        self,
        decorator_name: str,
        target: Callable,
        decorator_doc: str = "",
        decorator_argspec: Any = None,
    ) -> None:
        self.decorator_name = decorator_name
        self.decorator_doc = decorator_doc
        self.decorator_argspec = decorator_argspec
        self.__doc__ = decorator_doc or getattr(target, "__doc__", None)
        self.decorated_target = target

    def __get__(self, instance: Any, owner: Any) -> Any:
        return self._decorated_target.__get__(instance, owner)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._decorated_target(*args, **kwargs)

    @property
    def decorated_target(self) -> Callable:
        return self._decorated_target

    @decorated_target.setter
    def decorated_target(self, target: Callable) -> None:
        self._decorated_target = target
        if hasattr(target, "__name__"):
            self.__name__ = target.__name__


def make_decorator(
    target: Callable,
    decorator_func: Any,
    decorator_name: str | None = None,
    decorator_doc: str = "",
    decorator_argspec: Any = None,
) -> Any:
    """Makes `decorator_func`, which calls `target`, look like `target` and record it.

    Args:
      target: the decorated function.
      decorator_func: the function called in its place.
      decorator_name: the name of the decorator, by default the name of the calling function.
      decorator_doc: description of the decorator.
      decorator_argspec: the arguments, if they differ from the target's arguments.

    Returns:
      `decorator_func`.
    """
    if decorator_name is None:
        frame = inspect.currentframe()
        assert frame is not None and frame.f_back is not None
        decorator_name = frame.f_back.f_code.co_name
    decorator = TFDecorator(decorator_name, target, decorator_doc, decorator_argspec)
    decorator_func._tf_decorator = decorator
    for name in ("__name__", "__qualname__", "__module__"):
        if hasattr(target, name):
            setattr(decorator_func, name, getattr(target, name))
    for name, value in getattr(target, "__dict__", {}).items():
        decorator_func.__dict__.setdefault(name, value)
    if hasattr(target, "__doc__"):
        decorator_func.__doc__ = decorator.__doc__
    decorator_func.__wrapped__ = target
    decorator_func.__original_wrapped__ = target
    return decorator_func


def rewrap(decorator_func: Any, previous_target: Any, new_target: Callable) -> Any:
    """Replaces a function below the decorators, by default the innermost; returns the decorated (or new) function."""
    current = decorator_func
    while hasattr(current, "_tf_decorator"):
        outer, current = current, current._tf_decorator.decorated_target
        if current is previous_target or not hasattr(current, "_tf_decorator"):
            outer._tf_decorator.decorated_target = new_target
            getattr(outer, "__func__", outer).__wrapped__ = new_target
            return decorator_func
    assert decorator_func is previous_target, "the function is not decorated so"
    return new_target


def unwrap(maybe_tf_decorator: Any) -> tuple[list[TFDecorator], Any]:
    """Returns the decorators of a function, outermost first, and the function itself."""
    decorators = []
    current = maybe_tf_decorator
    while True:
        if isinstance(current, TFDecorator):
            decorators.append(current)
        elif isinstance(getattr(current, "_tf_decorator", None), TFDecorator):
            decorators.append(current._tf_decorator)
        else:
            return decorators, current
        current = decorators[-1].decorated_target
