"""Batch normalization functions under their Keras names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import tf2
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.backend.tensor_values import ndim
from tfmini._src.nn.layers.windows.channels_first import takes_channels_first
from tfmini._src.ops import ops
from tfmini._src.variables.assign_moving_average import assign_moving_average
from tfmini._src.variables.variable import Variable


def moving_average_update(x: TensorLike, value: TensorLike, momentum: TensorLike) -> Any:
    """Assigns var * momentum + value * (1 - momentum), with bias correction before `tf.enable_v2_behavior`.

    Args:
      x: the variable.
      value: a tensor of the variable's shape.
      momentum: the weight of the variable's old value.
    """
    return assign_moving_average(x, value, momentum, zero_debias=not tf2.enabled())


def batch_normalization(
    x: TensorLike,
    mean: TensorLike,
    var: Tensor | Variable,
    beta: Tensor | Variable,
    gamma: TensorLike,
    axis: int = -1,
    epsilon: float = 1e-3,
) -> Any:
    """Returns (x - mean) / sqrt(var + epsilon) * gamma + beta.

    Args:
      x: [batch, ...].
      mean, var: the moments, broadcast to `x`.
      beta, gamma: offset and scale; None for 0 and 1.
      axis: the feature axis if `x` has rank 4.
      epsilon: added to the variance to avoid division by zero.
    """
    if ndim(x) != 4:
        return ops.batch_normalization(x, mean, var, beta, gamma, epsilon)
    order = {1: "NCHW", -3: "NCHW", 3: "NHWC", -1: "NHWC"}.get(axis)
    if order == "NHWC" or (order == "NCHW" and takes_channels_first()):
        mean, var = _as_vector(mean), _as_vector(var)
        beta = ops.zeros_like(mean) if beta is None else _as_vector(beta)
        gamma = ops.ones_like(mean) if gamma is None else _as_vector(gamma)
    return ops.fused_batch_norm(
        x,
        gamma,
        beta,
        epsilon=epsilon,
        mean=mean,
        variance=var,
        data_format=order,
        is_training=False,
    )[0]


def _as_vector(x: Any) -> Any:
    return ops.reshape(x, [-1]) if (ndim(x) or 0) > 1 else x


def normalize_batch_in_training(
    x: Tensor | Variable,
    gamma: Any,
    beta: Any,
    reduction_axes: Sequence[int],
    epsilon: float = 1e-3,
) -> tuple[Any, ...]:
    """Normalizes a batch by its own moments; returns (result, mean, variance).

    Args:
      x: [batch, ...].
      gamma, beta: scale and offset; None for 1 and 0.
      reduction_axes: axes to compute the moments over.
      epsilon: added to the variance to avoid division by zero.
    """
    axes = list(reduction_axes)
    rank = ndim(x) or 0
    first = axes == [0, 2, 3]
    if rank == 4 and (axes == [0, 1, 2] or (first and takes_channels_first())):
        size = [x.shape[1 if first else 3]]
        if gamma is None:
            gamma = ops.constant(1.0, dtype=x.dtype, shape=size)
        if beta is None:
            beta = ops.constant(0.0, dtype=x.dtype, shape=size)
        return ops.fused_batch_norm(
            x, gamma, beta, epsilon=epsilon, data_format="NCHW" if first else "NHWC"
        )
    mean, var = ops.moments(x, reduction_axes, None, None, False)
    if (rank == 4 and first) or sorted(axes) != list(range(rank))[:-1]:
        sizes = ops.stack([1 if axis in axes else ops.shape(x)[axis] for axis in range(rank)])
        rows = [v if v is None else ops.reshape(v, sizes) for v in (mean, var, gamma, beta)]
    else:
        rows = [mean, var, gamma, beta]
    normed = ops.batch_normalization(x, rows[0], rows[1], rows[3], rows[2], epsilon)
    return normed, mean, var
