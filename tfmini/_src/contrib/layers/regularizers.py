"""Weight penalties for `regularizer=`: functions from a tensor to a scalar, or None for no penalty."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable
from typing import Any

from tfmini._src.base import logs
from tfmini._src.graph.collections import add_to_collection, get_collection
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops

Regularizer = Callable[[Any], "Tensor | None"]


def _no_penalty(_: Any) -> None:
    return None


def _is_off(scale: Any) -> bool:
    if isinstance(scale, numbers.Real) and scale == 0.0:
        logs.info("Scale of 0 disables regularizer.")
        return True
    return False


def _scale(scale: Any, weights: Any) -> Tensor:
    return ops.convert_to_tensor(scale, dtype=weights.dtype.base_dtype, name="scale")


def l1_regularizer(scale: TensorLike, scope: str | None = None) -> Regularizer:
    """Returns a regularizer that computes `scale * sum(abs(weights))`.

    Args:
      scale: a nonnegative float; 0 disables the penalty.
      scope: name scope.

    Raises:
      ValueError: for an integer or a negative number.

    Example: `tf.get_variable("w", [3], regularizer=tf.contrib.layers.l1_regularizer(0.01))`.
    """
    if isinstance(scale, numbers.Integral):
        raise ValueError(f"scale cannot be an integer: {scale}")
    if isinstance(scale, numbers.Real) and scale < 0.0:
        raise ValueError(f"Setting a scale less than 0 on a regularizer: {float(scale):g}")
    if _is_off(scale):
        return _no_penalty

    def l1(weights: Any, name: str | None = None) -> Tensor:
        with name_scope(scope, "l1_regularizer", [weights]) as name:
            factor = _scale(scale, weights)
            return ops.multiply(factor, ops.reduce_sum(ops.abs(weights)), name=name)

    return l1


def l2_regularizer(scale: TensorLike, scope: str | None = None) -> Regularizer:
    """Returns a regularizer that computes `scale * sum(weights ** 2) / 2`.

    Args:
      scale: a nonnegative float; 0 disables the penalty.
      scope: name scope.

    Raises:
      ValueError: for an integer or a negative number.
    """
    if isinstance(scale, numbers.Integral):
        raise ValueError(f"scale cannot be an integer: {scale}")
    if isinstance(scale, numbers.Real) and scale < 0.0:
        raise ValueError(f"Setting a scale less than 0 on a regularizer: {float(scale):g}.")
    if _is_off(scale):
        return _no_penalty

    def l2(weights: Any) -> Tensor:
        with name_scope(scope, "l2_regularizer", [weights]) as name:
            return ops.multiply(_scale(scale, weights), ops.l2_loss(weights), name=name)

    return l2


def l1_l2_regularizer(
    scale_l1: float = 1.0, scale_l2: float = 1.0, scope: str | None = None
) -> Regularizer | None:
    """Returns a regularizer that adds `l1_regularizer(scale_l1)` and `l2_regularizer(scale_l2)`.

    Raises:
      ValueError: if a scale is an integer or negative.
    """
    for name, scale in (("scale_l1", scale_l1), ("scale_l2", scale_l2)):
        if isinstance(scale, numbers.Integral):
            raise ValueError(f"{name} cannot be an integer: {scale}")
    scope = scope or "l1_l2_regularizer"
    if scale_l1 == 0.0:
        return l2_regularizer(scale_l2, scope)
    if scale_l2 == 0.0:
        return l1_regularizer(scale_l1, scope)
    return sum_regularizer([l1_regularizer(scale_l1), l2_regularizer(scale_l2)], scope=scope)


def sum_regularizer(
    regularizer_list: Iterable[Regularizer | None], scope: str | None = None
) -> Regularizer | None:
    """Returns the sum of several regularizers; None if there are none.

    Args:
      regularizer_list: regularizers; None entries are ignored.
      scope: name scope.
    """
    regularizers = [regularizer for regularizer in regularizer_list if regularizer is not None]
    if not regularizers:
        return None

    def sum_reg(weights: Any) -> Tensor | None:
        with name_scope(scope, "sum_regularizer", [weights]) as name:
            penalties = [regularizer(weights) for regularizer in regularizers]
            penalties = [penalty for penalty in penalties if penalty is not None]
            return ops.add_n(penalties, name=name) if penalties else None

    return sum_reg


def apply_regularization(
    regularizer: Regularizer, weights_list: Iterable[Any] | None = None
) -> Tensor:
    """Returns the sum of the penalties on all weights, added to the collection REGULARIZATION_LOSSES.

    Args:
      regularizer: returns a scalar or None for each weight.
      weights_list: tensors or variables; by default the collection WEIGHTS.

    Raises:
      ValueError: if there are no weights, or a penalty is not a scalar.
    """
    if not weights_list:
        weights_list = get_collection(GraphKeys.WEIGHTS)
    if not weights_list:
        raise ValueError("No weights to regularize.")
    with name_scope("get_regularization_penalty", values=weights_list) as scope:
        penalties = [regularizer(weights) for weights in weights_list]
        scalars = [ops.constant(0.0) if penalty is None else penalty for penalty in penalties]
        for penalty in scalars:
            if penalty.get_shape().ndims != 0:
                raise ValueError(
                    "regularizer must return a scalar Tensor instead of a Tensor with rank "
                    f"{penalty.get_shape().ndims}."
                )
        total = ops.add_n(scalars, name=scope)
        add_to_collection(GraphKeys.REGULARIZATION_LOSSES, total)
        return total
