"""Low-rank updates of linear operators."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import Dimension, TensorShape
from tfmini._src.base.shapes.tensor_shape import dimension_at_index
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.probability.linear_operators import batches
from tfmini._src.probability.linear_operators.explicit_matrices import LinearOperatorDiag
from tfmini._src.probability.linear_operators.identity import LinearOperatorIdentity
from tfmini._src.probability.linear_operators.linear_operator import LinearOperator, as_tensor


class LinearOperatorLowRankUpdate(LinearOperator):
    """`L + U D V^H`: an easily inverted operator L plus an update of rank k, inverted by Woodbury's formula.

    Args:
      base_operator: the LinearOperator L of shape [..., m, n].
      u: [..., m, k] tensor.
      diag_update: [..., k] tensor, the diagonal of D; by default ones.
      v: [..., n, k] tensor, by default `u`.
      is_diag_update_positive: whether the diagonal is known to be real and positive.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints about the sums.

    Raises:
      ValueError: if a hint contradicts the hints of L and D, or shapes are incompatible.
    """

    u: Any = read_only("The left factor of the update, [..., m, k].")
    v: Any = read_only("The right factor of the update, [..., n, k].")
    is_diag_update_positive: bool | None = read_only(
        "Whether the diagonal is known to be positive."
    )
    diag_update: Any = read_only("The diagonal, [..., k], or None if it is all ones.")
    diag_operator: LinearOperator = read_only("The operator D.")
    base_operator: LinearOperator = read_only("The operator L.")

    @arguments_of(LinearOperator, "dtype", "graph_parents", name="LinearOperatorLowRankUpdate")
    def __init__(
        self,
        base_operator: LinearOperator,
        u: Any,
        diag_update: Any = None,
        v: Any = None,
        is_diag_update_positive: bool | None = None,
        *,
        is_square: bool | None,
        name: str,
        **hints: Any,
    ):
        positive = _is_positive(base_operator, diag_update, is_diag_update_positive)
        self._use_cholesky = _complete_hints(hints, base_operator, v is None, positive)
        with name_scope(name, values=[*base_operator.graph_parents, u, diag_update, v]):
            self._u = as_tensor(u, "u")
            self._v = self._u if v is None else as_tensor(v, "v")
            self._diag_update = (
                None if diag_update is None else as_tensor(diag_update, "diag_update")
            )
            self._base_operator = base_operator
            parents = [*base_operator.graph_parents, self._u, self._diag_update, self._v]
            super().__init__(
                dtype=base_operator.dtype,
                graph_parents=[parent for parent in parents if parent is not None],
                is_square=is_square,
                name=name,
                **hints,
            )
            self._diag_operator: LinearOperator
            if self._diag_update is not None:
                self._diag_operator = LinearOperatorDiag(
                    self._diag_update, is_positive_definite=positive
                )
            else:
                rank = dimension_at_index(self._u.shape, -1).value
                rank = ops.shape(self._u)[-1] if rank is None else rank
                self._diag_operator = LinearOperatorIdentity(num_rows=rank, dtype=self.dtype)
            self._is_diag_update_positive = positive
            self._check_shapes()

    def _check_shapes(self) -> None:
        both = ops.broadcast_static_shape(self._u.shape, self._v.shape)
        batch = ops.broadcast_static_shape(self._base_operator.batch_shape, both[:-2])
        Dimension(self._base_operator.domain_dimension).assert_is_compatible_with(both[-2])
        if self._diag_update is not None:
            shape = self._diag_update.shape
            dimension_at_index(both, -1).assert_is_compatible_with(shape[-1])
            ops.broadcast_static_shape(batch, shape[:-1])

    def _shape(self) -> TensorShape:
        base = self._base_operator
        batch = ops.broadcast_static_shape(base.batch_shape, self._u.shape[:-2])
        return batch.concatenate(base.shape[-2:])

    def _shape_tensor(self) -> Tensor:
        base = self._base_operator
        batch = base.batch_shape_tensor()
        batch = ops.broadcast_dynamic_shape(batch, ops.shape(self._u)[:-2])
        return ops.concat([batch, base.shape_tensor()[-2:]], axis=0)

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        left, right = (self._v, self._u) if adjoint else (self._u, self._v)
        first = self._base_operator.matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)
        projected = ops.matmul(right, x, adjoint_a=True, adjoint_b=adjoint_arg)
        projected = self._diag_operator.matmul(projected, adjoint=adjoint)
        return first + ops.matmul(left, projected)

    def _capacitance(self) -> Tensor:
        """Returns `D^-1 + V^H L^-1 U`, the k x k matrix in Woodbury's formula and the determinant lemma."""
        product = ops.matmul(self._v, self._base_operator.solve(self._u), adjoint_a=True)
        return self._diag_operator.inverse().add_to_tensor(product)

    def _determinant(self) -> Tensor:
        if self.is_positive_definite:
            return ops.exp(self.log_abs_determinant())
        inner = ops.matrix_determinant(self._capacitance())
        diagonal = self._diag_operator.determinant()
        base = self._base_operator.determinant()
        return inner * diagonal * base

    def _log_abs_determinant(self) -> Tensor:
        diagonal = self._diag_operator.log_abs_determinant()
        base = self._base_operator.log_abs_determinant()
        if self._use_cholesky:
            factor = ops.matrix_diag_part(ops.cholesky(self._capacitance()))
            inner = 2 * ops.reduce_sum(ops.log(factor), axis=[-1])
        else:
            inner = ops.log(ops.abs(ops.matrix_determinant(self._capacitance())))
            if self.dtype.is_complex:
                inner = ops.cast(inner, dtype=self.dtype)
        return inner + diagonal + base

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        base = self._base_operator
        if base.is_non_singular is False:
            raise ValueError(
                "Solve not implemented unless this is a perturbation of a non-singular LinearOperator."
            )
        left, right = (self._v, self._u) if adjoint else (self._u, self._v)
        first = base.solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)
        projected = ops.matmul(right, first, adjoint_a=True)
        if self._use_cholesky:
            projected = batches.cholesky_solve(ops.cholesky(self._capacitance()), projected)
        else:
            projected = batches.matrix_solve(self._capacitance(), projected, adjoint=adjoint)
        return first - base.solve(ops.matmul(left, projected), adjoint=adjoint)


def _is_positive(base: LinearOperator, diag_update: Any, value: bool | None) -> bool | None:
    """Whether the diagonal of an update is positive, as far as known."""
    if diag_update is None:
        if value is False:
            raise ValueError(
                "Default diagonal is the identity, which is positive.  However, user set "
                "'is_diag_update_positive' to False."
            )
        return True
    if value and base.dtype.is_complex:
        logs.warn(
            "Note: setting is_diag_update_positive with a complex dtype means that diagonal is real "
            "and positive."
        )
    return value


def _complete_hints(
    hints: dict, base: LinearOperator, symmetric: bool, positive: bool | None
) -> bool | None:
    """Adds hints implied by the parts; returns whether the sum is known to have a Cholesky factor."""
    factors = base.is_positive_definite and base.is_self_adjoint and positive and symmetric
    if base.is_self_adjoint and symmetric and not base.dtype.is_complex:
        if hints["is_self_adjoint"] is False:
            raise ValueError(
                "A = L + UDU^H, with L self-adjoint and D real diagonal.  Since UDU^H is self-adjoint, "
                "this must be a self-adjoint operator."
            )
        hints["is_self_adjoint"] = True
    if factors:
        if False in hints.values():
            raise ValueError("Arguments imply this is self-adjoint positive-definite operator.")
        hints["is_positive_definite"] = hints["is_self_adjoint"] = True
    return factors
