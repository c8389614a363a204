"""Linear systems: inverses, solutions of square and triangular systems, least squares."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.devices.cuda.errors import solver_errors
from tfmini._src.devices.cuda.matmul import matmul
from tfmini._src.devices.host.native.linear_systems import solve_systems, solve_triangles
from tfmini._src.devices.numpy import scipy
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.public_functions import overridable
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import checked_ranks
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.linalg.square_matrix import (
    MATRIX,
    check_square,
    check_system,
    conjugate_transpose,
    solution_shape,
    square_shape,
    starts_with_nan,
    to_lapack_precision,
)
from tfmini._src.ops.operands import shape_text


@op(
    "MatrixInverse",
    "input: T -> output: T",
    host_or_cuda=True,
    infer=square_shape,
    adjoint=False,
    T=MATRIX,
)
def matrix_inverse_op(xp, value, *, adjoint):
    check_square(value)
    try:
        inverse = _solve(xp, to_lapack_precision(value), None, adjoint)
    except np.linalg.LinAlgError:
        invalid("Input is not invertible.")
    return inverse.astype(value.dtype, copy=False)


@matrix_inverse_op.gradient
def _(op, grad):
    inverse = op.outputs[0]
    return -ops.matmul(inverse, ops.matmul(grad, inverse, adjoint_b=True), adjoint_a=True)


@public
@overridable
def matrix_inverse(input: TensorLike, adjoint: bool = False, name: str | None = None) -> Tensor:
    """Inverts each matrix.

    Args:
      input: [..., n, n] float or complex tensor.
      adjoint: whether to invert the adjoint.

    Raises:
      InvalidArgumentError (when run): if a matrix is not invertible.
    """
    return raw.MatrixInverse(input, adjoint=adjoint, name=name)


@op(
    "MatrixSolve",
    "matrix: T, rhs: T -> output: T",
    host_or_cuda=True,
    infer=solution_shape,
    adjoint=False,
    T=MATRIX,
)
def matrix_solve_op(xp, matrix, rhs, *, adjoint):
    check_system(matrix, rhs)
    try:
        solution = _solve(xp, to_lapack_precision(matrix), to_lapack_precision(rhs), adjoint)
    except np.linalg.LinAlgError:
        invalid("Input matrix is not invertible.")
    return solution.astype(rhs.dtype, copy=False)


def _solve(xp: Any, matrix: Any, rhs: Any, adjoint: bool) -> Any:
    """Solves `matrix @ x = rhs`, or inverts `matrix` if `rhs` is None; raises LinAlgError for singular matrices."""
    solution = solve_systems(matrix, rhs, adjoint) if xp is np else None
    if solution is not None:
        return solution
    if starts_with_nan(xp, matrix):
        raise np.linalg.LinAlgError
    left = conjugate_transpose(xp, matrix) if adjoint else matrix
    if xp is np and left.shape[-1] >= _MIN_LAPACK_SIZE and left.size and np.size(rhs):
        return _solve_by_factors(left, rhs)
    with solver_errors(xp):
        return xp.linalg.inv(left) if rhs is None else xp.linalg.solve(left, rhs)


_MIN_LAPACK_SIZE = (
    # Rows above which LAPACK's functions beat NumPy's, which solve one right-hand side at a time.
    64
)


def _solve_by_factors(matrices: np.ndarray, sides: np.ndarray | None) -> np.ndarray:
    """Solves each system by LU factors, or inverts if `rhs` is None; raises LinAlgError for singular matrices."""
    size = matrices.shape[-1]
    names = ("getrf", "getri" if sides is None else "getrs")
    factor, finish = scipy.linalg.get_lapack_funcs(names, (matrices,))
    result = np.empty((matrices if sides is None else sides).shape, matrices.dtype)
    matrices, rows = matrices.reshape(-1, size, size), result.reshape(-1, size, result.shape[-1])
    for index, matrix in enumerate(matrices):
        factors, pivots, failed = factor(matrix.T)
        if failed:
            raise np.linalg.LinAlgError("Singular matrix")
        if sides is None:
            rows[index].T[:] = finish(
                factors, pivots, lwork=_MIN_LAPACK_SIZE * size, overwrite_lu=True
            )[0]
        else:
            rows[index] = finish(factors, pivots, sides.reshape(rows.shape)[index], trans=1)[0]
    return result


@matrix_solve_op.gradient
def _(op, grad):
    matrix, result = op.inputs[0], op.outputs[0]
    adjoint = op.attrs["adjoint"]
    rhs_grad = ops.matrix_solve(matrix, grad, adjoint=not adjoint)
    if adjoint:
        return -ops.matmul(result, rhs_grad, adjoint_b=True), rhs_grad
    return -ops.matmul(rhs_grad, result, adjoint_b=True), rhs_grad


@public
@overridable
def matrix_solve(
    matrix: TensorLike, rhs: TensorLike, adjoint: bool = False, name: str | None = None
) -> Tensor:
    """Solves `matrix @ x = rhs`.

    Args:
      matrix: [..., n, n] float or complex tensor.
      rhs: [..., n, k] tensor of the same dtype.
      adjoint: whether to solve with the adjoint of `matrix`.

    Returns:
      [..., n, k] Tensor.

    Raises:
      InvalidArgumentError (when run): if a matrix is singular.
    """
    return raw.MatrixSolve(matrix, rhs, adjoint=adjoint, name=name)


@op(
    "MatrixSolveLs",
    "matrix: T, rhs: T, l2_regularizer: double -> output: T",
    infer=checked_ranks(None, None, 0, result=lambda op: solution_shape(op, square=False)),
    static_inputs=("l2_regularizer",),
    T=MATRIX,
    fast=True,
)
def matrix_solve_ls_op(xp, matrix, rhs, l2_regularizer, *, fast):
    check_system(matrix, rhs, square=False)
    if l2_regularizer.ndim:
        invalid(f"l2_regularizer must be scalar, got shape {shape_text(l2_regularizer.shape)}")
    if l2_regularizer < 0:
        invalid("l2_regularizer must be >= 0.")
    left, right = to_lapack_precision(matrix), to_lapack_precision(rhs)
    solve = _normal_equations if fast else _minimum_norm_solution
    return solve(xp, left, right, l2_regularizer).astype(rhs.dtype, copy=False)


def _normal_equations(xp: Any, matrix: Any, rhs: Any, l2_regularizer: Any) -> Any:
    """Returns the least-squares solution using the smaller of the two Gram matrices."""
    adjoint = conjugate_transpose(xp, matrix)
    tall = matrix.shape[-2] >= matrix.shape[-1]
    gram = matmul(xp, adjoint, matrix) if tall else matmul(xp, matrix, adjoint)
    gram = gram + xp.eye(gram.shape[-1], dtype=gram.dtype) * gram.dtype.type(l2_regularizer)
    try:
        xp.linalg.cholesky(gram)  # fails for rank-deficient systems
        if tall:
            return xp.linalg.solve(gram, matmul(xp, adjoint, rhs))
        return matmul(xp, adjoint, xp.linalg.solve(gram, rhs))
    except np.linalg.LinAlgError:
        invalid(
            "Input matrix was rank deficient or ill-conditioned. Try setting fast=False or provide a "
            "larger l2_regularizer > 0."
        )


def _minimum_norm_solution(xp: Any, matrix: Any, rhs: Any, l2_regularizer: Any) -> Any:
    """Returns the minimum-norm solution by singular values, dropping numerically zero ones."""
    epsilon = np.finfo(matrix.dtype).eps * min(matrix.shape[-2:])  # as in Eigen
    return matmul(xp, xp.linalg.pinv(matrix, rcond=epsilon), rhs)


@matrix_solve_ls_op.gradient
def _(op, grad):
    if not op.attrs["fast"]:
        raise ValueError("Gradient not defined for fast=False")
    matrix, rhs, regularizer = op.inputs
    result = op.outputs[0]

    def overdetermined():
        l2 = ops.cast(regularizer, matrix.dtype.base_dtype)
        factor = _gramian_factor(matrix, l2, True)
        z = ops.cholesky_solve(factor, grad)
        outer = ops.matmul(result, z, adjoint_b=True)
        symmetric = outer + ops.matrix_transpose(outer)
        matrix_grad = -ops.matmul(matrix, symmetric) + ops.matmul(rhs, z, adjoint_b=True)
        return matrix_grad, ops.matmul(matrix, z), None

    def underdetermined():
        l2 = ops.cast(regularizer, matrix.dtype.base_dtype)
        factor = _gramian_factor(matrix, l2, False)
        rhs_grad = ops.cholesky_solve(factor, ops.matmul(matrix, grad))
        solution = ops.cholesky_solve(factor, rhs)
        first = ops.matmul(solution, matrix, adjoint_a=True)
        first = -ops.matmul(rhs_grad, first)
        second = grad - ops.matmul(matrix, rhs_grad, adjoint_a=True)
        second = ops.matmul(solution, second, adjoint_b=True)
        return first + second, rhs_grad, None

    return _select_by_shape(matrix, overdetermined, underdetermined)


def _select_by_shape(matrix: Tensor, if_tall: Any, if_wide: Any) -> Any:
    """Selects `if_tall` or `if_wide` by the shape of `matrix`, statically or at run time."""
    form = matrix.shape[-2:]
    if form.is_fully_defined():
        return if_tall() if form[-2] >= form[-1] else if_wide()
    form = ops.shape(matrix)[-2:]
    return ops.cond(form[-2] >= form[-1], if_tall, if_wide)


def _gramian_factor(matrix: Tensor, l2_regularizer: Any, first_kind: bool) -> Tensor:
    """Returns the Cholesky factor of `A^H A + l2 I`, or of `A A^H + l2 I`."""
    gramian = ops.matmul(matrix, matrix, adjoint_a=first_kind, adjoint_b=not first_kind)
    if isinstance(l2_regularizer, Tensor) or l2_regularizer != 0:
        axis = -1 if first_kind else -2
        shape = ops.shape(matrix)
        batch = shape[:-2]
        identity = ops.eye(shape[axis], batch_shape=batch, dtype=matrix.dtype)
        size = matrix.shape[axis]
        identity.set_shape(matrix.shape[:-2].concatenate([size, size]))
        gramian += l2_regularizer * identity
    return raw.Cholesky(gramian)


@public
def matrix_solve_ls(
    matrix: TensorLike,
    rhs: TensorLike,
    l2_regularizer: TensorLike = 0.0,
    fast: bool = True,
    name: str | None = None,
) -> Tensor:
    """Solves `matrix @ x = rhs` in the least-squares sense.

    Args:
      matrix: [..., m, n] float or complex tensor.
      rhs: [..., m, k] tensor of the same dtype.
      l2_regularizer: a number or float64 scalar, the weight of `|x|^2` in the objective.
      fast: whether to solve the normal equations, which requires full rank; otherwise, computes the
        minimum-norm solution and ignores `l2_regularizer`.
      name: the name of the scope or node.

    Returns:
      [..., n, k] Tensor.

    Raises:
      NotImplementedError: for complex128 with an `l2_regularizer`.
      InvalidArgumentError (when run): if `fast` is set and a matrix does not have full rank.
    """
    matrix = ops.convert_to_tensor(matrix, name="matrix")
    if matrix.dtype == dtypes.complex128 and l2_regularizer != 0:
        raise NotImplementedError(
            "matrix_solve_ls is currently disabled for complex128 and l2_regularizer != 0 due to "
            "poor accuracy."
        )
    if not fast or _is_large_batch(matrix):
        return raw.MatrixSolveLs(matrix, rhs, l2_regularizer, fast=fast, name=name)

    def overdetermined():
        factor = _gramian_factor(matrix, l2_regularizer, True)
        return ops.cholesky_solve(factor, ops.matmul(matrix, rhs, adjoint_a=True))

    def underdetermined():
        factor = _gramian_factor(matrix, l2_regularizer, False)
        return ops.matmul(matrix, ops.cholesky_solve(factor, rhs), adjoint_a=True)

    with name_scope(name, "matrix_solve_ls", [matrix, rhs, l2_regularizer]):
        return _select_by_shape(matrix, overdetermined, underdetermined)


# Byte size above which many small matrices are solved one at a time by a single op.
_CACHE = 256_000


def _is_large_batch(matrix: Tensor) -> bool:
    shape: Any = matrix.shape
    if not shape.is_fully_defined() or shape.ndims < 2:
        return False
    size = shape.num_elements() * matrix.dtype.size
    return size > _CACHE and shape[:-2].num_elements() > min(shape[-2:].as_list())


@op(
    "MatrixTriangularSolve",
    "matrix: T, rhs: T -> output: T",
    through_host=True,
    infer=solution_shape,
    lower=True,
    adjoint=False,
    T=MATRIX,
)
def matrix_triangular_solve_op(xp, matrix, rhs, *, lower, adjoint):
    check_system(matrix, rhs)
    if not rhs.size:
        return xp.empty_like(rhs)
    try:
        native = solve_triangles(matrix, rhs, lower, adjoint)
    except np.linalg.LinAlgError:
        invalid("Input matrix is not invertible.")
    if native is not None:
        return native
    if (xp.diagonal(matrix, axis1=-2, axis2=-1) == 0).any() or starts_with_nan(xp, matrix):
        invalid("Input matrix is not invertible.")
    # LAPACK does not support half precision, and SciPy no longer converts it.
    computed = np.promote_types(matrix.dtype, np.float32)
    matrices = np.asarray(matrix, computed).reshape(-1, *matrix.shape[-2:])
    sides = np.asarray(rhs, computed).reshape(len(matrices), *rhs.shape[-2:])
    result = np.empty(sides.shape, rhs.dtype)
    for i, (a, b) in enumerate(zip(matrices, sides)):
        result[i] = scipy.linalg.solve_triangular(
            a, b, trans="C" if adjoint else "N", lower=lower, check_finite=False
        )
    return result.reshape(rhs.shape)


@matrix_triangular_solve_op.gradient
def _(op, grad):
    matrix, result = op.inputs[0], op.outputs[0]
    adjoint, lower = op.attrs["adjoint"], op.attrs["lower"]
    rhs_grad = ops.matrix_triangular_solve(matrix, grad, lower=lower, adjoint=not adjoint)
    if adjoint:
        matrix_grad = -ops.matmul(result, rhs_grad, adjoint_b=True)
    else:
        matrix_grad = -ops.matmul(rhs_grad, result, adjoint_b=True)
    if lower:
        matrix_grad = ops.matrix_band_part(matrix_grad, -1, 0)
    else:
        matrix_grad = ops.matrix_band_part(matrix_grad, 0, -1)
    return matrix_grad, rhs_grad


@public
def matrix_triangular_solve(
    matrix: TensorLike,
    rhs: TensorLike,
    lower: bool = True,
    adjoint: bool = False,
    name: str | None = None,
) -> Tensor:
    """Solves `matrix @ x = rhs` for a triangular matrix.

    Args:
      matrix: [..., m, m] float or complex tensor; only one triangle is read.
      rhs: [..., m, k] tensor of the same dtype.
      lower: whether to read the lower triangle instead of the upper.
      adjoint: whether to solve with the adjoint of `matrix`.

    Raises:
      InvalidArgumentError (when run): if the diagonal contains a zero.
    """
    return raw.MatrixTriangularSolve(matrix, rhs, lower=lower, adjoint=adjoint, name=name)
