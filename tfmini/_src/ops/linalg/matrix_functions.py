"""Matrix square root and logarithm."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.devices.host.native.math import triangular_functions
from tfmini._src.devices.numpy import scipy
from tfmini._src.graph.opdef import op, raw
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.linalg.square_matrix import MATRIX, check_square, square_shape
from tfmini._src.ops.type_lists import COMPLEX


def _map_matrices(xp: Any, function: Callable, value: Any) -> Any:
    """Applies `function` to the Schur form of each matrix.

    Results are real for real matrices, and NaN for matrices that are not finite.
    """
    check_square(value)
    complex_value = np.asarray(value).astype("D")
    result = np.full(value.shape, np.nan, value.dtype)
    for position in np.ndindex(value.shape[:-2]):
        if not value.shape[-1] or not np.isfinite(complex_value[position]).all():
            continue
        triangle, _, _, basis, _, failed = scipy.linalg.lapack.zgees(
            _accept_any_order, complex_value[position]
        )
        output = np.nan if failed else basis @ function(triangle) @ basis.conj().T
        if value.dtype.kind == "c" or np.abs(output.imag).max() <= 1e-6 * np.abs(output).max():
            result[position] = output if value.dtype.kind == "c" else output.real
    return xp.asarray(result)


def _accept_any_order(eigenvalue: complex) -> None:
    """Accepts eigenvalues in any order; LAPACK's interface requires but does not use this function."""


@op("MatrixSquareRoot", "input: T -> output: T", infer=square_shape, T=MATRIX)
def matrix_square_root_op(xp, value):
    return _map_matrices(xp, _triangular_square_root, value)


def _triangular_square_root(triangle: np.ndarray) -> np.ndarray:
    """Computes the square root of a triangular matrix column by column."""
    root = triangular_functions.root(triangle)
    if root is not None:
        return root
    root = np.zeros_like(triangle)
    for j in range(len(root)):
        root[j, j] = np.sqrt(triangle[j, j])
        for i in range(j - 1, -1, -1):
            residual = triangle[i, j] - root[i, i + 1 : j] @ root[i + 1 : j, j]
            root[i, j] = residual / (root[i, i] + root[j, j]) if residual else 0
    return root


def _kronecker(left: Tensor, right: Tensor) -> Tensor:
    """Returns the Kronecker product of each pair of square matrices."""
    left_shape, right_shape = ops.shape(left), ops.shape(right)
    left_order, right_order = left_shape[-1], right_shape[-1]
    batch = ops.slice(left_shape, [0], [ops.subtract(ops.size(left_shape), 2)])
    left_spread = ops.concat([batch, [left_order], [1], [left_order], [1]], 0)
    right_spread = ops.concat([batch, [1], [right_order], [1], [right_order]], 0)
    left, right = ops.reshape(left, left_spread), ops.reshape(right, right_spread)
    order = left_order * right_order
    shape = ops.concat([batch, [order], [order]], 0)
    return ops.reshape(left * right, shape)


@matrix_square_root_op.gradient
def _(op, grad):
    """Solves `R dR + dR R = dA` for dR, with matrices flattened to vectors."""
    root = op.outputs[0]
    shape = ops.shape(root)
    order = shape[-1]
    count = ops.reduce_prod(shape[0:-2])
    eye = ops.eye(order, dtype=root.dtype)
    flat = ops.reshape(eye, [-1])
    eyes = ops.reshape(ops.tile(flat, [count]), shape)
    transposed = ops.matrix_transpose(root)
    left = _kronecker(eyes, transposed)
    right = _kronecker(root, eyes)
    both = ops.add(left, right)
    batch = ops.slice(shape, [0], [ops.subtract(ops.size(shape), 2)])
    vector_shape = ops.concat([batch, [order * order], [1]], 0)
    vectors = ops.reshape(ops.matrix_transpose(grad), vector_shape)
    solution = ops.matrix_solve(both, vectors)
    return ops.matrix_transpose(ops.reshape(solution, shape))


def matrix_square_root(input: TensorLike, name: str | None = None) -> Tensor:
    """Computes the square root R of each square matrix, `R @ R = input`; NaN if it does not exist.

    Args:
      input: [..., n, n] float or complex tensor; real matrices should have no negative eigenvalues.
    """
    return raw.MatrixSquareRoot(input, name=name)


@op("MatrixLogarithm", "input: T -> output: T", infer=square_shape, T=COMPLEX)
def matrix_logarithm_op(xp, value):
    return _map_matrices(xp, _logarithm, value)


def _logarithm(triangle: np.ndarray) -> np.ndarray:
    """Returns the logarithm of a triangular matrix, or NaN if it is singular."""
    if not np.diagonal(triangle).all():
        return np.full(triangle.shape, complex(np.nan, np.nan))
    logarithm = triangular_functions.logarithm(triangle)
    if logarithm is not None:
        return logarithm
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return scipy.linalg.logm(triangle)


def matrix_logarithm(input: TensorLike, name: str | None = None) -> Tensor:
    """Computes the logarithm L, `expm(L) = input`, of each complex matrix [..., n, n]; NaN if it does not exist."""
    return raw.MatrixLogarithm(input, name=name)
