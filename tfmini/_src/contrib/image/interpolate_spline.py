"""Polyharmonic splines, which interpolate between scattered points."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.shapes import dimension_value
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops

_EPSILON = 1e-10


def _radial_basis(squares: Tensor, order: int) -> Tensor:
    """Returns the polyharmonic radial basis function at a squared distance."""
    with name_scope("phi"):
        if order == 2:
            return 0.5 * squares * ops.log(ops.maximum(squares, _EPSILON))
        if order == 4:
            return 0.5 * ops.square(squares) * ops.log(ops.maximum(squares, _EPSILON))
        squares = ops.maximum(squares, _EPSILON)
        if order == 1:
            return ops.sqrt(squares)
        if order % 2 == 0:
            return 0.5 * ops.pow(squares, 0.5 * order) * ops.log(squares)
        return ops.pow(squares, 0.5 * order)


def _pairwise_squares(points: Tensor) -> Tensor:
    """Returns the squared distances between points [batch, n, d]: [batch, n, n]."""
    products = ops.matmul(points, points, adjoint_b=True)
    norms = ops.expand_dims(ops.matrix_diag_part(products), 2)
    return norms - 2 * products + ops.transpose(norms, [0, 2, 1])


def _cross_squares(points: Tensor, other_points: Tensor) -> Tensor:
    """Returns the squared distances from points [batch, n, d] to others [batch, m, d]: [batch, n, m]."""
    norms = ops.reduce_sum(ops.square(points), 2)
    other_norms = ops.reduce_sum(ops.square(other_points), 2)
    norms, other_norms = ops.expand_dims(norms, 2), ops.expand_dims(other_norms, 1)
    products = ops.matmul(points, other_points, adjoint_b=True)
    return norms - 2 * products + other_norms


def _with_ones(points: Tensor, dtype: Any) -> Tensor:
    return ops.concat([points, ops.ones_like(points[..., :1], dtype)], 2)


def _solve_weights(
    points: Tensor, values: Tensor, order: int, smoothness: float
) -> tuple[Tensor, Tensor]:
    """Returns the weights of the points and of the linear part: [batch, n, k] and [batch, d + 1, k]."""
    batch, count, _ = ops.unstack(ops.shape(points), num=3)
    width, depth = points.shape[-1], values.shape[-1]
    if dimension_value(width) is None:
        raise ValueError(
            "The dimensionality of the input points (d) must be statically-inferrable."
        )
    if dimension_value(depth) is None:
        raise ValueError(
            "The dimensionality of the output values (k) must be statically-inferrable."
        )
    with name_scope("construct_linear_system"):
        nearness = _radial_basis(_pairwise_squares(points), order)
        if smoothness > 0:
            nearness += smoothness * ops.expand_dims(ops.eye(count, dtype=points.dtype), 0)
        linear = _with_ones(points, points.dtype)
        left = ops.concat([nearness, ops.transpose(linear, [0, 2, 1])], 1)
        linear_size = linear.shape[2]
        right = ops.concat([linear, ops.zeros([batch, linear_size, linear_size], points.dtype)], 1)
        system = ops.concat([left, right], 2)
        zeros = ops.zeros([batch, width + 1, depth], points.dtype)
        expected = ops.concat([values, zeros], 1)
    with name_scope("solve_linear_system"):
        solution = ops.matrix_solve(system, expected)
        return solution[:, :count, :], solution[:, count:, :]


def interpolate_spline(
    train_points: TensorLike,
    train_values: TensorLike,
    query_points: TensorLike,
    order: int,
    regularization_weight: float = 0.0,
    name: str = "interpolate_spline",
) -> Tensor:
    """Returns the values at query points, interpolated by a polyharmonic spline; differentiable in all arguments.

    Args:
      train_points: [batch, n, d] floats: points with known values; d must be static.
      train_values: [batch, n, k] floats: their values; k must be static.
      query_points: [batch, m, d] floats: points at which to interpolate.
      order: order of the basis function: 1 for r, 2 for r ** 2 * log(r) (thin plate), 3 for r ** 3 ...
      regularization_weight: smoothing weight; at 0, the spline passes through the values.

    Returns:
      [batch, m, k] floats.

    Raises:
      ValueError: if d or k is statically unknown.

    Example:
      values = tf.contrib.image.interpolate_spline(points, heights, queries, order=2)
    """
    with name_scope(name):
        points = ops.convert_to_tensor(train_points)
        values = ops.convert_to_tensor(train_values)
        queries = ops.convert_to_tensor(query_points)
        with name_scope("solve"):
            weights, linear = _solve_weights(points, values, order, regularization_weight)
        with name_scope("predict"):
            nearness = _radial_basis(_cross_squares(queries, points), order)
            spline_values = ops.matmul(nearness, weights)
            return spline_values + ops.matmul(_with_ones(queries, points.dtype), linear)
