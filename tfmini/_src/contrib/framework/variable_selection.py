"""Variables of a graph, selected by scope, name suffix or pattern."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from tfmini._src.graph.collections import get_collection
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.variables.get_variable import VariableScope


def get_variables(
    scope: str | VariableScope | None = None,
    suffix: str | None = None,
    collection: str = GraphKeys.GLOBAL_VARIABLES,
) -> list[Any]:
    """Returns the variables of a collection, by scope and name suffix.

    Args:
      scope: pattern matched at the start of names, or a VariableScope; None for all.
      suffix: suffix of the names, without ":0"; None for any.
      collection: the key of the collection.

    Example: `get_variables("encoder", suffix="weights")`.
    """
    if isinstance(scope, VariableScope):
        scope = scope.name
    if suffix is not None:
        if ":" not in suffix:
            suffix += ":"
        scope = (scope or "") + ".*" + suffix
    return get_collection(collection, scope)


def get_model_variables(
    scope: str | VariableScope | None = None, suffix: str | None = None
) -> list[Any]:
    """Returns the model variables, selected as in `get_variables`."""
    return get_variables(scope, suffix, GraphKeys.MODEL_VARIABLES)


def get_local_variables(
    scope: str | VariableScope | None = None, suffix: str | None = None
) -> list[Any]:
    """Returns the local variables, selected as in `get_variables`."""
    return get_variables(scope, suffix, GraphKeys.LOCAL_VARIABLES)


def get_trainable_variables(
    scope: str | VariableScope | None = None, suffix: str | None = None
) -> list[Any]:
    """Returns the trainable variables, selected as in `get_variables`."""
    return get_variables(scope, suffix, GraphKeys.TRAINABLE_VARIABLES)


def get_variables_by_suffix(suffix: str, scope: str | VariableScope | None = None) -> list[Any]:
    """Returns the global variables whose names end with `suffix`, optionally in `scope`."""
    return get_variables(scope=scope, suffix=suffix)


def get_variables_by_name(given_name: str, scope: str | VariableScope | None = None) -> list[Any]:
    """Returns the global variables created with the name `given_name`, in any scope."""
    return get_variables(scope=scope, suffix=f"/{given_name}:|^{given_name}:")


def get_unique_variable(var_op_name: str) -> Any:
    """Returns the global variable with this full name.

    Raises:
      ValueError: for an unknown name.
    """
    candidates = get_variables(scope=var_op_name)
    if not candidates:
        raise ValueError(f"Couldn't find variable {var_op_name}")
    for candidate in candidates:
        if candidate.op.name == var_op_name:
            return candidate
    raise ValueError(f"Variable {var_op_name} does not uniquely identify a variable")


def get_variables_to_restore(
    include: Sequence[str] | None = None, exclude: Sequence[str] | None = None
) -> list[Any]:
    """Returns the global variables in the scopes `include` (None for all), except variables in the scopes `exclude`.

    Raises:
      TypeError: if either is not a list or tuple.
    """
    selected = get_variables() if include is None else _in_scopes(include, "include")
    unwanted = set() if exclude is None else set(_in_scopes(exclude, "exclude"))
    return [variable for variable in selected if variable not in unwanted]


def _in_scopes(scopes: Any, name: str) -> list[Any]:
    if not isinstance(scopes, list | tuple):
        raise TypeError(f"{name} is provided but is not a list or a tuple.")
    return [variable for scope in scopes for variable in get_variables(scope)]


def filter_variables(
    var_list: Iterable[Any],
    include_patterns: Iterable[str] | None = None,
    exclude_patterns: Iterable[str] | None = None,
    reg_search: bool = True,
) -> list[Any]:
    """Returns the variables whose names match a pattern in `include_patterns` and none in `exclude_patterns`.

    Args:
      var_list: the variables.
      include_patterns: regular expressions; None includes all.
      exclude_patterns: regular expressions; None excludes none.
      reg_search: whether patterns may match anywhere in a name instead of only at its start.
    """
    matches = re.search if reg_search else re.match
    selected = list(var_list)
    if include_patterns is not None:
        patterns = list(include_patterns)
        selected = [v for v in selected if any(matches(pattern, v.name) for pattern in patterns)]
    if exclude_patterns is not None:
        patterns = list(exclude_patterns)
        selected = [
            v for v in selected if not any(matches(pattern, v.name) for pattern in patterns)
        ]
    return selected
