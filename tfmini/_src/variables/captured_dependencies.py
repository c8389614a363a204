"""Captures the variables created in a block as dependencies of an object, by name within its variable scope."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tfmini._src.variables.trackable import Trackable
from tfmini._src.variables.variable_creator import variable_creator_scope


@contextmanager
def capture_dependencies(template: Any) -> Iterator[None]:
    """Context manager that makes newly created variables dependencies of an object, for object-based checkpoints.

    Variables captured by a nested block belong to the object of that block, which becomes a dependency itself.

    Args:
      template: a trackable object with a `variable_scope`, whose name is stripped from the variables' names.
    """
    prefix = template.variable_scope.name

    def create(
        next_creator: Callable,
        name: Any,
        initial_value: Any,
        trackable_parent: Any = None,
        **kwargs: Any,
    ) -> Any:
        is_own = name is not None and name.startswith(prefix)
        if is_own and trackable_parent is not None:
            inner, inner_prefix = trackable_parent
            template._track_trackable(inner, inner_prefix[len(prefix) + 1 :], overwrite=True)
        variable = next_creator(
            name=name,
            initial_value=initial_value,
            trackable_parent=(template, prefix),
            **kwargs,
        )
        if is_own and trackable_parent is None and isinstance(variable, Trackable):
            template._track_trackable(variable, name[len(prefix) + 1 :], overwrite=True)
        return variable

    with variable_creator_scope(create):
        yield
