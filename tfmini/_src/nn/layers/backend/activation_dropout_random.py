"""Activations, dropout, learning phases and random numbers under Keras's names."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.layers.activations import (
    elu,  # noqa: F401  they are public
    hard_sigmoid,  # noqa: F401  they are public
    relu,  # noqa: F401  they are public
    tanh,  # noqa: F401  they are public
)
from tfmini._src.nn.layers.backend.config import floatx
from tfmini._src.nn.layers.backend.learning_phase import learning_phase
from tfmini._src.nn.layers.backend.tensor_values import is_tensor, ndim
from tfmini._src.ops import ops


def softmax(x: TensorLike, axis: int = -1) -> Any:
    """Probabilities along `axis`."""
    return ops.softmax(x, axis=axis)


def softplus(x: TensorLike) -> Any:
    """log(1 + exp(x))."""
    return ops.softplus(x)


def softsign(x: TensorLike) -> Any:
    """x / (1 + |x|)."""
    return ops.softsign(x)


def sigmoid(x: TensorLike) -> Any:
    """1 / (1 + exp(-x))."""
    return ops.sigmoid(x)


def _seed(seed: Any) -> Any:
    """`seed`, or one drawn by NumPy."""
    return np.random.randint(10_000_000) if seed is None else seed


def dropout(
    x: TensorLike, level: TensorLike, noise_shape: TensorLike | None = None, seed: int | None = None
) -> Any:
    """Sets a fraction `level` of the elements of `x` to 0 and scales up the rest."""
    return ops.dropout(x, rate=level, noise_shape=noise_shape, seed=_seed(seed))


def l2_normalize(x: TensorLike, axis: TensorLike | None = None) -> Any:
    """Scales vectors along `axis` to length 1."""
    return ops.l2_normalize(x, axis=axis)


def in_top_k(predictions: TensorLike, targets: TensorLike, k: int) -> Any:
    """Whether the target class is among the `k` largest predictions of its row."""
    return ops.in_top_k(predictions, targets, k)


def switch(condition: Any, then_expression: Any, else_expression: Any) -> Any:
    """Selects one of two tensors, or the result of one of two functions, by a condition.

    Args:
      condition: a scalar, or a tensor of at most their rank.
      then_expression, else_expression: tensors, or functions without arguments.

    Raises:
      ValueError: if the rank of the condition is higher than theirs.
    """
    if condition.dtype != "bool":
        condition = ops.cast(condition, "bool")
    rank = ndim(condition)
    if not rank:
        then, other = (
            expression if callable(expression) else (lambda expression=expression: expression)
            for expression in (then_expression, else_expression)
        )
        return ops.cond(condition, then, other)
    then = then_expression() if callable(then_expression) else then_expression
    other = else_expression() if callable(else_expression) else else_expression
    of_results = ndim(then) or 0
    if rank > of_results:
        raise ValueError(
            "Rank of `condition` should be less than or equal to rank of `then_expression` and "
            f"`else_expression`. ndim(condition)={rank}, ndim(then_expression)={of_results}"
        )
    if rank > 1:
        sizes = ops.concat([ops.shape(condition), [1] * (of_results - rank)], axis=0)
        condition = ops.reshape(condition, sizes)
        target_shape = ops.shape(then)
        counts = ops.where(target_shape - sizes > 0, target_shape, ops.ones_like(target_shape))
        condition = ops.tile(condition, counts)
    return ops.where(condition, then, other)


def in_train_phase(x: TensorLike, alt: TensorLike, training: TensorLike | None = None) -> Any:
    """Selects `x` in training, else `alt`.

    Args:
      x, alt: tensors, or functions without arguments.
      training: a bool or a scalar tensor, by default the learning phase.
    """
    training = learning_phase() if training is None else training
    if not is_tensor(training) and training in (0, 1):
        selected = x if training else alt
        return selected() if callable(selected) else selected
    return switch(training, x, alt)


def in_test_phase(x: TensorLike, alt: TensorLike, training: TensorLike | None = None) -> Any:
    """Selects `alt` in training, else `x`."""
    return in_train_phase(alt, x, training=training)


def random_normal(
    shape: TensorLike,
    mean: float = 0.0,
    stddev: float = 1.0,
    dtype: DTypeLike | None = None,
    seed: int | None = None,
) -> Any:
    """Normally distributed random numbers."""
    return ops.random_normal(shape, mean, stddev, dtype or floatx(), _seed(seed))


def random_uniform(
    shape: TensorLike,
    minval: float = 0.0,
    maxval: float = 1.0,
    dtype: DTypeLike | None = None,
    seed: int | None = None,
) -> Any:
    """Uniform random numbers between `minval` and `maxval`."""
    return ops.random_uniform(shape, minval, maxval, dtype or floatx(), _seed(seed))


def random_binomial(
    shape: TensorLike, p: float = 0.0, dtype: DTypeLike | None = None, seed: int | None = None
) -> Any:
    """Ones with probability `p`, else zeros."""
    element_type = dtype or floatx()
    drawn = ops.random_uniform(shape, dtype=element_type, seed=_seed(seed))
    return ops.where(drawn <= p, ops.ones(shape, element_type), ops.zeros(shape, element_type))


def truncated_normal(
    shape: TensorLike,
    mean: float = 0.0,
    stddev: float = 1.0,
    dtype: DTypeLike | None = None,
    seed: int | None = None,
) -> Any:
    """Normally distributed random numbers, truncated at two standard deviations."""
    return ops.truncated_normal(shape, mean, stddev, dtype or floatx(), _seed(seed))
