"""Multivariate normal distributions, parameterized by a square root of the covariance."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import dimension_value
from tfmini._src.contrib.distributions.bijectors.affine_linear_operator import AffineLinearOperator
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.contrib.distributions.scales import (
    DIAGONAL,
    batch_and_event_shapes,
    diagonal_scale,
    tensor_or_none,
)
from tfmini._src.contrib.distributions.transformed.transformed_distribution import (
    TransformedDistribution,
)
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.kullback_leibler import register_kl
from tfmini._src.probability.distributions.normal import Normal
from tfmini._src.probability.linear_operators.explicit_matrices import (
    LinearOperatorLowerTriangular,
)
from tfmini._src.probability.linear_operators.identity import LinearOperatorIdentity
from tfmini._src.probability.linear_operators.linear_operator import LinearOperator
from tfmini._src.probability.linear_operators.low_rank_update import LinearOperatorLowRankUpdate


class MultivariateNormalLinearOperator(TransformedDistribution):
    """Distribution of scale @ x + loc for a vector x of k standard normals.

    Args:
      loc: the mean, [..., k] float tensor; None for 0.
      scale: a LinearOperator of [..., k, k] matrices; the covariance is `scale @ scale^T`.
      validate_args, allow_nan_stats: as in `MultivariateNormalDiag`.

    Raises:
      ValueError: if `scale` is missing or differs in size from `loc`.
      TypeError: if `scale` is not float.
    """

    loc: Tensor | None = read_only("The mean; None for 0.", "bijector.shift")
    scale: LinearOperator = read_only(
        "The operator applied to standard normal variables.", "bijector.scale"
    )

    @moved
    def __init__(
        self,
        loc: Any = None,
        scale: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalLinearOperator",
    ):
        parameters = dict(locals())
        if scale is None:
            raise ValueError("Missing required `scale` parameter.")
        if not scale.dtype.is_floating:
            raise TypeError("`scale` parameter must have floating-point dtype.")
        with name_scope(name, values=[loc, *scale.graph_parents]) as name:
            loc = tensor_or_none(loc, "loc")
            batch_shape, event_shape = batch_and_event_shapes(loc, scale)
        super().__init__(
            distribution=Normal(
                loc=ops.zeros([], dtype=scale.dtype), scale=ops.ones([], dtype=scale.dtype)
            ),
            bijector=AffineLinearOperator(shift=loc, scale=scale, validate_args=validate_args),
            batch_shape=batch_shape,
            event_shape=event_shape,
            validate_args=validate_args,
            name=name,
        )
        self._parameters = parameters

    def _mean(self) -> Tensor:
        shape: Any = self.batch_shape.concatenate(self.event_shape)
        is_static = shape.is_fully_defined()
        if not is_static:
            shape = ops.concat([self.batch_shape_tensor(), self.event_shape_tensor()], 0)
        if self.loc is None:
            return ops.zeros(shape, self.dtype)
        if is_static and shape == self.loc.get_shape():
            return ops.identity(self.loc)
        return ops.identity(self.loc) + ops.zeros(shape, self.dtype)

    def _mode(self) -> Tensor:
        return self._mean()

    def _covariance(self) -> Tensor:
        if isinstance(self.scale, DIAGONAL):
            return ops.matrix_diag(ops.square(self.scale.diag_part()))
        return self._product()

    def _variance(self) -> Tensor:
        if isinstance(self.scale, DIAGONAL):
            return ops.square(self.scale.diag_part())
        return ops.matrix_diag_part(self._square())

    def _stddev(self) -> Tensor:
        if isinstance(self.scale, DIAGONAL):
            return ops.abs(self.scale.diag_part())
        return ops.sqrt(ops.matrix_diag_part(self._square()))

    def _product(self) -> Tensor:
        """Returns scale @ scale^T."""
        return self.scale.matmul(self.scale.to_dense(), adjoint_arg=True)

    def _square(self) -> Tensor:
        """Returns scale @ scale^T, without the transpose if the scale is a symmetric low-rank update."""
        if isinstance(self.scale, LinearOperatorLowRankUpdate) and self.scale.is_self_adjoint:
            return self.scale.matmul(self.scale.to_dense())
        return self._product()


@register_kl(MultivariateNormalLinearOperator, MultivariateNormalLinearOperator)
@moved
def _kl(a: Any, b: Any, name: str | None = None) -> Tensor:
    """Returns log|B| - log|A| + (|B^-1 A|^2 + |B^-1 (mb - ma)|^2 - k) / 2, for covariances A A^T and B B^T."""
    values = [a.loc, b.loc, *a.scale.graph_parents, *b.scale.graph_parents]
    with name_scope(name, "kl_mvn", values=values):
        if isinstance(a.scale, DIAGONAL) and isinstance(b.scale, DIAGONAL):
            ratio = (a.stddev() / b.stddev())[..., None]
        else:
            ratio = b.scale.solve(a.scale.to_dense())
        log_ratio = b.scale.log_abs_determinant() - a.scale.log_abs_determinant()
        squares = -ops.cast(a.scale.domain_dimension_tensor(), a.dtype) + _square_sum(ratio)
        distance = _square_sum(b.scale.solve((b.mean() - a.mean())[..., None]))
        divergence = log_ratio + 0.5 * (squares + distance)
        divergence.set_shape(ops.broadcast_static_shape(a.batch_shape, b.batch_shape))
        return divergence


def _square_sum(x: Tensor) -> Tensor:
    return ops.reduce_sum(ops.square(x), axis=[-2, -1])


class MultivariateNormalDiag(MultivariateNormalLinearOperator):
    """The multivariate normal distribution with independent elements.

    Args:
      loc: the mean, [..., k] float tensor; None for 0.
      scale_diag: the standard deviations, [..., k] float tensor.
      scale_identity_multiplier: [...] float tensor, added to `scale_diag`; 1 if both are None.
      validate_args: whether to check arguments at run time.
      allow_nan_stats: whether undefined statistics are NaN instead of an error.

    Raises:
      ValueError: if no argument determines k.

    Example: `tf.contrib.distributions.MultivariateNormalDiag([1.0, -1.0], [1.0, 2.0]).sample(10)`.
    """

    @moved
    def __init__(
        self,
        loc: TensorLike | None = None,
        scale_diag: TensorLike | None = None,
        scale_identity_multiplier: TensorLike | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalDiag",
    ):
        parameters = dict(locals())
        values = [loc, scale_diag, scale_identity_multiplier]
        with name_scope(name) as name, name_scope("init", values=values):
            scale = diagonal_scale(loc, scale_diag, scale_identity_multiplier)
        super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._parameters = parameters


class MultivariateNormalDiagWithSoftplusScale(MultivariateNormalDiag):
    """Diagonal normal with transformed scale: `MultivariateNormalDiag(loc, softplus(scale_diag))`."""

    @moved
    def __init__(
        self,
        loc: TensorLike,
        scale_diag: TensorLike,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalDiagWithSoftplusScale",
    ):
        parameters = dict(locals())
        with name_scope(name, values=[scale_diag]) as name:
            super().__init__(
                loc=loc,
                scale_diag=ops.softplus(scale_diag),
                validate_args=validate_args,
                allow_nan_stats=allow_nan_stats,
                name=name,
            )
        self._parameters = parameters


class MultivariateNormalTriL(MultivariateNormalLinearOperator):
    """The multivariate normal distribution, parameterized by the Cholesky factor of its covariance.

    Args:
      loc: the mean, [..., k] float tensor; None for 0.
      scale_tril: [..., k, k] float tensor, whose lower triangle is read; None for the identity.
      validate_args, allow_nan_stats: as in `MultivariateNormalDiag`.

    Raises:
      ValueError: if `loc` and `scale_tril` are both None.
    """

    @moved
    def __init__(
        self,
        loc: Any = None,
        scale_tril: TensorLike | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalTriL",
    ):
        parameters = dict(locals())
        if loc is None and scale_tril is None:
            raise ValueError("Must specify one or both of `loc`, `scale_tril`.")
        with name_scope(name) as name, name_scope("init", values=[loc, scale_tril]):
            loc = tensor_or_none(loc, "loc")
            scale_tril = tensor_or_none(scale_tril, "scale_tril")
            scale: LinearOperator
            if scale_tril is None:
                size = dimension_value(loc.shape.with_rank_at_least(1)[-1])
                scale = LinearOperatorIdentity(
                    num_rows=ops.shape(loc)[-1] if size is None else size,
                    dtype=loc.dtype,
                    is_self_adjoint=True,
                    is_positive_definite=True,
                    assert_proper_shapes=validate_args,
                )
            else:
                scale = LinearOperatorLowerTriangular(
                    scale_tril,
                    is_non_singular=True,
                    is_self_adjoint=False,
                    is_positive_definite=False,
                )
        super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._parameters = parameters


class MultivariateNormalFullCovariance(MultivariateNormalTriL):
    """The multivariate normal distribution, parameterized by its covariance matrix.

    Args:
      loc: the mean, [..., k] float tensor; None for 0.
      covariance_matrix: [..., k, k] float tensor of positive definite matrices; None for the identity.
      validate_args: whether to check arguments at run time, including the matrix's symmetry.
      allow_nan_stats: whether undefined statistics are NaN instead of an error.

    Raises:
      ValueError: if `loc` and `covariance_matrix` are both None.
    """

    @moved
    def __init__(
        self,
        loc: TensorLike | None = None,
        covariance_matrix: TensorLike | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalFullCovariance",
    ):
        parameters = dict(locals())
        with name_scope(name) as name, name_scope("init", values=[loc, covariance_matrix]):
            scale_tril = None
            if covariance_matrix is not None:
                covariance_matrix = convert_to_tensor(covariance_matrix, name="covariance_matrix")
                if validate_args:
                    transpose = ops.matrix_transpose(covariance_matrix)
                    message = "Matrix was not symmetric"
                    check = ops.assert_near(covariance_matrix, transpose, message=message)
                    covariance_matrix = ops.with_dependencies([check], covariance_matrix)
                scale_tril = ops.cholesky(covariance_matrix)
            super().__init__(loc, scale_tril, validate_args, allow_nan_stats, name)
        self._parameters = parameters
