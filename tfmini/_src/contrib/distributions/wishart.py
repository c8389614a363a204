"""Wishart distributions of positive definite matrices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.distribution import Distribution
from tfmini._src.probability.distributions.parameters import new_seed
from tfmini._src.probability.distributions.reparameterization import FULLY_REPARAMETERIZED
from tfmini._src.probability.linear_operators.explicit_matrices import (
    LinearOperatorLowerTriangular,
)
from tfmini._src.probability.linear_operators.linear_operator import LinearOperator


class _Wishart(Distribution):
    """Distribution of the sum of x x^T over df normal vectors x, parameterized by its scale's Cholesky factor."""

    df: Tensor = read_only("The degrees of freedom.")
    scale_operator: LinearOperator = read_only("The triangular root of the scale.")
    cholesky_input_output_matrices: bool = read_only(
        "Whether samples and arguments are Cholesky factors."
    )
    dimension: Tensor = read_only("The size of the matrices, a scalar of the distribution's dtype.")

    def _set_up(
        self,
        df: Any,
        scale_tril: Tensor,
        cholesky: bool,
        validate_args: bool,
        allow_nan_stats: bool,
        name: str,
        parameters: dict[str, Any],
    ) -> None:
        scale = LinearOperatorLowerTriangular(
            tril=scale_tril, is_non_singular=True, is_positive_definite=True, is_square=True
        )
        self._cholesky_input_output_matrices = cholesky
        self._scale_operator = scale
        with name_scope(name) as name, name_scope("init", values=[df, scale]):
            if not scale.dtype.is_floating:
                raise TypeError(f"scale_operator.dtype={scale.dtype} is not a floating-point type")
            self._df = convert_to_tensor(df, dtype=scale.dtype, name="df")
            dims = scale.shape.dims
            size: Any = None if dims is None else dims[-1].value
            if size is None:
                size = scale.domain_dimension_tensor()
                self._dimension = ops.cast(size, dtype=scale.dtype, name="dimension")
            else:
                self._dimension = convert_to_tensor(size, dtype=scale.dtype, name="dimension")
            self._check_df(validate_args)
        super().__init__(
            dtype=scale.dtype,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            reparameterization_type=FULLY_REPARAMETERIZED,
            parameters=parameters,
            graph_parents=[self._df, self._dimension, *scale.graph_parents],
            name=name,
        )

    def _check_df(self, validate_args: bool) -> None:
        df, dimension = get_static_value(self._df), get_static_value(self._dimension)
        message = (
            "Degrees of freedom (df = {}) cannot be less than dimension of scale matrix "
            "(scale.dimension = {})"
        )
        if df is not None and dimension is not None:
            dfs = df if np.shape(df) else [df]
            if np.any(np.asarray(df) < dimension):
                raise ValueError(message.format(dfs, dimension))
        elif validate_args:
            text = message.format(self._dimension, self._df)
            check = ops.assert_less_equal(self._dimension, self._df, message=text)
            self._df = ops.with_dependencies([check], self._df)

    def _square(self) -> Tensor:
        return self.scale_operator.matmul(self.scale_operator.to_dense(), adjoint_arg=True)

    def scale(self) -> Tensor:
        """Returns the scale matrices, or their Cholesky factors if samples are Cholesky factors."""
        if self.cholesky_input_output_matrices:
            return self.scale_operator.to_dense()
        return self._square()

    def _event_shape_tensor(self) -> Tensor:
        dimension = self.scale_operator.domain_dimension_tensor()
        return ops.stack([dimension, dimension])

    def _event_shape(self) -> TensorShape:
        dimension = self.scale_operator.domain_dimension
        return TensorShape([dimension, dimension])

    def _batch_shape_tensor(self) -> Tensor:
        return self.scale_operator.batch_shape_tensor()

    def _batch_shape(self) -> TensorShape:
        return self.scale_operator.batch_shape

    def _sample_n(self, n: Any, seed: Any = None) -> Tensor:
        """Draws samples by Bartlett decomposition, with normals below the diagonal and roots of gammas on it."""
        batch_shape, event_shape = self.batch_shape_tensor(), self.event_shape_tensor()
        rank = ops.shape(batch_shape)[0] + 3
        shape = ops.concat([[n], batch_shape, event_shape], 0)
        x = ops.random_normal(shape=shape, mean=0.0, stddev=1.0, dtype=self.dtype, seed=seed)
        ones = ops.ones(self.scale_operator.batch_shape_tensor(), dtype=self.df.dtype.base_dtype)
        df = self.df * ones
        gamma = ops.random_gamma(
            shape=[n],
            alpha=self._multi_gamma_sequence(0.5 * df, self.dimension),
            beta=0.5,
            dtype=self.dtype,
            seed=new_seed(seed, "wishart"),
        )
        x = ops.matrix_band_part(x, -1, 0)
        x = ops.matrix_set_diag(x, ops.sqrt(gamma))
        # Samples side by side, for a single product.
        x = ops.transpose(x, ops.concat([ops.range(1, rank), [0]], 0))
        x = ops.reshape(x, ops.concat([batch_shape, [event_shape[0]], [-1]], 0))
        x = self.scale_operator.matmul(x)
        x = ops.reshape(x, ops.concat([batch_shape, event_shape, [n]], 0))
        x = ops.transpose(x, ops.concat([[rank - 1], ops.range(0, rank - 1)], 0))
        if not self.cholesky_input_output_matrices:
            x = ops.matmul(x, x, adjoint_b=True)
        return x

    def _log_prob(self, x: Tensor) -> Tensor:
        root = x if self.cholesky_input_output_matrices else ops.cholesky(x)
        log_det, trace = self._log_det_and_trace(root)
        degrees = self.df - self.dimension - 1.0
        log_prob = degrees * log_det - 0.5 * trace - self.log_normalization()
        if x.get_shape().ndims is not None:
            log_prob.set_shape(x.get_shape()[:-2])
        return log_prob

    def _log_det_and_trace(self, root: Tensor) -> tuple[Tensor, Tensor]:
        """Returns log |x| / 2 and the trace of scale^-1 x, from the Cholesky factor of x."""
        batch_shape, event_shape = self.batch_shape_tensor(), self.event_shape_tensor()
        rank = ops.rank(root)
        count = rank - ops.shape(batch_shape)[0] - 2
        sample_shape = ops.strided_slice(ops.shape(root), [0], [count])
        y = ops.transpose(root, ops.concat([ops.range(count, rank), ops.range(0, count)], 0))
        sizes = (batch_shape, (ops.cast(self.dimension, dtype=dtypes.int32), -1))
        y = self.scale_operator.solve(ops.reshape(y, ops.concat(sizes, 0)))
        y = ops.reshape(y, ops.concat([batch_shape, event_shape, sample_shape], 0))
        order = [ops.range(rank - count, rank), ops.range(0, rank - count)]
        y = ops.transpose(y, ops.concat(order, 0))
        trace = ops.reduce_sum(ops.square(y), axis=[-2, -1])
        return ops.reduce_sum(ops.log(ops.matrix_diag_part(root)), axis=[-1]), trace

    def _prob(self, x: Tensor) -> Tensor:
        return ops.exp(self._log_prob(x))

    def _entropy(self) -> Tensor:
        half = 0.5 * self.dimension + 0.5
        half_df = 0.5 * self.df
        return (
            self.dimension * (half_df + half * math.log(2.0))
            + 2 * half * self.scale_operator.log_abs_determinant()
            + self._multi_lgamma(half_df, self.dimension)
            + (half - half_df) * self._multi_digamma(half_df, self.dimension)
        )

    def _mean(self) -> Tensor:
        if self.cholesky_input_output_matrices:
            return ops.sqrt(self.df) * self.scale_operator.to_dense()
        return self.df * self._square()

    def _variance(self) -> Tensor:
        x = ops.sqrt(self.df) * self._square()
        diagonal = ops.expand_dims(ops.matrix_diag_part(x), -1)
        variance = ops.square(x) + ops.matmul(diagonal, diagonal, adjoint_b=True)
        return ops.cholesky(variance) if self.cholesky_input_output_matrices else variance

    def _stddev(self) -> Tensor:
        if self.cholesky_input_output_matrices:
            raise ValueError(
                "Computing std. dev. when is cholesky_input_output_matrices=True does not make "
                "sense."
            )
        return ops.cholesky(self.variance())

    def _mode(self) -> Tensor:
        s = self.df - self.dimension - 1.0
        s = ops.where_v2(
            ops.less(s, 0.0), ops.constant(float("NaN"), dtype=self.dtype, name="nan"), s
        )
        if self.cholesky_input_output_matrices:
            return ops.sqrt(s) * self.scale_operator.to_dense()
        return s * self._square()

    def mean_log_det(self, name: str = "mean_log_det") -> Tensor:
        """Returns the mean of log |x|."""
        with self._name_scope(name):
            return (
                self._multi_digamma(0.5 * self.df, self.dimension)
                + self.dimension * math.log(2.0)
                + 2 * self.scale_operator.log_abs_determinant()
            )

    def log_normalization(self, name: str = "log_normalization") -> Tensor:
        """Returns the logarithm of the density's normalization constant."""
        with self._name_scope(name):
            return (
                self.df * self.scale_operator.log_abs_determinant()
                + 0.5 * self.df * self.dimension * math.log(2.0)
                + self._multi_lgamma(0.5 * self.df, self.dimension)
            )

    def _multi_gamma_sequence(self, a: Any, p: Any) -> Tensor:
        """Returns a, a - 1/2, ... a - (p - 1) / 2 along a new last axis."""
        with self._name_scope("multi_gamma_sequence", values=[a, p]):
            zero = ops.constant(0.0, dtype=self.dtype)
            steps = ops.linspace(zero, 0.5 - 0.5 * p, ops.cast(p, dtypes.int32))
            return steps + ops.expand_dims(a, [-1])

    def _multi_lgamma(self, a: Any, p: Any) -> Tensor:
        with self._name_scope("multi_lgamma", values=[a, p]):
            sequence = self._multi_gamma_sequence(a, p)
            constant = 0.25 * p * (p - 1.0) * math.log(math.pi)
            return constant + ops.reduce_sum(ops.lgamma(sequence), axis=[-1])

    def _multi_digamma(self, a: Any, p: Any) -> Tensor:
        with self._name_scope("multi_digamma", values=[a, p]):
            sequence = self._multi_gamma_sequence(a, p)
            return ops.reduce_sum(ops.digamma(sequence), axis=[-1])


