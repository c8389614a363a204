"""Operators of triangular, diagonal and full matrices."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.linear_operators import batches
from tfmini._src.probability.linear_operators.linear_operator import LinearOperator, as_tensor


def assert_no_zeros(
    x: Any, message: str = "Singular operator:  Diagonal contained zero values."
) -> Any:
    """Returns an op that fails if an element of `x` is 0."""
    with name_scope("assert_no_entries_with_modulus_zero", values=[x]):
        x = ops.convert_to_tensor(x, name="x")
        size = ops.abs(x)
        zero = ops.convert_to_tensor(0, dtype=x.dtype.base_dtype.real_dtype)
        return ops.assert_less(zero, size, message=message)


def assert_real(x: Any, message: str) -> Any:
    """Returns an op that fails if an element of `x` is not real."""
    with name_scope("assert_zero_imag_part", values=[x]):
        x = ops.convert_to_tensor(x, name="x")
        if x.dtype.base_dtype.is_floating:
            return ops.no_op()
        zero = ops.convert_to_tensor(0, dtype=x.dtype.base_dtype.real_dtype)
        return ops.assert_equal(zero, ops.imag(x), message=message)


class LinearOperatorLowerTriangular(LinearOperator):
    """Lower triangular matrices, stored in the lower triangles of [..., n, n] matrices.

    Args:
      tril: [..., n, n] tensor, whose upper triangle is ignored.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints about the matrices.

    Raises:
      ValueError: if `is_square` is False, or `tril` has fewer than two dimensions.
    """

    @arguments_of(LinearOperator, "dtype", "graph_parents", name="LinearOperatorLowerTriangular")
    def __init__(self, tril: Any, is_square: bool | None, name: str, **hints: Any):
        if is_square is False:
            raise ValueError("Only square lower triangular operators supported at this time.")
        with name_scope(name, values=[tril]):
            self._tril = as_tensor(tril, "tril")
            if self._tril.shape.ndims is not None and self._tril.shape.ndims < 2:
                raise ValueError(
                    f"Argument tril must have at least 2 dimensions.  Found: {self._tril}"
                )
            super().__init__(
                dtype=self._tril.dtype,
                graph_parents=[self._tril],
                is_square=True,
                name=name,
                **hints,
            )

    def _triangle(self) -> Tensor:
        return ops.matrix_band_part(self._tril, -1, 0)

    def _diagonal(self) -> Tensor:
        return ops.matrix_diag_part(self._tril)

    def _shape(self) -> TensorShape:
        return self._tril.shape

    def _shape_tensor(self) -> Tensor:
        return ops.shape(self._tril)

    def _assert_non_singular(self) -> Any:
        return assert_no_zeros(self._diagonal())

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return ops.matmul(self._triangle(), x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _determinant(self) -> Tensor:
        return ops.reduce_prod(self._diagonal(), axis=[-1])

    def _log_abs_determinant(self) -> Tensor:
        return ops.reduce_sum(ops.log(ops.abs(self._diagonal())), axis=[-1])

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        rhs = ops.adjoint(rhs) if adjoint_arg else rhs
        return batches.triangular_solve(self._triangle(), rhs, lower=True, adjoint=adjoint)

    def _to_dense(self) -> Tensor:
        return self._triangle()


class LinearOperatorDiag(LinearOperator):
    """A batch of diagonal matrices.

    Args:
      diag: [..., n] tensor.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints about the matrices.

    Raises:
      ValueError: if `is_square` is False, `is_self_adjoint` is False for a real diagonal, or `diag` is a scalar.
    """

    diag: Any = read_only("The diagonals, [..., n].")

    @arguments_of(LinearOperator, "dtype", "graph_parents", name="LinearOperatorDiag")
    def __init__(
        self,
        diag: Any,
        is_self_adjoint: bool | None,
        is_square: bool | None,
        name: str,
        **hints: Any,
    ):
        with name_scope(name, values=[diag]):
            self._diag = as_tensor(diag, "diag")
            if self._diag.shape.ndims is not None and self._diag.shape.ndims < 1:
                raise ValueError(
                    f"Argument diag must have at least 1 dimension.  Found: {self._diag}"
                )
            if not self._diag.dtype.is_complex:
                if is_self_adjoint is False:
                    raise ValueError("A real diagonal operator is always self adjoint.")
                is_self_adjoint = True
            if is_square is False:
                raise ValueError("Only square diagonal operators currently supported.")
            super().__init__(
                dtype=self._diag.dtype,
                graph_parents=[self._diag],
                is_self_adjoint=is_self_adjoint,
                is_square=True,
                name=name,
                **hints,
            )

    def _shape(self) -> TensorShape:
        shape = self._diag.shape
        return shape.concatenate(shape[-1:])

    def _shape_tensor(self) -> Tensor:
        shape = ops.shape(self._diag)
        return ops.concat((shape, [shape[-1]]), 0)

    def _assert_non_singular(self) -> Any:
        return assert_no_zeros(self._diag)

    def _assert_positive_definite(self) -> Any:
        if self.dtype.is_complex:
            message = (
                "Diagonal operator had diagonal entries with non-positive real part, thus was not "
                "positive definite."
            )
        else:
            message = (
                "Real diagonal operator had non-positive diagonal entries, thus was not positive "
                "definite."
            )
        return ops.assert_positive(ops.real(self._diag), message=message)

    def _assert_self_adjoint(self) -> Any:
        message = (
            "This diagonal operator contained non-zero imaginary values.   Thus it was not "
            "self-adjoint."
        )
        return assert_real(self._diag, message)

    def _factor(self, adjoint: bool) -> Any:
        return ops.conj(self._diag) if adjoint else self._diag

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        factor = self._factor(adjoint)
        x = ops.adjoint(x) if adjoint_arg else x
        return ops.expand_dims(factor, -1) * x

    def _matvec(self, x: Tensor, adjoint: bool = False) -> Tensor:
        return self._factor(adjoint) * x

    def _determinant(self) -> Tensor:
        return ops.reduce_prod(self._diag, axis=[-1])

    def _log_abs_determinant(self) -> Tensor:
        logarithm = ops.reduce_sum(ops.log(ops.abs(self._diag)), axis=[-1])
        return ops.cast(logarithm, dtype=self.dtype) if self.dtype.is_complex else logarithm

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        factor = self._factor(adjoint)
        rhs = ops.adjoint(rhs) if adjoint_arg else rhs
        return rhs * ops.expand_dims(1.0 / factor, -1)

    def _to_dense(self) -> Tensor:
        return ops.matrix_diag(self._diag)

    def _diag_part(self) -> Any:
        return self.diag

    def _add_to_tensor(self, x: Tensor) -> Tensor:
        diagonal = ops.matrix_diag_part(x)
        return ops.matrix_set_diag(x, self._diag + diagonal)


class LinearOperatorFullMatrix(LinearOperator):
    """A batch of full matrices, without special structure.

    Args:
      matrix: [..., m, n] float or complex tensor.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints about the matrices.

    Raises:
      TypeError: for other dtypes.
      ValueError: if `matrix` has fewer than two dimensions.
    """

    @arguments_of(LinearOperator, "dtype", "graph_parents", name="LinearOperatorFullMatrix")
    def __init__(self, matrix: TensorLike, name: str, **hints: Any):
        with name_scope(name, values=[matrix]):
            self._matrix = as_tensor(matrix, "matrix")
            tensor = ops.convert_to_tensor(self._matrix, name="matrix")
            allowed = [dtypes.float16, dtypes.float32, dtypes.float64]
            allowed += [dtypes.complex64, dtypes.complex128]
            if tensor.dtype not in allowed:
                raise TypeError(
                    f"Argument matrix must have dtype in {allowed}.  Found: {tensor.dtype}"
                )
            if tensor.shape.ndims is not None and tensor.shape.ndims < 2:
                raise ValueError(
                    f"Argument matrix must have at least 2 dimensions.  Found: {tensor}"
                )
            super().__init__(
                dtype=self._matrix.dtype,
                graph_parents=[self._matrix],
                name=name,
                **hints,
            )

    def _shape(self) -> TensorShape:
        return self._matrix.shape

    def _shape_tensor(self) -> Tensor:
        return ops.shape(self._matrix)

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return ops.matmul(self._matrix, x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _to_dense(self) -> Tensor:
        return self._matrix
