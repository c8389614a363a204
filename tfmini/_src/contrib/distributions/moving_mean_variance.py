"""Moving means and variances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import colocate_with, control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.state.assign import assign_add, assign_sub
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.initializers import Zeros
from tfmini._src.variables.variable_scope import variable_scope


def moving_mean_variance(
    value: TensorLike,
    decay: TensorLike,
    collections: Sequence[str] | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Tracks the moving mean and variance of a value in new variables.

    Args:
      value: a float tensor with a static shape.
      decay: weight of the previous statistics in each step, such as 0.99.
      collections: collections of the variables, by default the global variables.
      name: the variable scope, "moving_mean_variance" by default.

    Returns:
      (mean, variance) after the step, of the shape and dtype of `value`; both start at 0.

    Raises:
      TypeError: if `value` is not float.
    """
    if collections is None:
        collections = [GraphKeys.GLOBAL_VARIABLES]
    with variable_scope(name, "moving_mean_variance", [value, decay]):
        value = convert_to_tensor(value, name="value")
        dtype = value.dtype.base_dtype
        if not dtype.is_floating:
            raise TypeError(f"value.base_dtype({dtype.name}) does not have float type `dtype`.")
        decay = convert_to_tensor(decay, dtype=dtype, name="decay")
        variance, mean = (
            get_variable(
                variable,
                shape=value.shape,
                dtype=value.dtype,
                initializer=Zeros(),
                trainable=False,
                collections=collections,
            )
            for variable in ("moving_variance", "moving_mean")
        )
        return assign_moving_mean_variance(mean, variance, value, decay)


def assign_moving_mean_variance(
    mean_var: Any, variance_var: Any, value: TensorLike, decay: TensorLike, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """Updates a moving mean and variance (Finch, "Incremental calculation of weighted mean and variance").

    Args:
      mean_var: a float variable.
      variance_var: a variable of the same dtype.
      value: a tensor of their shape.
      decay: weight of the previous statistics in each step.
      name: the name scope of the nodes, "assign_moving_mean_variance" by default.

    Returns:
      (mean, variance) after the step.

    Raises:
      TypeError: if the variables are not float, or their dtypes differ.
    """
    values = [variance_var, mean_var, value, decay]
    with name_scope(name, "assign_moving_mean_variance", values):
        with colocate_with(variance_var), colocate_with(mean_var):
            dtype = _float_dtype(mean_var, "mean_var")
            if dtype != variance_var.dtype.base_dtype:
                raise TypeError(
                    f"mean_var.base_dtype({dtype.name}) != "
                    f"variance_var.base_dtype({variance_var.dtype.base_dtype.name})"
                )
            value = convert_to_tensor(value, dtype=dtype, name="value")
            decay = convert_to_tensor(decay, dtype=dtype, name="decay")
            delta = value - mean_var
            with control_dependencies([delta]):  # reads the mean before it is updated
                mean_var = assign_add(mean_var, (1.0 - decay) * delta)
                change = (1.0 - decay) * (variance_var - decay * ops.square(delta))
                variance_var = assign_sub(variance_var, change)
            return mean_var, variance_var


def assign_log_moving_mean_exp(
    log_mean_exp_var: Any, log_value: TensorLike, decay: TensorLike, name: str | None = None
) -> Any:
    """Updates the logarithm of a moving mean of exponentials.

    Args:
      log_mean_exp_var: a float variable.
      log_value: a tensor of the same shape.
      decay: weight of the previous mean in each step.
      name: the name scope of the nodes, "assign_log_moving_mean_exp" by default.

    Returns:
      The variable after the step.

    Raises:
      TypeError: if the variable is not float.
    """
    values = [log_mean_exp_var, log_value, decay]
    with name_scope(name, "assign_log_moving_mean_exp", values):
        with colocate_with(log_mean_exp_var):
            dtype = _float_dtype(log_mean_exp_var, "log_mean_exp_var")
            log_value = convert_to_tensor(log_value, dtype=dtype, name="log_value")
            decay = convert_to_tensor(decay, dtype=dtype, name="decay")
            delta = (log_value - log_mean_exp_var)[None, ...]
            old = ops.log(decay) * ops.ones_like(delta)
            change = ops.concat([old, delta + ops.log1p(-decay)], axis=0)
            return log_mean_exp_var.assign_add(ops.reduce_logsumexp(change, axis=0))


def _float_dtype(variable: Any, name: str) -> Any:
    dtype = variable.dtype.base_dtype
    if not dtype.is_floating:
        raise TypeError(f"{name}.base_dtype({dtype.name}) does not have float type `dtype`.")
    return dtype
