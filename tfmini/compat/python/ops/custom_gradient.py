"""`tensorflow.python.ops.custom_gradient`: variables that outputs depend on."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.nest.structure import flatten, map_structure
from tfmini._src.graph.collections import get_collection
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.ops import raw
from tfmini.compat.python.ops.op_selector import get_backward_walk_ops

__all__ = ["get_dependent_variables", "get_variable_by_name"]

_VARIABLES = ("VariableV2", "VarHandleOp")


def get_variable_by_name(var_name: str) -> Any:
    """The trainable variable of a name; None if it is not trainable.

    Raises:
      ValueError: if there is none, or several.
    """
    found = get_collection(GraphKeys.GLOBAL_VARIABLES, scope=f"{var_name}:0")
    if not found:
        raise ValueError(f"Unsuccessful at finding variable {var_name}.")
    found = [variable for variable in found if variable.trainable]
    if len(found) > 1:
        raise ValueError(
            f"Unsuccessful at finding trainable variable {var_name}. Number of candidates: {len(found)}. "
            f"Candidates: {found}"
        )
    return found[0] if found else None


def get_dependent_variables(input_ops: Any, output_ops: Any) -> list:
    """Trainable variables that outputs depend on other than through the inputs."""
    outputs = map_structure(lambda tensor: raw.Identity(tensor), output_ops)
    between = get_backward_walk_ops(
        seed_ops=flatten(outputs),
        stop_at_ts=flatten(input_ops),
        inclusive=False,
        only_differentiable=True,
    )
    found = [get_variable_by_name(op.name) for op in between if op.type in _VARIABLES]
    return [variable for variable in found if variable is not None]
