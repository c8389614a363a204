"""`tensorflow.python.ops.custom_gradient`: the variables on which outputs depend."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.nest.structure import flatten, map_structure
from tfmini._src.functions.called_graphs import copy_handle_data
from tfmini._src.functions.custom_gradient import get_variable_by_name
from tfmini._src.ops import raw
from tfmini.compat.python.ops.op_selector import get_backward_walk_ops

__all__ = ["copy_handle_data", "get_dependent_variables", "get_variable_by_name"]

_VARIABLES = ("VariableV2", "VarHandleOp")


def get_dependent_variables(input_ops: Any, output_ops: Any) -> list:
    """Returns the trainable variables on which outputs depend other than through the inputs."""
    outputs = map_structure(lambda tensor: raw.Identity(tensor), output_ops)
    between = get_backward_walk_ops(
        seed_ops=flatten(outputs),
        stop_at_ts=flatten(input_ops),
        inclusive=False,
        only_differentiable=True,
    )
    variables = [get_variable_by_name(op.name) for op in between if op.type in _VARIABLES]
    return [variable for variable in variables if variable is not None]
