"""Operators of identity matrices, plain and scaled, and the rules for them."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.linear_operators.algebra import rule
from tfmini._src.probability.linear_operators.derived_operators import diagonal_product
from tfmini._src.probability.linear_operators.explicit_matrices import LinearOperatorDiag
from tfmini._src.probability.linear_operators.linear_operator import LinearOperator, as_tensor
from tfmini._src.probability.linear_operators.operator_size import (
    SizedOperator,
    integers,
    reject_variable,
)


class _BaseIdentity(SizedOperator):
    """Base class of identity operators; implements their row counts and diagonals."""

    _num_rows: Tensor

    def _take_rows(self, num_rows: Any) -> None:
        self._num_rows = integers(num_rows, "num_rows")
        self._rows = ops.get_static_value(self._num_rows)
        self._num_rows = self._check_integers(self._num_rows, self._rows, "num_rows", 0)

    def _size(self) -> int | None:
        return self.domain_dimension.value

    def _size_tensor(self) -> Tensor:
        return ops.reduce_min(self.shape_tensor()[-2:])

    def _ones_diag(self) -> Tensor:
        if self.shape.is_fully_defined():
            shape: Any = self.batch_shape.concatenate([self._size()])
        else:
            shape = ops.concat([self.batch_shape_tensor(), [self._size_tensor()]], axis=0)
        return ops.ones(shape=shape, dtype=self.dtype)

    def _batch_of_ones(self) -> Tensor:
        is_static = self.batch_shape.is_fully_defined()
        shape = self.batch_shape if is_static else self.batch_shape_tensor()
        return ops.ones(shape=shape, dtype=self.dtype)

    def _diagonal_to_add(self) -> Any:
        raise NotImplementedError("_diagonal_to_add is not implemented.")

    def add_to_tensor(self, mat: TensorLike, name: str = "add_to_tensor") -> Tensor:
        """Returns the sum of the matrices and `mat` [..., n, n]."""
        with self._name_scope(name):
            diagonal = self._diagonal_to_add()
            mat = ops.convert_to_tensor(mat, name="mat")
            old = ops.matrix_diag_part(mat)
            return ops.matrix_set_diag(mat, diagonal + old)


class LinearOperatorIdentity(_BaseIdentity):
    """A batch of identity matrices.

    Args:
      num_rows: n, an integer scalar.
      batch_shape: an integer vector, the batch shape; by default there is no batch.
      dtype: the dtype, by default float32.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: must be True.
      assert_proper_shapes: whether to check sizes at run time.

    Raises:
      TypeError, ValueError: if a hint is not True, or a size is not a nonnegative integer.
    """

    def __init__(
        self,
        num_rows: TensorLike,
        batch_shape: TensorLike | None = None,
        dtype: DTypeLike | None = None,
        is_non_singular: bool | None = True,
        is_self_adjoint: bool | None = True,
        is_positive_definite: bool | None = True,
        is_square: bool | None = True,
        assert_proper_shapes: bool = False,
        name: str = "LinearOperatorIdentity",
    ):
        self._assert_proper_shapes = assert_proper_shapes
        with name_scope(name):
            dtype = dtypes.as_dtype(dtype or dtypes.float32)
            for hint, property_name in (
                (is_self_adjoint, "self adjoint"),
                (is_non_singular, "non-singular"),
                (is_positive_definite, "positive-definite"),
                (is_square, "square"),
            ):
                if not hint:
                    raise ValueError(f"An identity operator is always {property_name}.")
            super().__init__(
                dtype=dtype,
                is_non_singular=is_non_singular,
                is_self_adjoint=is_self_adjoint,
                is_positive_definite=is_positive_definite,
                is_square=is_square,
                name=name,
            )
            reject_variable(num_rows, "num_rows")
            reject_variable(batch_shape, "batch_shape")
            self._take_rows(num_rows)
            self._take_batch(batch_shape)

    def _shape(self) -> TensorShape:
        matrix = TensorShape((self._rows, self._rows))
        if self._batch is None:
            return matrix
        return TensorShape(self._static_batch).concatenate(matrix)

    def _shape_tensor(self) -> Tensor:
        matrix = ops.stack((self._num_rows, self._num_rows), axis=0)
        return matrix if self._batch is None else ops.concat((self._batch, matrix), 0)

    def _assert_non_singular(self) -> Any:
        return ops.no_op("assert_non_singular")

    def _assert_positive_definite(self) -> Any:
        return ops.no_op("assert_positive_definite")

    def _assert_self_adjoint(self) -> Any:
        return ops.no_op("assert_self_adjoint")

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self._repeat_for_batch(self._fitting(x, adjoint_arg))

    def _determinant(self) -> Tensor:
        return ops.ones(shape=self.batch_shape_tensor(), dtype=self.dtype)

    def _log_abs_determinant(self) -> Tensor:
        return ops.zeros(shape=self.batch_shape_tensor(), dtype=self.dtype)

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self._matmul(rhs, adjoint_arg=adjoint_arg)

    def _trace(self) -> Tensor:
        ones = self._batch_of_ones()
        if self._size() is not None:
            return self._size() * ones
        return ops.cast(self._size_tensor(), self.dtype) * ones

    def _diag_part(self) -> Tensor:
        return self._ones_diag()

    def _diagonal_to_add(self) -> Any:
        return 1


class LinearOperatorScaledIdentity(_BaseIdentity):
    """A batch of scaled identity matrices.

    Args:
      num_rows: n, an integer scalar.
      multiplier: [...] tensor, one number per matrix.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints about the matrices.
      assert_proper_shapes: whether to check sizes at run time.

    Raises:
      TypeError, ValueError: if a hint contradicts known properties, or a size is not a nonnegative integer.
    """

    multiplier: Any = read_only("The scale factors, [...].")

    def __init__(
        self,
        num_rows: TensorLike,
        multiplier: TensorLike,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = True,
        assert_proper_shapes: bool = False,
        name: str = "LinearOperatorScaledIdentity",
    ):
        self._assert_proper_shapes = assert_proper_shapes
        with name_scope(name, values=[multiplier, num_rows]):
            self._multiplier = as_tensor(multiplier, "multiplier")
            if not self._multiplier.dtype.is_complex:
                if is_self_adjoint is False:
                    raise ValueError("A real diagonal operator is always self adjoint.")
                is_self_adjoint = True
            if not is_square:
                raise ValueError("A ScaledIdentity operator is always square.")
            reject_variable(num_rows, "num_rows")
            super().__init__(
                dtype=self._multiplier.dtype.base_dtype,
                is_non_singular=is_non_singular,
                is_self_adjoint=is_self_adjoint,
                is_positive_definite=is_positive_definite,
                is_square=is_square,
                name=name,
            )
            self._take_rows(num_rows)
            self._rows_as_dtype = ops.cast(self._num_rows, self.dtype)
            self._rows_as_real = ops.cast(self._num_rows, self.dtype.real_dtype)

    def _shape(self) -> TensorShape:
        return self.multiplier.shape.concatenate(TensorShape((self._rows, self._rows)))

    def _shape_tensor(self) -> Tensor:
        matrix = ops.stack((self._num_rows, self._num_rows), axis=0)
        return ops.concat((ops.shape(self.multiplier), matrix), 0)

    def _assert_non_singular(self) -> Any:
        size = ops.abs(self.multiplier)
        return ops.assert_positive(size, message="LinearOperator was singular")

    def _assert_positive_definite(self) -> Any:
        message = "LinearOperator was not positive definite."
        return ops.assert_positive(ops.real(self.multiplier), message=message)

    def _assert_self_adjoint(self) -> Any:
        part = ops.imag(self.multiplier)
        message = "LinearOperator was not self-adjoint"
        return ops.assert_equal(ops.zeros_like(part), part, message=message)

    def _factor(self, conjugate: bool) -> Tensor:
        factor = ops.expand_dims(ops.expand_dims(self.multiplier, -1), -1)
        return ops.conj(factor) if conjugate else factor

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self._fitting(x, adjoint_arg) * self._factor(adjoint)

    def _determinant(self) -> Tensor:
        return self.multiplier**self._rows_as_dtype

    def _log_abs_determinant(self) -> Tensor:
        return self._rows_as_real * ops.log(ops.abs(self.multiplier))

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self._fitting(rhs, adjoint_arg) / self._factor(adjoint)

    def _trace(self) -> Tensor:
        ones = self._batch_of_ones()
        if self._size() is not None:
            return self.multiplier * self._size() * ones
        return self.multiplier * ops.cast(self._size_tensor(), self.dtype) * ones

    def _diag_part(self) -> Tensor:
        return self._ones_diag() * self.multiplier[..., None]

    def _diagonal_to_add(self) -> Tensor:
        return ops.expand_dims(self.multiplier, -1)


@rule("Adjoint", LinearOperatorIdentity)
def _(operator):
    return operator


@rule("Inverse", LinearOperatorIdentity)
def _(operator):
    return operator


@rule("Cholesky", LinearOperatorIdentity)
def _(operator):
    return LinearOperatorIdentity(
        operator._num_rows, batch_shape=operator.batch_shape, dtype=operator.dtype
    )


@rule("Matmul", LinearOperatorIdentity, LinearOperator)
def _(a, b):
    return b


@rule("Matmul", LinearOperator, LinearOperatorIdentity)
def _(a, b):
    return a


@rule("Solve", LinearOperatorIdentity, LinearOperator)
def _(a, b):
    return b


@rule("Adjoint", LinearOperatorScaledIdentity)
def _(operator):
    factor = operator.multiplier
    return LinearOperatorScaledIdentity(
        operator._num_rows,
        ops.conj(factor) if factor.dtype.is_complex else factor,
        is_non_singular=operator.is_non_singular,
        is_self_adjoint=operator.is_self_adjoint,
        is_positive_definite=operator.is_positive_definite,
    )


@rule("Inverse", LinearOperatorScaledIdentity)
def _(operator):
    return LinearOperatorScaledIdentity(
        operator._num_rows,
        1.0 / operator.multiplier,
        is_non_singular=operator.is_non_singular,
        is_self_adjoint=True,
        is_positive_definite=operator.is_positive_definite,
    )


@rule("Cholesky", LinearOperatorScaledIdentity)
def _(operator):
    return LinearOperatorScaledIdentity(
        operator._num_rows,
        ops.sqrt(operator.multiplier),
        is_non_singular=True,
        is_self_adjoint=True,
        is_positive_definite=True,
    )


@rule("Matmul", LinearOperatorDiag, LinearOperatorScaledIdentity)
def _(a, b):
    return diagonal_product(a, b, a.diag * b.multiplier)


@rule("Matmul", LinearOperatorScaledIdentity, LinearOperatorDiag)
def _(a, b):
    return diagonal_product(b, a, b.diag * a.multiplier)


@rule("Solve", LinearOperatorDiag, LinearOperatorScaledIdentity)
def _(a, b):
    return diagonal_product(a, b, b.multiplier / a.diag)


@rule("Solve", LinearOperatorScaledIdentity, LinearOperatorDiag)
def _(a, b):
    return diagonal_product(b, a, b.diag / a.multiplier)
