"""Selects the kind of a new variable: `RefVariable` or `ResourceVariable`."""

from __future__ import annotations

from typing import Any

from tfmini._src.variables.enable_resource_variables import resource_variables_enabled
from tfmini._src.variables.get_variable import get_variable_scope
from tfmini._src.variables.init_scope import executing_eagerly_outside_functions
from tfmini._src.variables.lifted_values import creating_variable
from tfmini._src.variables.ref_variable import RefVariable
from tfmini._src.variables.resource_variable import ResourceVariable


def create_by_kind(
    use_resource: bool | None = None, expected_shape: Any = None, **kwargs: Any
) -> Any:
    """Creates a variable, whose class is selected by `use_resource`, the scope, or the program's default."""
    kwargs.pop("trackable_parent", None)  # already used by `capture_dependencies`
    kwargs.pop("colocate_with", None)  # strategies use it in their scopes
    if use_resource is None:
        use_resource = get_variable_scope().use_resource
    if use_resource is None:
        use_resource = resource_variables_enabled()
    if use_resource or executing_eagerly_outside_functions():
        with creating_variable():
            return ResourceVariable(**kwargs)
    kwargs.pop("distribute_strategy", None)
    return RefVariable(expected_shape=expected_shape, **kwargs)
