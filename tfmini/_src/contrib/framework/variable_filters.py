"""Variables of the graph, chosen by scope, by how their names end, or by patterns; values set by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import add_to_collection, get_collection
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import VariableScope


def get_variables(
    scope: Any = None, suffix: str | None = None, collection: str = GraphKeys.GLOBAL_VARIABLES
) -> list[Any]:
    """The variables of a collection, by the scope they are in and how their names end.

    Args:
      scope: a pattern that names start with, or a VariableScope; None for all.
      suffix: the end of their names, without ":0"; None for any.
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


def get_model_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """The model variables, chosen as `get_variables` chooses."""
    return get_variables(scope, suffix, GraphKeys.MODEL_VARIABLES)


def get_local_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """The local variables, chosen as `get_variables` chooses."""
    return get_variables(scope, suffix, GraphKeys.LOCAL_VARIABLES)


def get_trainable_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """The trainable variables, chosen as `get_variables` chooses."""
    return get_variables(scope, suffix, GraphKeys.TRAINABLE_VARIABLES)


def get_variables_by_suffix(suffix: str, scope: Any = None) -> list[Any]:
    """The global variables whose names end with `suffix`, in `scope` if it is given."""
    return get_variables(scope=scope, suffix=suffix)


def get_variables_by_name(given_name: str, scope: Any = None) -> list[Any]:
    """The global variables that were made with the name `given_name`, in whatever scope."""
    return get_variables(scope=scope, suffix=f"/{given_name}:|^{given_name}:")


def get_unique_variable(var_op_name: str) -> Any:
    """The global variable of that name, all its scopes included.

    Raises:
      ValueError: if there is none.
    """
    candidates = get_variables(scope=var_op_name)
    if not candidates:
        raise ValueError(f"Couldn't find variable {var_op_name}")
    for candidate in candidates:
        if candidate.op.name == var_op_name:
            return candidate
    raise ValueError(f"Variable {var_op_name} does not uniquely identify a variable")


def get_variables_to_restore(include: Any = None, exclude: Any = None) -> list[Any]:
    """The global variables in the scopes `include` (all, if None) that are not in the scopes `exclude`.

    Raises:
      TypeError: if either is no list or tuple.
    """
    chosen = get_variables() if include is None else _in_scopes(include, "include")
    unwanted = set() if exclude is None else set(_in_scopes(exclude, "exclude"))
    return [variable for variable in chosen if variable not in unwanted]


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
    """Those of `var_list` whose names match a pattern of `include_patterns` and none of `exclude_patterns`.

    Args:
      var_list: the variables.
      include_patterns: regular expressions; None includes all.
      exclude_patterns: regular expressions; None excludes none.
      reg_search: whether a pattern may match anywhere in a name, or must at its start.
    """
    matches = re.search if reg_search else re.match
    chosen = list(var_list)
    if include_patterns is not None:
        patterns = list(include_patterns)
        chosen = [v for v in chosen if any(matches(pattern, v.name) for pattern in patterns)]
    if exclude_patterns is not None:
        patterns = list(exclude_patterns)
        chosen = [v for v in chosen if not any(matches(pattern, v.name) for pattern in patterns)]
    return chosen


def add_model_variable(var: Any) -> None:
    """Adds a variable to the collection MODEL_VARIABLES, if it is not there."""
    if var not in get_collection(GraphKeys.MODEL_VARIABLES):
        add_to_collection(GraphKeys.MODEL_VARIABLES, var)


def get_variable_full_name(var: Any) -> str:
    """The name of a variable in a checkpoint: of a part of a larger one, the name of the whole."""
    if var._save_slice_info:
        return var._save_slice_info.full_name
    return var.op.name


def assign_from_values(var_names_to_values: Mapping[str, Any]) -> tuple[Any, dict[Any, Any]]:
    """An operation that sets variables to values which are fed, so that the graph need not hold them.

    Args:
      var_names_to_values: numpy arrays by the names of global variables.

    Returns:
      The operation, and the feed_dict to run it with.

    Raises:
      ValueError: if there is no such variable.
    """
    feed_dict = {}
    assigns = []
    for name, value in var_names_to_values.items():
        variable = _named(name)
        shape = variable.get_shape()
        fed = ops.placeholder(
            dtype=variable.dtype.base_dtype, shape=shape, name="placeholder/" + variable.op.name
        )
        assigns.append(variable.assign(fed))
        feed_dict[fed] = value.reshape(shape)
    return ops.group(*assigns), feed_dict


def _named(name: str) -> Any:
    found = get_collection(GraphKeys.GLOBAL_VARIABLES, name)
    if not found:
        raise ValueError(f"Variable {name} wasn't found")
    if len(found) == 1:
        return found[0]
    for variable in found:
        if variable.op.name == name:
            return variable
    raise ValueError(f"Variable {name} doesn't uniquely identify a variable")


def assign_from_values_fn(var_names_to_values: Mapping[str, Any]) -> Callable[[Any], Any]:
    """A function of a session that sets variables to values; see `assign_from_values`."""
    assign, feed_dict = assign_from_values(var_names_to_values)
    return lambda session: session.run(assign, feed_dict)
