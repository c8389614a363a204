"""Activation functions under their Keras names."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.layers.activations import (
    elu,  # noqa: F401  re-exported
    hard_sigmoid,  # noqa: F401  re-exported
    relu,  # noqa: F401  re-exported
    tanh,  # noqa: F401  re-exported
)
from tfmini._src.ops import ops


def softmax(x: TensorLike, axis: int = -1) -> Any:
    """Computes probabilities along `axis`."""
    return ops.softmax(x, axis=axis)


def softplus(x: TensorLike) -> Any:
    """Returns log(1 + exp(x))."""
    return ops.softplus(x)


def softsign(x: TensorLike) -> Any:
    """Returns x / (1 + |x|)."""
    return ops.softsign(x)


def sigmoid(x: TensorLike) -> Any:
    """Returns 1 / (1 + exp(-x))."""
    return ops.sigmoid(x)


def l2_normalize(x: TensorLike, axis: TensorLike | None = None) -> Any:
    """Scales vectors along `axis` to length 1."""
    return ops.l2_normalize(x, axis=axis)


def in_top_k(predictions: TensorLike, targets: TensorLike, k: int) -> Any:
    """Whether the target class is among the `k` largest predictions of its row."""
    return ops.in_top_k(predictions, targets, k)
