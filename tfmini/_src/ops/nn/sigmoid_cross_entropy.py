"""Elementwise sigmoid cross entropy."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.deprecation import deprecated_args, deprecated_argument_lookup
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.nn.softmax_cross_entropy import check_named


def _convert_pair(logits: Any, labels: Any) -> tuple[Tensor, Tensor]:
    logits = ops.convert_to_tensor(logits, name="logits")
    labels = ops.convert_to_tensor(labels, name="labels")
    try:
        labels.shape.merge_with(logits.shape)
    except ValueError:
        raise ValueError(
            f"logits and labels must have the same shape ({logits.shape} vs {labels.shape})"
        ) from None
    return logits, labels


@public
def sigmoid_cross_entropy_with_logits(
    _sentinel: None = None,
    labels: TensorLike | None = None,
    logits: TensorLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Computes the cross entropy of independent binary labels against the sigmoid of logits.

    It is computed as max(x, 0) - x z + log(1 + exp(-|x|)) for logits x and labels z, which cannot overflow.

    Args:
      _sentinel: unused; prevents positional arguments.
      labels: a float tensor, the probabilities of the positive class.
      logits: a tensor of the same shape and dtype.

    Returns:
      A tensor of the same shape, one loss per element.

    Raises:
      ValueError: if labels and logits are not both passed by name, or their shapes differ.
    """
    check_named("sigmoid_cross_entropy_with_logits", _sentinel, labels, logits)
    with name_scope(name, "logistic_loss", [logits, labels]) as name:
        logits, labels = _convert_pair(logits, labels)
        zeros = ops.zeros_like(logits, dtype=logits.dtype)
        positive = logits >= zeros
        relu_logits = ops.where(positive, logits, zeros)
        negative_magnitude = ops.where(positive, -logits, logits)
        return ops.add(
            relu_logits - logits * labels,
            ops.log1p(ops.exp(negative_magnitude)),
            name=name,
        )


@deprecated_args(None, "targets is deprecated, use labels instead", "targets")
def weighted_cross_entropy_with_logits(
    labels: TensorLike | None = None,
    logits: TensorLike | None = None,
    pos_weight: Any = None,
    name: str | None = None,
    targets: TensorLike | None = None,
) -> Tensor:
    """`sigmoid_cross_entropy_with_logits` with a weight on the positive term.

    Args:
      labels: a float tensor, the probabilities of the positive class.
      logits: a tensor of the same shape and dtype.
      pos_weight: the weight of the positive term, a number or tensor.
      targets: the old name of `labels`.

    Returns:
      A tensor of the same shape, one loss per element.

    Raises:
      ValueError: if the shapes differ.
    """
    labels = deprecated_argument_lookup("labels", labels, "targets", targets)
    with name_scope(name, "logistic_loss", [logits, labels]) as name:
        logits, labels = _convert_pair(logits, labels)
        weight = 1 + (pos_weight - 1) * labels
        return ops.add(
            (1 - labels) * logits,
            weight * (ops.log1p(ops.exp(-ops.abs(logits))) + ops.relu(-logits)),
            name=name,
        )
