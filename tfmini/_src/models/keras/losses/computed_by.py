"""Class decorator for losses and metrics that differ only in their function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from tfmini._src.base.names.argument_descriptions import describe_arguments
from tfmini._src.base.names.signature import change_defaults

Class = TypeVar("Class", bound=type)


def computed_by(
    function: Callable[..., Any], descriptions: Mapping[str, str]
) -> Callable[[Class], Class]:
    """Class decorator that sets the function of a loss or metric, and its default name.

    Args:
      function: a function of targets and predictions.
      descriptions: descriptions of the constructor's arguments.
    """

    def complete(cls: Any) -> Any:
        cls._function = staticmethod(function)
        named = change_defaults(name=function.__name__)(cls)
        return describe_arguments(descriptions)(named)

    return complete