class WishartCholesky(_Wishart):
    """The Wishart distribution, parameterized by the Cholesky factor of its scale.

    Args:
      df: the degrees of freedom, a float tensor of values not below k.
      scale: the Cholesky factors, [..., k, k] float tensor.
      cholesky_input_output_matrices: whether samples and arguments are Cholesky factors too.
      validate_args, allow_nan_stats: as in `tf.distributions.Distribution`.

    Raises:
      ValueError: if `df` is statically known to be below k.
    """

    @moved
    def __init__(
        self,
        df: Any,
        scale: Any,
        cholesky_input_output_matrices: bool = False,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "WishartCholesky",
    ):
        parameters = dict(locals())
        with name_scope(name, values=[scale]) as name:
            with name_scope("init", values=[scale]):
                scale = convert_to_tensor(scale)
                if validate_args:
                    message = "scale must be positive definite"
                    checks = [ops.assert_positive(ops.matrix_diag_part(scale), message=message)]
                    rows, columns = ops.shape(scale)[-1], ops.shape(scale)[-2]
                    message = "scale must be square"
                    checks.append(ops.assert_equal(rows, columns, message=message))
                    scale = ops.with_dependencies(checks, scale)
            options = (cholesky_input_output_matrices, validate_args, allow_nan_stats, name)
            self._set_up(df, scale, *options, parameters)


