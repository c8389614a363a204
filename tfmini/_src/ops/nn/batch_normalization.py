"""Batch normalization with explicit means and variances, composed of elementary ops."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.deprecation import deprecated_argument_lookup
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


@public
def batch_normalization(
    x: Any,
    mean: Any,
    variance: Any,
    offset: Any,
    scale: TensorLike,
    variance_epsilon: Any,
    name: str | None = None,
) -> Tensor:
    """Returns (x - mean) / sqrt(variance + variance_epsilon) * scale + offset.

    Args:
      x: a float tensor.
      mean, variance: tensors that broadcast with `x`: [depth] for means over all axes except the last, or the
        results of `tf.nn.moments` with `keep_dims`.
      offset, scale: tensors of the same shape as `mean`, or None.
      variance_epsilon: a small number that prevents division by 0.

    Returns:
      A tensor of the shape and dtype of `x`.

    Example:
      mean, variance = tf.nn.moments(x, [0])
      y = tf.nn.batch_normalization(x, mean, variance, None, None, 1e-3)
    """
    with name_scope(name, "batchnorm", [x, mean, variance, scale, offset]):
        inverse = ops.rsqrt(variance + variance_epsilon)
        if scale is not None:
            inverse = inverse * scale
        scaled = x * ops.cast(inverse, x.dtype)
        shift = -mean * inverse if offset is None else offset - mean * inverse
        return scaled + ops.cast(shift, x.dtype)


@public
def batch_norm_with_global_normalization(
    t: TensorLike | None = None,
    m: Any = None,
    v: TensorLike | None = None,
    beta: TensorLike | None = None,
    gamma: TensorLike | None = None,
    variance_epsilon: Any = None,
    scale_after_normalization: bool | None = None,
    name: str | None = None,
    input: TensorLike | None = None,
    mean: TensorLike | None = None,
    variance: TensorLike | None = None,
) -> Tensor:
    """Older form of `tf.nn.batch_normalization`.

    Args:
      t: a float tensor, [batch, rows, columns, depth].
      m, v: [depth], the means and variances to normalize by.
      beta: [depth], the offset.
      gamma: [depth], the scale; used if `scale_after_normalization` is set.
      variance_epsilon: a small number that prevents division by 0.
      scale_after_normalization: whether to scale by `gamma`.
      input, mean, variance: new names of `t`, `m` and `v`.

    Returns:
      A tensor of the shape and dtype of `t`.
    """
    t = deprecated_argument_lookup("input", input, "t", t)
    m = deprecated_argument_lookup("mean", mean, "m", m)
    v = deprecated_argument_lookup("variance", variance, "v", v)
    scale = gamma if scale_after_normalization else None
    return batch_normalization(t, m, v, beta, scale, variance_epsilon, name)
