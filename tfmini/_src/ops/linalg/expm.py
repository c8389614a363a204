"""`tf.linalg.expm`: matrix exponential by scaling and squaring with Pade approximants.

N. J. Higham, The scaling and squaring method for the matrix exponential revisited, SIAM J. Matrix Anal. Appl. 26,
2005: table 2.3 lists the norm bounds of each approximant, and chapter 2 the numerator coefficients.
"""

from __future__ import annotations

import math
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.array.tensor_indexing import newaxis

# By precision: the approximant orders, and the norm bounds of all but the last.
_FLOAT32_SETTINGS = ((3, 5, 7), (4.258730016922831e-01, 1.880152677804762e00), 3.925724783138660)
_DOUBLE_SETTINGS = (
    (3, 5, 7, 9, 13),
    (
        *(1.495585217958292e-02, 2.539398330063230e-01),
        *(9.504178996162932e-01, 2.097847961257068e00),
    ),
    5.371920351148152,
)


def _coefficients(order: int) -> list[float]:
    """Returns the numerator coefficients of a diagonal approximant by power, except for the highest, which is 1."""
    factorial = math.factorial
    return [
        float(factorial(2 * order - j) // (factorial(order - j) * factorial(j)))
        for j in range(order)
    ]


def _approximant(matrix: Tensor, order: int) -> tuple[Tensor, Tensor]:
    """Returns the odd and even parts of the numerator of an approximant."""
    b = [ops.constant(x, matrix.dtype) for x in _coefficients(order)]
    shape = ops.shape
    eye = ops.eye(shape(matrix)[-2], batch_shape=shape(matrix)[:-2], dtype=matrix.dtype)
    square = ops.matmul(matrix, matrix)
    powers = [eye, square]  # powers of the square
    while len(powers) < (4 if order == 13 else order // 2 + 1):
        powers.append(ops.matmul(powers[-1], square))
    if order == 13:
        return _pade_13(matrix, powers, b)
    odd_part = powers[-1]
    for i in range(len(powers) - 2, -1, -1):
        odd_part = odd_part + b[2 * i + 1] * powers[i]
    odd_part = ops.matmul(matrix, odd_part)
    return odd_part, _sum(b[0::2], powers)


def _sum(factors: list, powers: list) -> Tensor:
    """Returns the sum of scaled powers, starting with the highest."""
    total: Any = None
    for factor, power in zip(factors[::-1], powers[::-1]):
        total = factor * power if total is None else total + factor * power
    return total


def _pade_13(matrix: Tensor, powers: list, b: list) -> tuple[Tensor, Tensor]:
    """Returns the odd and even parts of the order-13 Pade approximant; higher powers are products with the sixth."""
    _, square, fourth, sixth = powers
    high = ops.matmul(sixth, sixth + b[11] * fourth + b[9] * square)
    for i in (3, 2, 1, 0):
        high = high + b[2 * i + 1] * powers[i]
    odd = ops.matmul(matrix, high)
    even = ops.matmul(sixth, _sum(b[8:13:2], powers[1:]))
    for i in (3, 2, 1, 0):
        even = even + b[2 * i] * powers[i]
    return odd, even


@public
def expm(input: TensorLike, name: str | None = None) -> Tensor:
    """Computes the matrix exponential 1 + A + A @ A / 2! + ... of each square matrix A.

    Args:
      input: [..., n, n] float or complex tensor.

    Returns:
      A tensor like `input`.

    Raises:
      ValueError: for an unsupported dtype.

    Example: `tf.linalg.expm([[0.0, 1.0], [0.0, 0.0]])` is [[1, 1], [0, 1]].
    """
    with name_scope(name, "matrix_exponential", [input]):
        matrix = ops.convert_to_tensor(input, name="input")
        if matrix.shape[-2:] == [0, 0]:
            return matrix
        batch: Any = matrix.shape[:-2]
        if not batch.is_fully_defined():
            batch = ops.shape(matrix)[:-2]
        matrix = ops.reshape(matrix, ops.concat(([-1], ops.shape(matrix)[-2:]), axis=0))
        sizes = ops.abs(matrix)
        sums = ops.reduce_sum(sizes, axis=ops.size(ops.shape(matrix)) - 2)
        norm = ops.reduce_max(sums, axis=-1)
        if matrix.dtype in (dtypes.float16, dtypes.float32, dtypes.complex64):
            settings: tuple[Any, Any, float] = _FLOAT32_SETTINGS
        elif matrix.dtype in (dtypes.float64, dtypes.complex128):
            settings = _DOUBLE_SETTINGS
        else:
            raise ValueError(f"tf.linalg.expm does not support matrices of type {matrix.dtype}")
        orders, bounds, scale = settings
        largest = ops.constant(scale, norm.dtype)
        halvings = ops.log(norm / largest) / ops.log(ops.constant(2.0, norm.dtype))
        squarings = ops.maximum(ops.floor(halvings), 0)
        parts = [_approximant(matrix, order) for order in orders[:-1]]
        two = ops.constant(2.0, dtype=matrix.dtype)
        scales = ops.pow(two, ops.cast(squarings, matrix.dtype))[..., newaxis, newaxis]
        parts.append(_approximant(matrix / scales, orders[-1]))
        odd, even = (_select_by_norm(norm, bounds, list(cases)) for cases in zip(*parts))
        numerator = odd + even
        result = ops.matrix_solve(-odd + even, numerator)
        max_squarings = ops.reduce_max(squarings)
        _, result = ops.while_loop(
            lambda i, _: ops.less(i, max_squarings),
            lambda i, r: (i + 1, ops.where(ops.less(i, squarings), ops.matmul(r, r), r)),
            [ops.constant(0.0, norm.dtype), result],
        )
        if not matrix.shape.is_fully_defined():
            return ops.reshape(result, ops.concat((batch, ops.shape(result)[-2:]), axis=0))
        return ops.reshape(result, batch.concatenate(result.shape[-2:]))


def _select_by_norm(norm: Tensor, bounds: tuple, cases: list[Tensor]) -> Tensor:
    """Returns the first case whose bound exceeds the norm, or else the last case."""
    if not bounds:
        return cases[0]
    is_small = ops.less(norm, ops.constant(bounds[0], norm.dtype))
    return ops.where(is_small, cases[0], _select_by_norm(norm, bounds[1:], cases[1:]))
