"""Dropout and random tensors under their Keras names."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.layers.activations import (
    elu,  # noqa: F401  re-exported
    hard_sigmoid,  # noqa: F401  re-exported
    relu,  # noqa: F401  re-exported
    tanh,  # noqa: F401  re-exported
)
from tfmini._src.nn.layers.backend.config import floatx
from tfmini._src.ops import ops


def _seed(seed: Any) -> Any:
    """Returns `seed`, or a seed drawn by NumPy if it is None."""
    return np.random.randint(10_000_000) if seed is None else seed


def dropout(
    x: TensorLike, level: TensorLike, noise_shape: TensorLike | None = None, seed: int | None = None
) -> Any:
    """Sets a fraction `level` of the elements of `x` to 0 and scales up the rest."""
    return ops.dropout(x, rate=level, noise_shape=noise_shape, seed=_seed(seed))


def random_normal(
    shape: TensorLike,
    mean: float = 0.0,
    stddev: float = 1.0,
    dtype: DTypeLike | None = None,
    seed: int | None = None,
) -> Any:
    """Returns normally distributed random numbers."""
    return ops.random_normal(shape, mean, stddev, dtype or floatx(), _seed(seed))


def random_uniform(
    shape: TensorLike,
    minval: float = 0.0,
    maxval: float = 1.0,
    dtype: DTypeLike | None = None,
    seed: int | None = None,
) -> Any:
    """Returns uniformly distributed random numbers between `minval` and `maxval`."""
    return ops.random_uniform(shape, minval, maxval, dtype or floatx(), _seed(seed))


def random_binomial(
    shape: TensorLike, p: float = 0.0, dtype: DTypeLike | None = None, seed: int | None = None
) -> Any:
    """Returns ones with probability `p`, else zeros."""
    element_type = dtype or floatx()
    uniforms = ops.random_uniform(shape, dtype=element_type, seed=_seed(seed))
    return ops.where(uniforms <= p, ops.ones(shape, element_type), ops.zeros(shape, element_type))


@arguments_of(random_normal)
def truncated_normal(shape: Any, mean: float, stddev: float, dtype: Any, seed: Any) -> Any:
    """Returns normally distributed random numbers, truncated at two standard deviations."""
    return ops.truncated_normal(shape, mean, stddev, dtype or floatx(), _seed(seed))
