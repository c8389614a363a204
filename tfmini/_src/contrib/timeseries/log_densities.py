"""Log densities of normal and Cauchy distributions."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


def normal_log_prob(loc: Any, scale: Any, x: Any) -> Tensor:
    """Returns the elementwise log density of a normal distribution, in the form used to train window models."""
    z = (x - loc) / scale
    return -0.5 * (ops.square(z) + np.log(2.0 * np.pi) + ops.log(scale))


def cauchy_log_prob(loc: Any, scale: Any, x: Any) -> Tensor:
    """Returns the elementwise log density of a Cauchy distribution."""
    z = (x - loc) / scale
    return -np.log(np.pi) - ops.log(scale) - ops.log1p(ops.square(z))


def mvn_tril_log_prob(loc: Tensor, scale_tril: Tensor, x: Tensor) -> Tensor:
    """Returns the log density of a multivariate normal distribution, [batch].

    Args:
      loc: the means, [batch, n].
      scale_tril: Cholesky factors of the covariances, [batch, n, n].
      x: the vectors, [batch, n].
    """
    difference = x - loc
    z = ops.matrix_triangular_solve(scale_tril, difference[..., None])[..., 0]
    diagonal = ops.matrix_diag_part(scale_tril)
    log_determinant = 2.0 * ops.reduce_sum(ops.log(diagonal), axis=-1)
    size = ops.cast(ops.shape(scale_tril)[-1], log_determinant.dtype)
    return -0.5 * (
        ops.reduce_sum(ops.square(z), axis=-1) + size * np.log(2.0 * np.pi) + log_determinant
    )
