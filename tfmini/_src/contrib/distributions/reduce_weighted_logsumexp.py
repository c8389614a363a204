"""The logarithm of a weighted sum of exponentials, with its sign."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops


def reduce_weighted_logsumexp(
    logx: TensorLike,
    w: TensorLike | None = None,
    axis: TensorLike | None = None,
    keep_dims: bool = False,
    return_sign: bool = False,
    name: str | None = None,
) -> Any:
    """Returns log |sum(w exp(logx))|, computed without overflow.

    Args:
      logx: float tensor.
      w: weights that broadcast with `logx`, of either sign; None for ones.
      axis: the axes to sum over, None for all.
      keep_dims: whether to keep the reduced dimensions with size 1.
      return_sign: whether to also return the sign of the sum.
      name: the name scope of the nodes, "reduce_weighted_logsumexp" by default.

    Returns:
      A tensor, or (tensor, sign) with `return_sign`.
    """
    with name_scope(name, "reduce_weighted_logsumexp", [logx, w]):
        logx = convert_to_tensor(logx, name="logx")
        if w is None:
            total = ops.reduce_logsumexp(logx, axis=axis, keepdims=keep_dims)
            return (total, ops.ones_like(total)) if return_sign else total
        w = convert_to_tensor(w, dtype=logx.dtype, name="w")
        logarithms = logx + ops.log(ops.abs(w))
        largest = ops.reduce_max(logarithms, axis=axis, keepdims=True)
        largest = ops.where_v2(ops.is_inf(largest), ops.zeros_like(largest), largest)
        terms = ops.sign(w) * ops.exp(logarithms - largest)
        total = ops.reduce_sum(terms, axis=axis, keepdims=keep_dims)
        if not keep_dims:
            largest = ops.squeeze(largest, axis)
        sign = ops.sign(total)
        total = largest + ops.log(sign * total)
        return (total, sign) if return_sign else total
