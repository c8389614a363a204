"""Covariance matrices: parameterization by free variables, clipping, and priors."""

from __future__ import annotations

import math
from typing import Any

from tfmini._src.contrib.layers.fully_connected import fully_connected
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.initializers import Zeros


def clip_covariance(
    covariance_matrix: Tensor, maximum_variance_ratio: float, minimum_variance: float
) -> Tensor:
    """Raises small variances in covariances [..., n, n], which keeps filters stable.

    Args:
      covariance_matrix: the covariances.
      maximum_variance_ratio: maximum ratio of the largest to the smallest variance.
      minimum_variance: the lower bound of each variance.
    """
    variances = ops.matrix_diag_part(covariance_matrix)
    largest = ops.reduce_max(variances, axis=-1, keepdims=True)
    raised = ops.maximum(variances, largest / maximum_variance_ratio)
    return ops.matrix_set_diag(covariance_matrix, ops.maximum(raised, minimum_variance))


def _pad_rank(scale: Any, raw: Tensor, rank: Tensor) -> Tensor:
    """Appends dimensions of size 1 to a scale [...] up to a rank."""
    scale = ops.convert_to_tensor(scale, dtype=raw.dtype.base_dtype)
    size = ops.shape(scale)
    ones = ops.ones([rank - ops.rank(scale)], dtype=rank.dtype)
    return ops.reshape(scale, ops.concat([size, ones], axis=0))


def sign_magnitude_positive_definite(
    raw: Any, off_diagonal_scale: Any = 0.0, overall_scale: Any = 0.0
) -> Tensor:
    """Returns positive definite matrices C^T C from arbitrary numbers, with C upper triangular.

    C[i, i] = exp((raw[i, i] + overall_scale) / 2), and for i < j
    C[i, j] = softsign(raw[j, i]) * exp((raw[i, j] + off_diagonal_scale + overall_scale) / 2).

    Args:
      raw: arbitrary numbers, [..., n, n].
      off_diagonal_scale: log scale of the off-diagonal elements, [...].
      overall_scale: log scale of all elements, [...].
    """
    raw = ops.convert_to_tensor(raw)
    diagonal = ops.matrix_diag_part(raw)
    logs = raw + _pad_rank(off_diagonal_scale, raw, ops.rank(raw))
    logs = logs + _pad_rank(overall_scale, raw, ops.rank(raw))
    scales = ops.exp(logs / 2.0) * ops.softsign(ops.matrix_transpose(raw))
    scales.set_shape(raw.get_shape())
    above = ops.matrix_band_part(scales, 0, -1)
    logs = diagonal + _pad_rank(overall_scale, raw, ops.rank(diagonal))
    factor = ops.matrix_set_diag(input=above, diagonal=ops.exp(logs / 2.0))
    return ops.matmul(factor, factor, transpose_a=True)


def transform_to_covariance_matrices(input_vectors: Tensor, matrix_size: int) -> Tensor:
    """Returns covariances [..., matrix_size, matrix_size] from vectors [..., size], by a dense layer."""
    outputs = fully_connected(input_vectors, matrix_size**2 + 2, activation_fn=None)
    covariance = outputs[..., :-2]
    shape = ops.concat([ops.shape(outputs)[:-1], [matrix_size, matrix_size]], 0)
    raw = ops.reshape(covariance, shape)
    return sign_magnitude_positive_definite(raw, outputs[..., -2], outputs[..., -1])


def variable_covariance_matrix(
    size: int,
    name: str,
    dtype: Any,
    initial_diagonal_values: Any = None,
    initial_overall_scale_log: Any = 0.0,
) -> Tensor:
    """Returns a trainable covariance matrix [size, size].

    Args:
      size: number of rows.
      name: name of the matrix, and prefix of variable names.
      dtype: its dtype.
      initial_diagonal_values: initial factors of the variances, [size]; None for 1.
      initial_overall_scale_log: initial log scale, a scalar.
    """
    raw: Any = get_variable(
        f"{name}_pre_transform", dtype=dtype, shape=[size, size], initializer=Zeros()
    )
    if initial_diagonal_values is not None:
        raw += ops.matrix_diag(ops.log(initial_diagonal_values))
    beside = get_variable(
        f"{name}_off_diagonal_scale", dtype=dtype, initializer=ops.constant(-5.0, dtype=dtype)
    )
    first_scale = ops.convert_to_tensor(initial_overall_scale_log, dtype=dtype)
    scale = get_variable(f"{name}_overall_scale", dtype=dtype, shape=[], initializer=Zeros())
    covariance = sign_magnitude_positive_definite(raw, beside, first_scale + scale)
    return ops.identity(covariance, name=name)


def log_noninformative_covariance_prior(covariance: Tensor) -> Tensor:
    """Returns the log density of a scale-free prior over covariances, [n, n]: |C|^-((n + 1) / 2)."""
    ones = ops.ones(shape=[ops.shape(covariance)[0]], dtype=covariance.dtype)
    covariance += ops.diag(1e-8 * ones)
    power = -(ops.cast(ops.shape(covariance)[0] + 1, covariance.dtype) / 2.0)
    return power * ops.log(ops.matrix_determinant(covariance))


def entropy_matched_cauchy_scale(covariance: Tensor) -> Tensor:
    """Returns scales [..., n] of Cauchy distributions with the entropies of normals of covariances [..., n, n]."""
    return ops.sqrt(math.e / (8.0 * math.pi) * ops.matrix_diag_part(covariance))
