"""Distributions of vectors of independent exponential or Laplace variables, scaled and shifted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.distributions.bijectors.affine_linear_operator import AffineLinearOperator
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.contrib.distributions.scales import (
    batch_and_event_shapes,
    diagonal_scale,
    tensor_or_none,
)
from tfmini._src.contrib.distributions.transformed.transformed_distribution import (
    TransformedDistribution,
)
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.distribution import Distribution
from tfmini._src.probability.distributions.exponential import Exponential
from tfmini._src.probability.distributions.laplace import Laplace
from tfmini._src.probability.linear_operators.linear_operator import LinearOperator


class _ScaledVector(TransformedDistribution):
    """Base class of distributions of scale @ x + loc for a vector x of k independent variables."""

    loc: Tensor | None = read_only("The shift; None for 0.", "bijector.shift")
    scale: LinearOperator = read_only("The diagonal operator.", "bijector.scale")

    def _transform(
        self,
        make_base: Callable[[], Distribution],
        loc: Any,
        scale: Any,
        validate_args: bool,
        name: str,
    ) -> None:
        batch_shape, event_shape = batch_and_event_shapes(loc, scale)
        super().__init__(
            distribution=make_base(),
            bijector=AffineLinearOperator(shift=loc, scale=scale, validate_args=validate_args),
            batch_shape=batch_shape,
            event_shape=event_shape,
            validate_args=validate_args,
            name=name,
        )

    def _full_shape(self) -> Any:
        shape = self.batch_shape.concatenate(self.event_shape)
        if shape.is_fully_defined():
            return shape
        return ops.concat([self.batch_shape_tensor(), self.event_shape_tensor()], 0)


def _check_floating(scale: LinearOperator) -> LinearOperator:
    if not scale.dtype.is_floating:
        raise TypeError("`scale` parameter must have floating-point dtype.")
    return scale


class VectorExponentialDiag(_ScaledVector):
    """Distribution of vectors of independent exponential variables, scaled and shifted.

    Args:
      loc: the lower bound where scales are positive, [..., k] float tensor; None for 0.
      scale_diag: the scales, [..., k] float tensor.
      scale_identity_multiplier: [...] float tensor, added to `scale_diag`; 1 if both are None.
      validate_args, allow_nan_stats: as in `tf.distributions.Distribution`.

    Raises:
      ValueError: if no argument determines k.
      TypeError: if the scale has an integer dtype.
    """

    @moved
    def __init__(
        self,
        loc: TensorLike | None = None,
        scale_diag: TensorLike | None = None,
        scale_identity_multiplier: TensorLike | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "VectorExponentialDiag",
    ):
        parameters = dict(locals())
        values = [loc, scale_diag, scale_identity_multiplier]
        with name_scope(name) as name, name_scope("init", values=values):
            scale = _check_floating(diagonal_scale(loc, scale_diag, scale_identity_multiplier))
        with name_scope(name, values=[loc, *scale.graph_parents]) as name:
            loc = tensor_or_none(loc, "loc")
            self._transform(
                lambda: Exponential(ops.ones([], scale.dtype), allow_nan_stats=allow_nan_stats),
                loc,
                scale,
                validate_args,
                name,
            )
        self._parameters = parameters

    def _scale_and_shift(self, x: Tensor) -> Tensor:
        x = self.scale.matvec(x)
        return x if self.loc is None else ops.identity(self.loc) + x

    def _mean(self) -> Tensor:
        return self._scale_and_shift(ops.ones(self._full_shape(), self.dtype))

    def _mode(self) -> Tensor:
        return self._scale_and_shift(ops.zeros(self._full_shape(), self.dtype))

    def _covariance(self) -> Tensor:
        return ops.matrix_diag(ops.square(self.scale.diag_part()))

    def _variance(self) -> Tensor:
        return ops.square(self.scale.diag_part())

    def _stddev(self) -> Tensor:
        return ops.abs(self.scale.diag_part())


class VectorLaplaceDiag(_ScaledVector):
    """Distribution of vectors of independent Laplace variables, scaled and shifted.

    Args:
      loc: the mean, [..., k] float tensor; None for 0.
      scale_diag: the scales, [..., k] float tensor: standard deviations divided by sqrt(2).
      scale_identity_multiplier: [...] float tensor, added to `scale_diag`; 1 if both are None.
      validate_args, allow_nan_stats: as in `tf.distributions.Distribution`.

    Raises:
      ValueError: if no argument determines k.
      TypeError: if the scale has an integer dtype.
    """

    @moved
    def __init__(
        self,
        loc: TensorLike | None = None,
        scale_diag: TensorLike | None = None,
        scale_identity_multiplier: TensorLike | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "VectorLaplaceDiag",
    ):
        parameters = dict(locals())
        values = [loc, scale_diag, scale_identity_multiplier]
        with name_scope(name), name_scope("init", values=values):
            scale = _check_floating(diagonal_scale(loc, scale_diag, scale_identity_multiplier))
        with name_scope(name, values=[loc, *scale.graph_parents]):
            loc = tensor_or_none(loc, "loc")
            dtype = scale.dtype
            self._transform(
                lambda: Laplace(ops.zeros([], dtype), ops.ones([], dtype)),
                loc,
                scale,
                validate_args,
                name,
            )
        self._parameters = parameters

    def _mean(self) -> Tensor:
        shape = self._full_shape()
        if self.loc is None:
            return ops.zeros(shape, self.dtype)
        if not isinstance(shape, Tensor) and shape == self.loc.get_shape():
            return ops.identity(self.loc)
        return ops.identity(self.loc) + ops.zeros(shape, self.dtype)

    def _mode(self) -> Tensor:
        return self._mean()

    def _covariance(self) -> Tensor:
        return 2.0 * ops.matrix_diag(ops.square(self.scale.diag_part()))

    def _variance(self) -> Tensor:
        return 2.0 * ops.square(self.scale.diag_part())

    def _stddev(self) -> Tensor:
        return np.sqrt(2) * ops.abs(self.scale.diag_part())
