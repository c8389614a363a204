"""Eigenvalue and singular value decompositions, and functions based on them."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.devices.cuda.errors import solver_errors
from tfmini._src.devices.host.native import decompositions
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.shape_inference import Dims, with_rank_at_least
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.linalg.square_matrix import (
    MATRIX,
    check_square,
    square_shape,
    to_lapack_precision,
)

_NO_EIGENVALUES = (
    "Self-adjoint eigen decomposition was not successful. The input might not be valid."
)


@op("SelfAdjointEigV2", "input: T -> e: T, v: T", host_or_cuda=True, compute_v=True, T=MATRIX)
def self_adjoint_eig_v2_op(xp, value, *, compute_v):
    check_square(value)
    values: Any = None
    vectors: Any = None
    if not xp.isfinite(value).all():
        lower = xp.tril(value)
        if xp.isnan(lower).any():
            invalid(_NO_EIGENVALUES)
        if xp.isinf(lower).any():
            values = xp.full(value.shape[:-1], np.nan, value.dtype)
            vectors = xp.broadcast_to(xp.eye(value.shape[-1], dtype=value.dtype), value.shape)
    if values is None and xp is np and not compute_v:
        values = decompositions.eigenvalues(to_lapack_precision(value))
    if values is None:
        function = xp.linalg.eigh if compute_v else xp.linalg.eigvalsh
        try:
            with solver_errors(xp):
                result = function(to_lapack_precision(value))
        except np.linalg.LinAlgError:  # the algorithm did not converge
            invalid(_NO_EIGENVALUES)
        values, vectors = result if compute_v else (result, None)
    values = values.astype(value.dtype, copy=False)
    if not compute_v:
        return values, xp.zeros(0, value.dtype)
    return values, vectors.astype(value.dtype)


@self_adjoint_eig_v2_op.infer
def _(op) -> list[Dims]:
    dims = square_shape(op)
    return [None if dims is None else dims[:-1], dims if op.attrs["compute_v"] else (0,)]


@self_adjoint_eig_v2_op.gradient
def _(op, values_grad, vectors_grad):
    values = op.outputs[0]
    with control_dependencies([values_grad, vectors_grad]):
        if op.attrs["compute_v"]:
            vectors = op.outputs[1]
            # 1 / (e_i - e_j) off the diagonal: infinite for equal eigenvalues.
            differences = ops.expand_dims(values, -2) - ops.expand_dims(values, -1)
            inverse = ops.matrix_set_diag(ops.reciprocal(differences), ops.zeros_like(values))
            inner_matrix = ops.matrix_diag(values_grad) + inverse * ops.matmul(
                vectors, vectors_grad, adjoint_a=True
            )
        else:
            _, vectors = ops.self_adjoint_eig(op.inputs[0])
            inner_matrix = ops.matrix_diag(values_grad)
        grad = ops.matmul(vectors, ops.matmul(inner_matrix, vectors, adjoint_b=True))
        # Only the lower triangle is read.
        grad = ops.matrix_band_part(grad + ops.adjoint(grad), -1, 0)
        return ops.matrix_set_diag(grad, 0.5 * ops.matrix_diag_part(grad))


@public
def self_adjoint_eig(tensor: TensorLike, name: str | None = None) -> Any:
    """Computes the eigenvalues and eigenvectors of each symmetric (Hermitian) matrix.

    Args:
      tensor: [..., n, n] float or complex tensor; only its lower triangle is read.

    Returns:
      The pair (e, v): the eigenvalues in ascending order, [..., n], and the eigenvectors, the columns of
      [..., n, n] matrices.

    Raises:
      InvalidArgumentError (when run): if an element is NaN.
    """
    e, v = raw.SelfAdjointEigV2(tensor, compute_v=True, name=name)
    return e, v


@public
def self_adjoint_eigvals(tensor: TensorLike, name: str | None = None) -> Tensor:
    """Computes the eigenvalues of each symmetric matrix, in ascending order; see `tf.self_adjoint_eig`."""
    e, _ = raw.SelfAdjointEigV2(tensor, compute_v=False, name=name)
    return e


@op(
    "Svd",
    "input: T -> s: T, u: T, v: T",
    host_or_cuda=True,
    compute_uv=True,
    full_matrices=False,
    T=MATRIX,
)
def svd_op(xp, value, *, compute_uv, full_matrices):
    if value.ndim < 2:
        invalid(f"Input tensor 0 must have rank >= 2, got {value.ndim}")
    dtype = value.dtype
    finite = xp.isfinite(value).all(axis=(-2, -1), keepdims=True)
    all_finite = bool(finite.all())
    if not all_finite:  # non-finite matrices have no singular values, and identity factors
        value = xp.where(finite, value, dtype.type(0))
    with solver_errors(xp):
        result = xp.linalg.svd(to_lapack_precision(value), full_matrices, compute_uv)
    s = result
    if compute_uv:
        u, s, v = result
        v = v.swapaxes(-1, -2)
        v = xp.conjugate(v) if dtype.kind == "c" else v
    s = s.astype(dtype, copy=False)
    if not all_finite:
        s = xp.where(finite[..., 0], s, dtype.type(np.nan))
        if compute_uv:
            u, v = (xp.where(finite, m, xp.eye(*m.shape[-2:], dtype=dtype)) for m in (u, v))
    if not compute_uv:
        return s, xp.zeros(0, dtype), xp.zeros(0, dtype)
    return s, u.astype(dtype), v.astype(dtype)


def _inner_sizes(matrix: tuple, full: bool) -> list[tuple]:
    """Returns the shapes of u and v for a matrix shape."""
    rows, columns = matrix
    inner = None if None in matrix else min(matrix)
    return [(rows, rows if full else inner), (columns, columns if full else inner)]


@svd_op.infer
def _(op) -> list[Dims]:
    dims: Any = with_rank_at_least(op.inputs[0]._dims, 2)
    compute_uv = op.attrs["compute_uv"]
    if dims is None:
        return [None, None, None] if compute_uv else [None, (0,), (0,)]
    *batch, rows, columns = dims
    s = (*batch, None if None in (rows, columns) else min(rows, columns))
    if not compute_uv:
        return [s, (0,), (0,)]
    return [s, *[(*batch, *p) for p in _inner_sizes((rows, columns), op.attrs["full_matrices"])]]


@svd_op.gradient
def _(op, s_grad, u_grad, v_grad):
    matrix = op.inputs[0]
    shape = matrix.shape.with_rank_at_least(2)
    s_grad_matrix = ops.matrix_diag(s_grad)
    if not op.attrs["compute_uv"]:
        _, u, v = ops.svd(matrix, compute_uv=True)
        grad = ops.matmul(u, ops.matmul(s_grad_matrix, v, adjoint_b=True))
        grad.set_shape(shape)
        return grad
    full_matrices = op.attrs["full_matrices"]
    if matrix.dtype.is_complex:
        raise NotImplementedError(
            "SVD gradient is not implemented for complex types and compute_uv=True."
        )
    u_shape, v_shape = (g.shape.with_rank_at_least(2) for g in (u_grad, v_grad))
    rows = shape.dims[-2].merge_with(u_shape[-2])
    columns = shape.dims[-1].merge_with(v_shape[-2])
    batch = shape[:-2].merge_with(u_shape[:-2]).merge_with(v_shape[:-2])
    shape = batch.concatenate([rows, columns])
    m, n = shape.dims[-2].value, shape.dims[-1].value
    if m is None or n is None:
        raise NotImplementedError(
            "SVD gradient has not been implemented for input with unknown inner matrix shape."
        )
    s, u, v = op.outputs
    is_wide = m <= n
    if not is_wide:  # the gradient of the transpose, transposed at the end
        m, n, u, v, u_grad, v_grad = n, m, v, u, v_grad, u_grad
    with control_dependencies([s_grad, u_grad, v_grad]):
        if full_matrices and abs(m - n) > 1:
            raise NotImplementedError(
                "svd gradient is not implemented for abs(m - n) > 1 when full_matrices is True"
            )
        grad = _svd_gradient(s, u, v, s_grad_matrix, u_grad, v_grad, m, n, full_matrices)
        grad = grad if is_wide else ops.matrix_transpose(grad)
        grad.set_shape(shape)
        return grad


def _svd_gradient(
    s: Tensor,
    u: Tensor,
    v: Tensor,
    s_grad_matrix: Tensor,
    u_grad: Tensor,
    v_grad: Tensor,
    m: int,
    n: int,
    full_matrices: bool,
) -> Tensor:
    """Gradient for m <= n (https://j-towns.github.io/papers/svd-derivative.pdf); infinite for equal singular values."""
    s_matrix = ops.matrix_diag(s)
    squares = ops.square(s)
    s_shape = ops.shape(s)
    eye = ops.eye(s_shape[-1], batch_shape=s_shape[:-1], dtype=s.dtype)
    differences = ops.expand_dims(squares, -2) - ops.expand_dims(squares, -1) + eye
    inverse = ops.matrix_set_diag(ops.reciprocal(differences), ops.zeros_like(s))
    s_inverse = ops.matrix_diag(ops.reciprocal(s))
    v1, v1_grad = v[..., :, :m], v_grad[..., :, :m]
    u_product = ops.matmul(u, u_grad, adjoint_a=True)
    v_product = ops.matmul(v1, v1_grad, adjoint_a=True)
    u_product = inverse * u_product
    v_product = inverse * v_product
    inner_matrix = (
        s_grad_matrix
        + ops.matmul(u_product + ops.adjoint(u_product), s_matrix)
        + ops.matmul(s_matrix, v_product + ops.adjoint(v_product))
    )
    grad = ops.matmul(u, ops.matmul(inner_matrix, v1, adjoint_b=True))
    if m == n:
        return grad
    v1_grad_t = ops.matrix_transpose(v1_grad)
    projected = ops.matmul(v1_grad_t, v1)
    outside_span = v1_grad_t - ops.matmul(projected, v1, adjoint_b=True)
    if full_matrices:
        v2, v2_grad = v[..., :, m:n], v_grad[..., :, m:n]
        product = ops.matmul(v1, v2_grad, adjoint_a=True)
        outside_span -= ops.matmul(product, v2, adjoint_b=True)
    scaled = ops.matmul(u, s_inverse)
    return grad + ops.matmul(scaled, outside_span)


@public
def svd(
    tensor: TensorLike,
    full_matrices: bool = False,
    compute_uv: bool = True,
    name: str | None = None,
) -> Any:
    """Computes the singular value decomposition of each matrix: `tensor = u @ diag(s) @ adjoint(v)`.

    Args:
      tensor: [..., m, n] float or complex tensor.
      full_matrices: whether `u` is [..., m, m] and `v` [..., n, n]; otherwise, they have min(m, n) columns.
      compute_uv: whether to compute `u` and `v`.

    Returns:
      (s, u, v) or only s: the real singular values in descending order, [..., min(m, n)], and the
      singular vectors, the columns of `u` and `v`.
    """
    s, u, v = raw.Svd(tensor, compute_uv=compute_uv, full_matrices=full_matrices, name=name)
    if compute_uv:
        return ops.real(s), u, v
    return ops.real(s)


def _check_matrix(a: Tensor, validate_args: bool) -> Tensor:
    """Checks that `a` is a float tensor of rank 2 or more, at run time if necessary."""
    if not a.dtype.is_floating:
        raise TypeError(f"Input `a` must have `float`-like `dtype` (saw {a.dtype.name}).")
    problem = "Input `a` must have at least 2 dimensions"
    if a.shape.rank is not None:
        if a.shape.rank < 2:
            raise ValueError(f"{problem} (saw: {a.shape.rank}).")
    elif validate_args:
        check = ops.assert_rank_at_least(a, rank=2, message=problem + ".")
        with control_dependencies([check]):
            return ops.identity(a)
    return a


@public
def matrix_rank(
    a: TensorLike,
    tol: TensorLike | None = None,
    validate_args: bool = False,
    name: str | None = None,
) -> Tensor:
    """Computes the rank of each matrix, the number of singular values above a tolerance.

    Args:
      a: [..., m, n] float tensor.
      tol: the tolerance; by default the largest singular value times max(m, n) times the dtype's epsilon.
      validate_args: whether to check the number of axes of `a` at run time if unknown.

    Returns:
      [...] int32 Tensor.
    """
    with name_scope(name or "matrix_rank"):
        a = ops.convert_to_tensor(a, preferred_dtype=dtypes.float32, name="a")
        a = _check_matrix(a, validate_args)
        s = ops.svd(a, compute_uv=False)
        if tol is None:
            if a.shape[-2:].is_fully_defined():
                size = np.max(a.shape[-2:].as_list())
            else:
                size = ops.reduce_max(ops.shape(a)[-2:])
            epsilon = np.finfo(a.dtype.as_numpy_dtype).eps
            tol = epsilon * ops.cast(size, a.dtype) * ops.reduce_max(s, axis=-1, keepdims=True)
        return ops.reduce_sum(ops.cast(s > tol, dtypes.int32), axis=-1)


@public
def pinv(
    a: TensorLike,
    rcond: TensorLike | None = None,
    validate_args: bool = False,
    name: str | None = None,
) -> Tensor:
    """Computes the Moore-Penrose pseudoinverse of each matrix by singular values.

    Args:
      a: [..., m, n] float tensor.
      rcond: [...] tensor; singular values below `rcond` times the largest are treated as 0. By default, 10 max(m, n)
        times the dtype's epsilon.
      validate_args: whether to check the number of axes of `a` at run time if unknown.

    Returns:
      [..., n, m] Tensor.

    Raises:
      TypeError: if `a` is not a float tensor.
      ValueError: if `a` is a vector or scalar.
    """
    with name_scope(name or "pinv"):
        a = _check_matrix(ops.convert_to_tensor(a, name="a"), validate_args)
        dtype = a.dtype.as_numpy_dtype
        if rcond is None:
            rcond = 10.0 * _larger_size(a) * np.finfo(dtype).eps
        rcond = ops.convert_to_tensor(rcond, dtype=dtype, name="rcond")
        s, u, v = ops.svd(a, full_matrices=False, compute_uv=True)
        cutoff = rcond * ops.reduce_max(s, axis=-1)
        s = ops.where_v2(s > ops.expand_dims(cutoff, -1), s, np.array(np.inf, dtype))
        inverse = ops.matmul(v / ops.expand_dims(s, -2), u, adjoint_b=True)
        if a.shape.rank is not None:
            inverse.set_shape(a.shape[:-2].concatenate([a.shape[-1], a.shape[-2]]))
        return inverse


def _larger_size(a: Tensor) -> Any:
    """Returns the larger of the last two sizes, as a float or as a tensor of the dtype of `a`."""
    sizes: list[Any] = []
    for axis in (-2, -1):
        size = None if a._dims is None else a._dims[axis]
        sizes.append(ops.shape(a)[axis] if size is None else size)
    if all(isinstance(size, int) for size in sizes):
        return float(max(sizes))
    return ops.cast(ops.maximum(sizes[0], sizes[1]), a.dtype.as_numpy_dtype)
