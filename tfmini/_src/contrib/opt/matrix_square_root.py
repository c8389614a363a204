"""Iterative roots of symmetric matrices. N. Higham, "Stable iterations for the matrix square root", 1997;
C. Guo and N. Higham, "A Schur-Newton method for the matrix pth root", 2006.
"""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


def matrix_square_root(
    mat_a: Any, mat_a_size: Any, iter_count: int = 100, ridge_epsilon: float = 1e-4
) -> Tensor:
    """Returns the square root of a positive definite matrix [n, n], by Newton-Schulz iteration.

    Args:
      mat_a: the matrix; mat_a_size: n.
      iter_count: maximum number of iterations; ends early if the error grows.
      ridge_epsilon: added to the diagonal.
    """

    def should_continue(
        i: Any, y: Any, before: Any, z: Any, z_before: Any, error: Any, last: Any
    ) -> Any:
        return ops.logical_and(i < iter_count, error < last)

    def step(i: Any, y: Any, before: Any, z: Any, z_before: Any, error: Any, last: Any) -> tuple:
        factor = 0.5 * (3.0 * identity - ops.matmul(z, y))
        next_y, next_z = ops.matmul(y, factor), ops.matmul(factor, z)
        root = next_y * ops.sqrt(norm)
        residual = mat_a - ops.matmul(root, root)
        residual_norm = ops.sqrt(ops.reduce_sum(residual * residual)) / norm
        return i + 1, next_y, y, next_z, z, residual_norm, error

    identity = ops.eye(ops.cast(mat_a_size, dtypes.int32))
    mat_a = mat_a + ridge_epsilon * identity
    norm = ops.sqrt(ops.reduce_sum(mat_a * mat_a))
    start = mat_a / norm
    state = [0, start, start, identity, identity, norm, norm + 1.0]
    _, _, y, _, _, _, _ = ops.while_loop(should_continue, step, state)
    return y * ops.sqrt(norm)


def _power(matrix: Tensor, exponent: float) -> Tensor:
    """Returns an integer power, by repeated squaring."""
    count = int(exponent)
    power: Any = None
    if count != exponent or count <= 0:
        raise AssertionError(f"{exponent} is not a positive integer")
    while count > 0:
        if count % 2 == 1:
            power = matrix if power is None else ops.matmul(matrix, power)
        count //= 2
        matrix = ops.matmul(matrix, matrix)
    return power


def matrix_inverse_pth_root(
    mat_g: Any,
    mat_g_size: Any,
    alpha: float,
    iter_count: int = 100,
    epsilon: float = 1e-6,
    ridge_epsilon: float = 1e-6,
) -> Tensor:
    """Returns the power alpha = -1/p of a positive definite matrix [n, n].

    Args:
      mat_g: the matrix; mat_g_size: n; alpha: the exponent, -1/p for an integer p.
      iter_count: maximum number of iterations.
      epsilon: error tolerance at which to stop.
      ridge_epsilon: added to the diagonal.
    """
    identity = ops.eye(ops.cast(mat_g_size, dtypes.int32))

    def should_continue(i: Any, m: Any, x: Any) -> Any:
        return ops.logical_and(i < iter_count, ops.reduce_max(ops.abs(m - identity)) > epsilon)

    def step(i: Any, m: Any, x: Any) -> tuple:
        factor = (1 - alpha) * identity + alpha * m
        return i + 1, ops.matmul(_power(factor, -1.0 / alpha), m), ops.matmul(x, factor)

    if mat_g_size == 1:
        return ops.pow(mat_g + ridge_epsilon, alpha)
    damped = mat_g + ridge_epsilon * identity
    z = (1 - 1 / alpha) / (2 * ops.norm(damped))
    state = [0, damped * z, identity * ops.pow(z, -alpha)]
    _, _, root = ops.while_loop(should_continue, step, state)
    return root
