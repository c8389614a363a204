"""Normalization within each example: layer, instance and group norm."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import dimension_value
from tfmini._src.contrib.framework.arg_scope import add_arg_scope
from tfmini._src.contrib.layers.layer_builder import check_format, finish_outputs, layer_variable
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import VariableScope
from tfmini._src.variables.initializers import Ones, Zeros
from tfmini._src.variables.variable_scope import variable_scope


def _model_variable(
    name: str, shape: Any, dtype: Any, initializers: dict, collections: Any, trainable: bool
) -> Any:
    initializer = initializers.get(name, Zeros() if name == "beta" else Ones())
    return layer_variable(name, shape, dtype, initializer, collections, trainable)


@add_arg_scope
def layer_norm(
    inputs: TensorLike,
    center: bool = True,
    scale: bool = True,
    activation_fn: Callable[..., Any] | None = None,
    reuse: bool | None = None,
    variables_collections: str | Sequence[str] | None = None,
    outputs_collections: Sequence[str] | None = None,
    trainable: bool = True,
    begin_norm_axis: int = 1,
    begin_params_axis: int = -1,
    scope: str | VariableScope | None = None,
) -> Any:
    """Returns (x - mean) / deviation * gamma + beta, normalized over all axes from `begin_norm_axis` on.

    Args:
      inputs: a float tensor of known rank.
      center, scale, activation_fn, reuse, trainable, scope: as in `batch_norm`.
      variables_collections, outputs_collections: keys of collections.
      begin_norm_axis, begin_params_axis: first axis of the normalization and of the parameters.

    Raises:
      ValueError: for an unknown rank, invalid axes, or unknown parameter sizes.
    """
    with variable_scope(scope, "LayerNorm", [inputs], reuse=reuse) as sc:
        inputs = ops.convert_to_tensor(inputs)
        shape = inputs.shape
        rank = shape.ndims
        if rank is None:
            raise ValueError(f"Inputs {inputs.name} has undefined rank.")
        dtype = inputs.dtype.base_dtype
        if begin_norm_axis < 0:
            begin_norm_axis += rank
        if begin_params_axis >= rank or begin_norm_axis >= rank:
            raise ValueError(
                f"begin_params_axis ({begin_params_axis}) and begin_norm_axis ({begin_norm_axis}) "
                f"must be < rank(inputs) ({rank})"
            )
        params = shape[begin_params_axis:]
        if not params.is_fully_defined():
            raise ValueError(
                f"Inputs {inputs.name}: shape(inputs)[{begin_params_axis}:] is not fully defined: "
                f"{shape}"
            )
        weight_args: tuple = (params, dtype, {}, variables_collections, trainable)
        beta = _model_variable("beta", *weight_args) if center else None
        gamma = _model_variable("gamma", *weight_args) if scale else None
        mean, variance = ops.moments(inputs, list(range(begin_norm_axis, rank)), keep_dims=True)
        epsilon = 1e-3 if dtype == dtypes.float16 else 1e-12
        outputs = ops.batch_normalization(
            inputs, mean, variance, offset=beta, scale=gamma, variance_epsilon=epsilon
        )
        outputs.set_shape(shape)
        return finish_outputs(outputs, sc.name, activation_fn, outputs_collections)


@add_arg_scope
def instance_norm(
    inputs: TensorLike,
    center: bool = True,
    scale: bool = True,
    epsilon: float = 1e-6,
    activation_fn: Callable[..., Any] | None = None,
    param_initializers: dict[Any, Any] | None = None,
    reuse: bool | None = None,
    variables_collections: str | Sequence[str] | None = None,
    outputs_collections: Sequence[str] | None = None,
    trainable: bool = True,
    data_format: str = "NHWC",
    scope: str | VariableScope | None = None,
) -> Any:
    """Returns (x - mean) / deviation * gamma + beta, normalized per channel and example.

    Args:
      inputs: [batch, ..., channels], floats ([batch, channels, ...] with "NCHW").
      center, scale, activation_fn, reuse, variables_collections, outputs_collections, trainable, scope: as in
        `layer_norm`.
      epsilon: added to variances.
      param_initializers: a dict of initializers by "beta" and "gamma".
      data_format: "NHWC" or "NCHW".

    Raises:
      ValueError: for an unknown rank, number of channels or format.
    """
    inputs = ops.convert_to_tensor(inputs)
    shape = inputs.shape
    rank = shape.ndims
    if rank is None:
        raise ValueError(f"Inputs {inputs.name} has undefined rank.")
    check_format(data_format)
    with variable_scope(scope, "InstanceNorm", [inputs], reuse=reuse) as sc:
        channels = 1 if data_format == "NCHW" else rank - 1
        spread = (
            [1, dimension_value(shape[1])] + [1] * (rank - 2) if data_format == "NCHW" else None
        )
        axes = list(range(rank))
        del axes[channels], axes[0]
        params = shape[channels : channels + 1]
        if not params.is_fully_defined():
            raise ValueError(f"Inputs {inputs.name} has undefined channels dimension {params}.")
        weight_args = (params, inputs.dtype.base_dtype, param_initializers or {})
        results: dict[str, Any] = {}
        for name in [name for name, expected in (("beta", center), ("gamma", scale)) if expected]:
            results[name] = _model_variable(name, *weight_args, variables_collections, trainable)
            if spread is not None:
                results[name] = ops.reshape(results[name], spread)
        mean, variance = ops.moments(inputs, axes, keep_dims=True)
        outputs = ops.batch_normalization(
            *(inputs, mean, variance, results.get("beta"), results.get("gamma"), epsilon),
            name="instancenorm",
        )
        return finish_outputs(outputs, sc.name, activation_fn, outputs_collections)


@add_arg_scope
def group_norm(
    inputs: TensorLike,
    groups: int = 32,
    channels_axis: int = -1,
    reduction_axes: Sequence[int] = (-3, -2),
    center: bool = True,
    scale: bool = True,
    epsilon: float = 1e-6,
    activation_fn: Callable[..., Any] | None = None,
    param_initializers: dict[Any, Any] | None = None,
    reuse: bool | None = None,
    variables_collections: str | Sequence[str] | None = None,
    outputs_collections: Sequence[str] | None = None,
    trainable: bool = True,
    scope: str | VariableScope | None = None,
    mean_close_to_zero: bool = False,
) -> Any:
    """Returns (x - mean) / deviation * gamma + beta, normalized per group of channels and example.

    Args:
      inputs: a float tensor of known rank.
      groups: number of channel groups.
      channels_axis: axis of the channels.
      reduction_axes: axes of the statistics, in addition to channels.
      mean_close_to_zero: whether to compute the variance from the mean of squares.
      Other arguments are as in `instance_norm`.

    Raises:
      ValueError: for an unknown rank or sizes, invalid axes, or an incompatible number of groups.
    """
    inputs = ops.convert_to_tensor(inputs)
    rank = inputs.shape.ndims
    if rank is None:
        raise ValueError(f"Inputs {inputs.name} has undefined rank.")
    if channels_axis > rank - 1:
        raise ValueError("Axis is out of bounds.")
    dynamic = ops.shape(inputs)
    sizes = [dynamic[n] if s.value is None else s for n, s in enumerate(inputs.shape.dims)]
    channels_axis, axes = _checked_axes(inputs, groups, channels_axis, list(reduction_axes))
    channels = dimension_value(inputs.shape[channels_axis])
    leading_sizes, trailing_sizes = sizes[:channels_axis], sizes[channels_axis + 1 :]
    group_sizes = [groups, channels // groups]
    spread = [1] * len(leading_sizes) + group_sizes + [1] * len(trailing_sizes)
    inputs = ops.reshape(inputs, leading_sizes + group_sizes + trailing_sizes)
    reduced_axes = [
        channels_axis + 1,
        *(axis + 1 if axis > channels_axis else axis for axis in axes),
    ]
    with variable_scope(scope, "GroupNorm", [inputs], reuse=reuse) as sc:
        weight_args = ([channels], inputs.dtype.base_dtype, param_initializers or {})
        result: dict[str, Any] = {}
        for name in [name for name, expected in (("beta", center), ("gamma", scale)) if expected]:
            variable = _model_variable(name, *weight_args, variables_collections, trainable)
            result[name] = ops.reshape(variable, spread)
        if mean_close_to_zero:
            counts, sums, squares, _ = ops.sufficient_statistics(
                inputs, reduced_axes, keep_dims=True
            )
            mean, variance = ops.normalize_moments(counts, sums, squares, shift=None)
        else:
            mean, variance = ops.moments(inputs, reduced_axes, keep_dims=True)
        gain = ops.rsqrt(variance + epsilon)
        offset = -mean * gain
        if "gamma" in result:
            gain = gain * result["gamma"]
            offset = offset * result["gamma"]
        if "beta" in result:
            offset = offset + result["beta"]
        outputs = ops.reshape(inputs * gain + offset, sizes)
        return finish_outputs(outputs, sc.name, activation_fn, outputs_collections)


def _checked_axes(
    inputs: Any, groups: int, channels_axis: int, axes: list[int]
) -> tuple[int, list[int]]:
    shape = inputs.shape
    rank = shape.ndims
    channels_axis += rank if channels_axis < 0 else 0
    channels = dimension_value(shape[channels_axis])
    if channels is None:
        raise ValueError(f"Inputs {inputs.name} has undefined channel dimension: {channels_axis}.")
    axes = [axis + rank if axis < 0 else axis for axis in axes]
    for axis in axes:
        if axis > rank:
            raise ValueError("Axis is out of bounds.")
        if dimension_value(shape[axis]) is None:
            raise ValueError(f"Inputs {inputs.name} has undefined dimensions {axis}.")
        if channels_axis == axis:
            raise ValueError("reduction_axis must be mutually exclusive with channels_axis")
    if groups > channels:
        raise ValueError(f"Invalid groups {groups} for {channels} channels.")
    if channels % groups:
        raise ValueError(f"{channels} channels is not commensurate with {groups} groups.")
    return channels_axis, axes
