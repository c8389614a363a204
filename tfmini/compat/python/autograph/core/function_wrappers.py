"""`tensorflow.python.autograph.core.function_wrappers`: the context of the body of a converted function."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from tfmini._src.autograph.options import Feature
from tfmini._src.graph.autograph_status import Status, conversion
from tfmini._src.graph.scopes import name_scope
from tfmini.compat.python.autograph.core.converter import ConversionOptions

__all__ = ["FunctionScope"]


class FunctionScope:
    """Context manager that sets the AutoGraph status and the name scope requested by the options.

    Args:
      function_name: the name of the function.
      scope_name: the name of the variable for this object in converted code.
      options: the conversion options of the function.
    """

    def __init__(self, function_name: str, scope_name: str, options: ConversionOptions) -> None:
        self.name, self.options, self.callopts = scope_name, options, options.call_options()
        self._function_name = function_name
        self._blocks = ExitStack()

    def __enter__(self) -> FunctionScope:
        if self.options.user_requested:
            self._blocks.enter_context(conversion(Status.ENABLED))
        if self.options.uses(Feature.NAME_SCOPES):
            name = self._function_name
            self._blocks.enter_context(name_scope(f"fn{name}" if name.startswith("_") else name))
        return self

    def __exit__(self, *failure: Any) -> None:
        self._blocks.close()

    def mark_return_value(self, value: Any) -> Any:
        """Returns the result of the function."""
        return value