class WishartFull(_Wishart):
    """The Wishart distribution, parameterized by its scale.

    Args:
      df: the degrees of freedom, a float tensor of values not below k.
      scale: [..., k, k] float tensor of positive definite matrices.
      cholesky_input_output_matrices: whether samples and arguments are Cholesky factors.
      validate_args: whether to check arguments at run time, including the symmetry of the scale.
      allow_nan_stats: see `tf.distributions.Distribution`.

    Raises:
      ValueError: if `df` is statically known to be below k.
    """

    @moved
    def __init__(
        self,
        df: TensorLike,
        scale: TensorLike,
        cholesky_input_output_matrices: bool = False,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "WishartFull",
    ):
        parameters = dict(locals())
        with name_scope(name) as name, name_scope("init", values=[scale]):
            scale = convert_to_tensor(scale)
            checks = []
            if validate_args:
                transpose = ops.matrix_transpose(scale)
                scale = ops.with_dependencies([ops.assert_equal(scale, transpose)], scale)
            root = ops.cholesky(scale)
            if validate_args:
                checks = [ops.assert_positive(ops.matrix_diag_part(root))]
            root = ops.with_dependencies(checks, root)
        options = (cholesky_input_output_matrices, validate_args, allow_nan_stats, name)
        self._set_up(df, root, *options, parameters)
