"""Variables created by TensorFlow 1.x functions in eager mode, by name."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tfmini._src.base.read_only import read_only
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import name_scope
from tfmini._src.variables.variable_creator import variable_creator_scope


class VariableHolder:
    """Holds the variables created by a function's calls, which also belong to the collections of the caller's graph.

    Args:
      fn: the function called by this object.
      share_variables: whether variables of equal names are shared.
    """

    variables: dict[str, Any] = read_only(
        'The variables by name, without ":0".', "_variables_by_name"
    )

    def __init__(self, fn: Callable | None = None, share_variables: bool = False) -> None:
        self._fn = fn
        self._share_variables = share_variables
        self._variables_by_name: dict[str, Any] = {}

    def variable_creator_scope(self, next_creator: Callable, **kwargs: Any) -> Any:
        """Variable creator for `tf.variable_creator_scope`: creates a variable, or returns the one with this name."""
        collections = kwargs.pop("collections", None)
        with name_scope(kwargs.get("name"), "Variable") as scope:
            kwargs["name"] = scope
        name = scope.removesuffix("/")
        variable = self._variables_by_name.get(name) if self._share_variables else None
        if variable is None:
            variable = self._variables_by_name[name] = next_creator(**kwargs)
        keys = [GraphKeys.GLOBAL_VARIABLES] if collections is None else list(collections)
        if variable.trainable and GraphKeys.TRAINABLE_VARIABLES not in keys:
            keys.append(GraphKeys.TRAINABLE_VARIABLES)
        get_default_graph().add_to_collections(keys, variable)
        return variable

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls the function."""
        assert self._fn is not None
        return self.call_with_variable_creator_scope(self._fn)(*args, **kwargs)

    def call_with_variable_creator_scope(self, fn: Callable) -> Callable:
        """Wraps a function so that this object holds its variables."""

        @functools.wraps(fn)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            with variable_creator_scope(self.variable_creator_scope):
                return fn(*args, **kwargs)

        return wrapper
