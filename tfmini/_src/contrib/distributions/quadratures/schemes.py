"""Quadrature points and weights of a log-normal distribution, or of the softmax of a normal one."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.shapes import TensorShape, dimension_value
from tfmini._src.contrib.distributions.bijectors.power_transform import Exp
from tfmini._src.contrib.distributions.bijectors.softmax_centered import SoftmaxCentered
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.contrib.distributions.padding import pad_axis
from tfmini._src.contrib.distributions.transformed.transformed_distribution import (
    TransformedDistribution,
)
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.normal import Normal


@moved
def quadrature_scheme_lognormal_gauss_hermite(
    loc: Any, scale: Any, quadrature_size: int, validate_args: bool = False, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """Returns Gauss-Hermite points and weights for a log-normal variable.

    Args:
      loc: the mean of the logarithm, [...] float tensor.
      scale: its standard deviation, of the same shape and dtype.
      quadrature_size: number of quadrature points, an int.
      validate_args: unused.

    Returns:
      grid: [..., quadrature_size] tensor of points.
      probs: [quadrature_size] tensor of weights that sum to 1.
    """
    with name_scope(name, "vector_diffeomixture_quadrature_gauss_hermite", [loc, scale]):
        points, probs = _gauss_hermite(quadrature_size, loc.dtype)
        grid = loc[..., None] + np.sqrt(2.0) * scale[..., None] * points
        return grid, probs


@moved
@arguments_of(quadrature_scheme_lognormal_gauss_hermite)
def quadrature_scheme_lognormal_quantiles(
    loc: Any, scale: Any, quadrature_size: int, validate_args: bool, name: str | None
) -> tuple[Tensor, Tensor]:
    """Returns midpoints between adjacent quantiles of a log-normal distribution, with equal weights.

    Args and returns: as in `quadrature_scheme_lognormal_gauss_hermite`.
    """
    with name_scope(name, "quadrature_scheme_lognormal_quantiles", [loc, scale]):
        distribution = TransformedDistribution(
            distribution=Normal(loc=loc, scale=scale), bijector=Exp(), validate_args=validate_args
        )
        rank = _batch_rank(distribution)
        edges = _edges(quadrature_size, rank, distribution.dtype)
        quantiles = _points_last(distribution.quantile(edges), rank)
        shape = distribution.batch_shape.concatenate([quadrature_size])
        return _middles(quantiles, shape, quadrature_size, distribution.dtype)


@moved
def quadrature_scheme_softmaxnormal_gauss_hermite(
    normal_loc: TensorLike,
    normal_scale: TensorLike,
    quadrature_size: int,
    validate_args: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Returns Gauss-Hermite points and weights for the softmax of a normal variable and 0.

    Args:
      normal_loc: the mean of the normal variable, [..., 1] float tensor.
      normal_scale: its standard deviation, of the same shape and dtype.
      quadrature_size: number of quadrature points, an int.
      validate_args: whether to check shapes at run time.

    Returns:
      grid: [..., 2, quadrature_size] tensor of probabilities.
      probs: [quadrature_size] tensor of weights that sum to 1.

    Raises:
      ValueError: if a parameter is a scalar.
      NotImplementedError: if its last axis does not have size 1.
    """
    scope = "quadrature_scheme_softmaxnormal_gauss_hermite"
    with name_scope(name, scope, [normal_loc, normal_scale]):
        normal_loc, normal_scale = _parameters(normal_loc, normal_scale, validate_args)
        points, probs = _gauss_hermite(quadrature_size, normal_loc.dtype.base_dtype)
        locations = normal_loc[..., None] + np.sqrt(2.0) * normal_scale[..., None] * points
        return _softmax(-pad_axis(locations, axis=-2, pads_front=True), axis=-2), probs


