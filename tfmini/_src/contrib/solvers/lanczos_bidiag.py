"""Golub-Kahan-Lanczos bidiagonalization."""

from __future__ import annotations

from typing import Any, NamedTuple

from tfmini._src.contrib.solvers.linear_operator import LinearOperator, l2norm, l2normalize
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.lists.tensor_array import TensorArray


class LanczosBidiagState(NamedTuple):
    """State of the bidiagonalization: two orthogonal bases, in columns, and both diagonals."""

    u: Any
    v: Any
    alpha: Any
    beta: Any


def lanczos_bidiag(
    operator: LinearOperator,
    k: int,
    orthogonalize: bool = True,
    starting_vector: Tensor | None = None,
    name: str = "lanczos_bidiag",
) -> LanczosBidiagState:
    """Bidiagonalizes A in k steps: A V = U B, with alpha on the diagonal of B and beta below it.

    Args:
      operator: A, [m, n]: `shape`, `dtype`, `apply` and `apply_adjoint`, as in `tf.contrib.solvers.util`.
      k: number of steps.
      orthogonalize: whether to orthogonalize new vectors against all previous ones.
      starting_vector: [m, 1] float tensor; None for a random one.

    Returns:
      A named tuple: `u` [m, k + 1], `v` [n, k], `alpha` [k], `beta` [k].
    """

    def step(i: Tensor, state: Any) -> Any:
        u = _read_column(state.u, i)
        r = operator.apply_adjoint(u)
        shape = r.get_shape()

        def subtract_last() -> Tensor:
            return r - state.beta.read(i - 1) * _read_column(state.v, i - 1)

        residual = ops.cond(i > 0, subtract_last, lambda: r)
        residual.set_shape(shape)
        v, alpha = (
            _orthogonalize(i - 1, state.v, residual) if orthogonalize else l2normalize(residual)
        )
        p = operator.apply(v) - alpha * u
        u, beta = _orthogonalize(i, state.u, p) if orthogonalize else l2normalize(p)
        next_index = i + 1
        new = LanczosBidiagState(
            _write_column(state.u, u, i + 1),
            _write_column(state.v, v, i),
            state.alpha.write(i, alpha),
            state.beta.write(i, beta),
        )
        return next_index, new

    with name_scope(name):
        dtype = operator.dtype
        if starting_vector is None:
            starting_vector = ops.random_uniform(operator.shape[:1], -1, 1, dtype=dtype)
        first, _ = l2normalize(starting_vector)

        def array(size: int, name: str) -> Any:
            return TensorArray(
                dtype=dtype, size=size, tensor_array_name=name, clear_after_read=False
            )

        state = LanczosBidiagState(
            _write_column(array(k + 1, "u"), first, 0),
            array(k, "v"),
            array(k, "alpha"),
            array(k, "beta"),
        )
        i = ops.constant(0, dtype="int32")
        _, state = ops.while_loop(lambda i, _: i < k, step, [i, state])
        return LanczosBidiagState(
            ops.matrix_transpose(state.u.stack()),
            ops.matrix_transpose(state.v.stack()),
            state.alpha.stack(),
            state.beta.stack(),
        )


def _read_column(array: Any, i: Any) -> Tensor:
    return ops.expand_dims(array.read(i), -1)


def _write_column(array: Any, column: Tensor, i: Any) -> Any:
    return array.write(i, ops.squeeze(column))


def _orthogonalize(i: Tensor, basis: Any, v: Tensor) -> Any:
    """Orthogonalizes `v` against the first columns of a basis, twice on severe cancellation, and normalizes it."""
    norm = l2norm(v)
    new, new_norm = _orthogonal_once(i, basis, v)
    return ops.cond(
        new_norm < 0.7071 * norm,
        lambda: _orthogonal_once(i, basis, v),
        lambda: (new, new_norm),
    )


def _orthogonal_once(i: Tensor, basis: Any, v: Tensor) -> Any:
    def steps_minus_one(j: Tensor, basis: Any, v: Tensor) -> Any:
        shape = v.get_shape()
        column = _read_column(basis, j)
        v -= ops.matmul(column, v, adjoint_a=True) * column
        v.set_shape(shape)
        return j + 1, basis, v

    j = ops.constant(0, dtype="int32")
    _, _, v = ops.while_loop(lambda j, basis, v: j < i, steps_minus_one, [j, basis, v])
    return l2normalize(v)


def bidiag_matmul(
    matrix: Tensor,
    alpha: Tensor,
    beta: Tensor,
    adjoint_b: bool = False,
    name: str = "bidiag_matmul",
) -> Tensor:
    """Returns the product of a matrix with a bidiagonal one.

    Args:
      matrix: [m, k + 1] float tensor, or [m, k] with `adjoint_b`.
      alpha: the diagonal, [k].
      beta: the subdiagonal, [k].
      adjoint_b: whether to transpose the bidiagonal matrix.

    Returns:
      [m, k] tensor.
    """
    with name_scope(name):
        alpha = ops.expand_dims(alpha, 0)
        if adjoint_b is False:
            beta = ops.expand_dims(beta, 0)
            return matrix[:, :-1] * alpha + matrix[:, 1:] * beta
        beta = ops.expand_dims(beta[:-1], 0)
        shape = ops.shape(matrix)
        zeros = ops.expand_dims(ops.zeros(shape[:1], dtype=matrix.dtype), 1)
        return matrix * alpha + ops.concat([zeros, matrix[:, :-1] * beta], 1)
