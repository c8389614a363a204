"""Conjugate gradients for positive definite matrices and for least squares."""

from __future__ import annotations

from typing import Any, NamedTuple

from tfmini._src.contrib.solvers.linear_operator import LinearOperator, dot, l2norm_squared
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


class CGState(NamedTuple):
    """State of the conjugate gradient method: steps, solution, residual, direction, (scaled) squared residual."""

    i: Any
    x: Any
    r: Any
    p: Any
    gamma: Any


class CGLSState(NamedTuple):
    """State of least-squares conjugate gradients: steps, solution, residual, direction, squared gradient."""

    i: Any
    x: Any
    r: Any
    p: Any
    gamma: Any


def _squeeze_state(state: Any) -> Any:
    return state._replace(x=ops.squeeze(state.x), r=ops.squeeze(state.r), p=ops.squeeze(state.p))


def conjugate_gradient(
    operator: LinearOperator,
    rhs: TensorLike,
    preconditioner: LinearOperator | None = None,
    x: TensorLike | None = None,
    tol: TensorLike = 1e-4,
    max_iter: int = 20,
    name: str = "conjugate_gradient",
) -> CGState:
    """Solves A x = b for a symmetric positive definite A.

    Args:
      operator: A, such as returned by `tf.contrib.solvers.util.create_operator`: `shape`, `dtype`, `apply`.
      rhs: b, [n] float tensor.
      preconditioner: an operator that approximates the inverse of A, or None.
      x: initial guess, [n] float tensor; None for zeros.
      tol: relative residual norm at which to stop.
      max_iter: maximum number of steps.

    Returns:
      A named tuple: `i` steps, `x` the solution, `r` the residual b - A x, `p` the direction, `gamma` the squared
      residual norm (with respect to the preconditioner, if any).
    """

    def should_continue(i: Tensor, state: Any) -> Tensor:
        return ops.logical_and(i < max_iter, ops.norm(state.r) > tol)

    def step(i: Tensor, state: Any) -> Any:
        z = operator.apply(state.p)
        alpha = state.gamma / dot(state.p, z)
        x = state.x + alpha * state.p
        r = state.r - alpha * z
        q = r if preconditioner is None else preconditioner.apply(r)
        gamma = dot(r, q)
        beta = gamma / state.gamma
        p = q + beta * state.p
        return i + 1, CGState(i + 1, x, r, p, gamma)

    with name_scope(name):
        n = operator.shape[1:]
        rhs = ops.expand_dims(rhs, -1)
        if x is None:
            x = ops.expand_dims(ops.zeros(n, dtype=rhs.dtype.base_dtype), -1)
            r0 = rhs
        else:
            x = ops.expand_dims(x, -1)
            r0 = rhs - operator.apply(x)
        p0 = r0 if preconditioner is None else preconditioner.apply(r0)
        gamma0 = dot(r0, p0)
        tol *= ops.norm(r0)
        i = ops.constant(0, dtype="int32")
        state = CGState(i, x, r0, p0, gamma0)
        _, state = ops.while_loop(should_continue, step, [i, state])
        return _squeeze_state(state)


def cgls(
    operator: LinearOperator,
    rhs: TensorLike,
    tol: Any = 1e-6,
    max_iter: int = 20,
    name: str = "cgls",
) -> CGLSState:
    """Minimizes |A x - b| by conjugate gradients of the normal equations.

    Args:
      operator: A, [m, n]: `shape`, `dtype`, `apply` and `apply_adjoint`.
      rhs: b, [m] float tensor.
      tol: norm of A^T r, relative to the initial one, at which to stop.
      max_iter: maximum number of steps.

    Returns:
      A named tuple: `i` steps, `x` the solution, `r` the residual b - A x, `p` the direction, `gamma` the squared norm
      of A^T r.
    """

    def should_continue(i: Tensor, state: Any) -> Tensor:
        return ops.logical_and(i < max_iter, state.gamma > tol)

    def step(i: Tensor, state: Any) -> Any:
        q = operator.apply(state.p)
        alpha = state.gamma / l2norm_squared(q)
        x = state.x + alpha * state.p
        r = state.r - alpha * q
        s = operator.apply_adjoint(r)
        gamma = l2norm_squared(s)
        beta = gamma / state.gamma
        p = s + beta * state.p
        return i + 1, CGLSState(i + 1, x, r, p, gamma)

    with name_scope(name):
        n = operator.shape[1:]
        rhs = ops.expand_dims(rhs, -1)
        s0 = operator.apply_adjoint(rhs)
        gamma0 = l2norm_squared(s0)
        tol = tol * tol * gamma0
        x = ops.expand_dims(ops.zeros(n, dtype=rhs.dtype.base_dtype), -1)
        i = ops.constant(0, dtype="int32")
        state = CGLSState(i, x, rhs, s0, gamma0)
        _, state = ops.while_loop(should_continue, step, [i, state])
        return _squeeze_state(state)