@moved
@arguments_of(quadrature_scheme_softmaxnormal_gauss_hermite)
def quadrature_scheme_softmaxnormal_quantiles(
    normal_loc: Any, normal_scale: Any, quadrature_size: int, validate_args: bool, name: str | None
) -> tuple[Tensor, Tensor]:
    """Returns midpoints between adjacent quantiles of the softmax of a normal variable and 0, with equal weights.

    Args, returns and raises: as in `quadrature_scheme_softmaxnormal_gauss_hermite`.
    """
    with name_scope(name, "softmax_normal_grid_and_probs", [normal_loc, normal_scale]):
        normal_loc, normal_scale = _parameters(normal_loc, normal_scale, validate_args)
        distribution = Normal(loc=normal_loc, scale=normal_scale)
        rank = _batch_rank(distribution)
        edges = _edges(quadrature_size, rank, distribution.dtype)
        quantiles = SoftmaxCentered().forward(distribution.quantile(edges))
        quantiles = _points_last(quantiles, rank)
        batch = distribution.batch_shape.with_rank_at_least(1)
        size = dimension_value(batch[-1])
        before = batch[:-1].concatenate([None if size is None else size + 1])
        quantiles.set_shape(before.concatenate([quadrature_size + 1]))
        shape = before.concatenate([quadrature_size])
        return _middles(quantiles, shape, quadrature_size, distribution.dtype)


def _gauss_hermite(size: int, dtype: Any) -> tuple[np.ndarray, Tensor]:
    points, weights = np.polynomial.hermite.hermgauss(deg=size)
    points = points.astype(dtype.as_numpy_dtype)
    weights = weights.astype(dtype.as_numpy_dtype)
    weights /= np.linalg.norm(weights, ord=1, axis=0, keepdims=True)
    return points, convert_to_tensor(weights, name="probs", dtype=dtype)


def _batch_rank(distribution: Any) -> Any:
    rank = distribution.batch_shape.ndims
    return ops.shape(distribution.batch_shape_tensor())[0] if rank is None else rank


def _edges(size: int, rank: Any, dtype: Any) -> Tensor:
    """Returns the quantile boundaries of the points, [size + 1, 1 ... 1]."""
    edges = ops.linspace(ops.zeros([], dtype=dtype), 1.0, size + 3)[1:-1]
    ones = ops.ones([rank], dtype=dtypes.int32)
    return ops.reshape(edges, shape=ops.concat([[-1], ones], axis=0))


def _points_last(quantiles: Tensor, rank: Any) -> Tensor:
    return ops.transpose(quantiles, ops.concat([ops.range(1, 1 + rank), [0]], axis=0))


def _middles(quantiles: Tensor, shape: TensorShape, size: int, dtype: Any) -> tuple[Tensor, Tensor]:
    grid = (quantiles[..., :-1] + quantiles[..., 1:]) / 2.0
    grid.set_shape(shape)
    return grid, ops.fill(dims=[size], value=1.0 / ops.cast(size, dtype))


def _parameters(loc: Any, scale: Any, validate_args: bool) -> tuple[Tensor, Tensor]:
    loc = convert_to_tensor(loc, name="normal_loc")
    scale = convert_to_tensor(scale, dtype=loc.dtype.base_dtype, name="normal_scale")
    with name_scope("check_normal_scale", values=[scale]):
        rank = scale.shape.ndims
        checks = []
        message = "Mixing params must be a (batch of) vector; normal_scale.rank"
        if rank == 0:
            raise ValueError(f"{message}={rank} is not at least one.")
        if rank is None and validate_args:
            message = f"{message} is not at least one."
            checks.append(ops.assert_rank_at_least(scale, 1, message=message))
        scale.shape.with_rank_at_least(1)
        size = None if rank is None else dimension_value(scale.shape[-1])
        if size != 1:
            raise NotImplementedError(
                f"Currently only bimixtures are supported; normal_scale.shape[-1]={size} is not 1."
            )
        return loc, ops.with_dependencies(checks, scale) if checks else scale


def _softmax(x: Tensor, axis: int) -> Tensor:
    with name_scope(None, "softmax", [x, axis]):
        rank = ops.rank(x, name="ndims") if x.shape.ndims is None else x.shape.ndims
        where = get_static_value(convert_to_tensor(axis, dtype=dtypes.int32, name="axis"))
        where = rank + where if where < 0 else where
    return ops.softmax(x, axis=int(where))
