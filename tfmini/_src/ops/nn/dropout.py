"""Dropout, which zeroes random elements."""

from __future__ import annotations

import numbers
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.names.deprecation import deprecated_args, deprecated_argument_lookup
from tfmini._src.base.shapes import TensorShape, as_shape
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


@public
@deprecated_args(
    None,
    "Please use `rate` instead of `keep_prob`. Rate should be set to `rate = 1 - keep_prob`.",
    "keep_prob",
)
def dropout(
    x: TensorLike,
    keep_prob: Any = None,
    noise_shape: TensorLike | None = None,
    seed: int | None = None,
    name: str | None = None,
    rate: TensorLike | None = None,
) -> Tensor:
    """Zeroes elements with probability `rate` and scales the remaining ones by 1 / (1 - rate).

    Args:
      x: a float tensor.
      keep_prob: the old form, 1 - rate.
      noise_shape: the shape of the random mask, which is broadcast; [batch, 1, 1, channels] drops
        entire channels. By default, each element is dropped independently.
      seed: an integer; see `tf.set_random_seed`.
      rate: a number in [0, 1) or a scalar tensor.

    Returns:
      A tensor of the shape and dtype of `x`; `x` itself if the rate is statically 0.

    Raises:
      ValueError: if the rate is missing or outside [0, 1), or `x` is not a float tensor.
    """
    try:
        complement = None if keep_prob is None else 1.0 - keep_prob
    except TypeError:
        raise ValueError(
            f"keep_prob must be a floating point number or Tensor (got {keep_prob!r})"
        ) from None
    rate = deprecated_argument_lookup("rate", rate, "keep_prob", complement)
    if rate is None:
        raise ValueError("You must provide a rate to dropout.")
    with name_scope(name, "dropout", [x]) as name:
        x = ops.convert_to_tensor(x, name="x")
        if not x.dtype.is_floating:
            raise ValueError(
                "x has to be a floating point tensor since it's going to be scaled. Got a "
                f"{x.dtype} tensor instead."
            )
        if isinstance(rate, numbers.Real):
            _check_rate(rate)
            if rate == 0:
                return x
        rate = ops.convert_to_tensor(rate, dtype=x.dtype, name="rate")
        rate.shape.assert_has_rank(0)
        if ops.get_static_value(rate) == 0:
            return x
        noise = ops.random_uniform(_noise_shape(x, noise_shape), seed=seed, dtype=x.dtype)
        keep = 1 - rate
        scale = 1 / keep
        is_kept = noise >= rate
        result = x * scale * ops.cast(is_kept, x.dtype)
        result.set_shape(x.shape)
        return result


def _check_rate(rate: Any) -> None:
    if not (rate >= 0 and rate < 1):
        raise ValueError(
            f"rate must be a scalar tensor or a float in the range [0, 1), got {rate:g}"
        )
    if rate > 0.5:
        logs.log_first_n(
            logs.WARN,
            "Large dropout rate: %g (>0.5). In TensorFlow 2.x, dropout() uses dropout rate "
            "instead of keep_prob. Please ensure that this is intended.",
            5,
            rate,
        )


def _noise_shape(x: Tensor, noise_shape: Any) -> Any:
    """Returns the shape of the noise, taking unspecified sizes in `noise_shape` from `x`."""
    if noise_shape is None:
        return ops.shape(x)
    try:
        expected = as_shape(noise_shape)
    except (TypeError, ValueError):
        return noise_shape
    if x._dims is None or expected._dims is None or len(x._dims) != len(expected._dims):
        return noise_shape
    pairs = zip(x._dims, expected._dims)
    return TensorShape([size if value is None else value for size, value in pairs])
