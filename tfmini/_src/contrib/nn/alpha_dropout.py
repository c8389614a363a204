"""Dropout that preserves the mean and variance of `tf.nn.selu` outputs."""

from __future__ import annotations

from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops, raw

# Limit of selu for small inputs: -scale * alpha.
_SATURATION_VALUE = -1.7580993408473766


def alpha_dropout(
    x: TensorLike,
    keep_prob: TensorLike,
    noise_shape: TensorLike | None = None,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Sets elements to SELU's minimum with probability 1 - keep_prob, then restores mean 0 and variance 1.

    Args:
      x: a float tensor.
      keep_prob: a scalar in (0, 1].
      noise_shape: shape of the dropout mask, which is broadcast; by default the shape of `x`.
      seed: an integer; see `tf.set_random_seed`.
      name: scope name, by default "alpha_dropout".

    Returns:
      A tensor of the shape and dtype of `x`; `x` itself if keep_prob is 1.

    Raises:
      ValueError: if keep_prob is not in (0, 1].

    Example:
      y = tf.contrib.nn.alpha_dropout(tf.nn.selu(x), keep_prob=0.9)
    """
    with name_scope(name, "alpha_dropout", [x]):
        x = ops.convert_to_tensor(x, name="x")
        if isinstance(keep_prob, int | float) and not 0 < keep_prob <= 1.0:
            text = "keep_prob must be a scalar tensor or a float in the range (0, 1], got "
            raise ValueError(f"{text}{keep_prob:g}")
        keep = ops.convert_to_tensor(keep_prob, dtype=x.dtype, name="keep_prob")
        keep.shape.assert_has_rank(0)
        if ops.get_static_value(keep) == 1:
            return x
        shape = ops.shape(x) if noise_shape is None else noise_shape
        noise = ops.random_uniform(shape, seed=seed, dtype=x.dtype)
        mask = ops.cast(raw.GreaterEqual(noise, 1 - keep), x.dtype)
        dropped = x * mask + _SATURATION_VALUE * (1 - mask)
        scale = (keep + keep * (1 - keep) * _SATURATION_VALUE**2) ** -0.5
        offset = -scale * _SATURATION_VALUE * (1 - keep)
        return scale * dropped + offset
