"""Determinants and log determinants, which do not overflow."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.public_functions import overridable
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.linalg.square_matrix import (
    DETERMINANT,
    batch_shape,
    check_square,
    to_lapack_precision,
)


def _slogdet(xp: Any, value: Any) -> tuple[Any, Any]:
    """numpy's `slogdet`, except that the sign is 0 if the logarithm is not finite."""
    check_square(value)
    with np.errstate(all="ignore"):
        sign, logarithm = xp.linalg.slogdet(to_lapack_precision(value))
    sign, logarithm = xp.asarray(sign), xp.asarray(logarithm)
    infinite = ~xp.isfinite(logarithm)
    if xp is not np or infinite.any():
        sign = xp.where(infinite, 0, sign)
        logarithm = xp.where(infinite, xp.where(logarithm > 0, np.inf, -np.inf), logarithm)
    return sign.astype(value.dtype), logarithm.astype(value.dtype)


@op("MatrixDeterminant", "input: T -> output: T", infer=batch_shape, T=DETERMINANT)
def matrix_determinant_op(xp, value):
    if xp is np and value.ndim == 2 and value.dtype.char in "fd":
        check_square(value)
        with np.errstate(all="ignore"):
            sign, log_abs_det = np.linalg.slogdet(value)
            if math.isfinite(log_abs_det):
                return sign * np.exp(log_abs_det)
    sign, logarithm = _slogdet(xp, value)
    with np.errstate(all="ignore"):
        return xp.multiply(sign, xp.exp(logarithm))


def _times_inverse(factor: Tensor, shaped: Tensor, inverse: Tensor) -> Tensor:
    """Scales each matrix of `inverse` by the corresponding element of `factor`."""
    shape = ops.concat([ops.shape(shaped), [1, 1]], 0)
    return ops.reshape(factor, shape) * inverse


@matrix_determinant_op.gradient
def _(op, grad):
    matrix, determinant = op.inputs[0], op.outputs[0]
    inverse = ops.matrix_inverse(matrix, adjoint=True)
    factor = grad * determinant
    return _times_inverse(factor, determinant, inverse)


@public
@overridable
def matrix_determinant(input: TensorLike, name: str | None = None) -> Tensor:
    """Computes the determinant of each matrix, mapping float or complex [..., n, n] to [...]."""
    return raw.MatrixDeterminant(input, name=name)


@op(
    "LogMatrixDeterminant",
    "input: T -> sign: T, log_abs_determinant: T",
    infer=lambda op: [batch_shape(op)] * 2,
    T=DETERMINANT,
)
def log_matrix_determinant_op(xp, value):
    return _slogdet(xp, value)


@log_matrix_determinant_op.gradient
def _(op, _, grad):
    matrix, logarithm = op.inputs[0], op.outputs[1]
    inverse = ops.matrix_inverse(matrix, adjoint=True)
    return _times_inverse(grad, logarithm, inverse)


@public
def log_matrix_determinant(input: TensorLike, name: str | None = None) -> Any:
    """Computes the sign and the logarithm of the absolute value of the determinant of each matrix.

    Args:
      input: [..., n, n] float or complex tensor.

    Returns:
      The pair (sign, log_abs_determinant), [...] each: `det = sign * exp(log_abs_determinant)`. The sign of
      a complex determinant is a complex number of absolute value 1.
    """
    return raw.LogMatrixDeterminant(input, name=name)


@public
@overridable
def logdet(matrix: TensorLike, name: str | None = None) -> Tensor:
    """Computes the log determinant of each positive definite matrix.

    Args:
      matrix: symmetric float or complex tensor [..., n, n].

    Returns:
      [...] real Tensor.

    Raises:
      InvalidArgumentError (when run): if a matrix is not positive definite.
    """
    with name_scope(name, "logdet", [matrix]):
        factor = ops.cholesky(matrix)
        diagonal = ops.real(ops.matrix_diag_part(factor))
        return 2.0 * ops.reduce_sum(ops.log(diagonal), axis=[-1])
