"""Operators of zero matrices, and the rules for products with them."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes, errors
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.linear_operators.algebra import rule
from tfmini._src.probability.linear_operators.linear_operator import LinearOperator
from tfmini._src.probability.linear_operators.operator_size import (
    SizedOperator,
    integers,
    reject_variable,
)


class LinearOperatorZeros(SizedOperator):
    """A batch of zero matrices.

        tf.linalg.LinearOperatorZeros(2, 3, is_square=False).to_dense()    # zeros, [2, 3]

    Args:
      num_rows: m, an integer scalar.
      num_columns: n, an integer scalar, by default m.
      batch_shape, dtype, assert_proper_shapes: as in `LinearOperatorIdentity`.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: properties of zero matrices; `is_square` must
        be False if the sizes differ.

    Raises:
      TypeError, ValueError: if a hint does not hold for zero matrices, or a size is not a nonnegative integer.
    """

    def __init__(
        self,
        num_rows: TensorLike,
        num_columns: TensorLike | None = None,
        batch_shape: TensorLike | None = None,
        dtype: DTypeLike | None = None,
        is_non_singular: bool | None = False,
        is_self_adjoint: bool | None = True,
        is_positive_definite: bool | None = False,
        is_square: bool | None = True,
        assert_proper_shapes: bool = False,
        name: str = "LinearOperatorZeros",
    ):
        self._assert_proper_shapes = assert_proper_shapes
        with name_scope(name):
            dtype = dtypes.as_dtype(dtype or dtypes.float32)
            for contradicts, property_name in (
                (not is_self_adjoint and is_square, "self adjoint"),
                (is_non_singular, "singular"),
                (is_positive_definite, "not positive-definite"),
            ):
                if contradicts:
                    raise ValueError(f"A zero operator is always {property_name}.")
            super().__init__(
                dtype=dtype,
                is_non_singular=is_non_singular,
                is_self_adjoint=is_self_adjoint,
                is_positive_definite=is_positive_definite,
                is_square=is_square,
                name=name,
            )
            for size, argument in (
                (num_rows, "num_rows"),
                (num_columns, "num_columns"),
                (batch_shape, "batch_shape"),
            ):
                reject_variable(size, argument)
            self._take_sizes(num_rows, num_rows if num_columns is None else num_columns)
            if is_square and None not in (self._m, self._n) and self._m != self._n:
                raise ValueError(
                    "LinearOperatorZeros initialized as is_square=True, but got "
                    f"num_rows({self._m}) != num_columns({self._n})"
                )
            self._take_batch(batch_shape)

    def _take_sizes(self, num_rows: Any, num_columns: Any) -> None:
        rows, columns = integers(num_rows, "num_rows"), integers(num_columns, "num_columns")
        self._m, self._n = ops.get_static_value(rows), ops.get_static_value(columns)
        self._num_rows = self._check_integers(rows, self._m, "num_rows", 0)
        self._num_columns = self._check_integers(columns, self._n, "num_columns", 0)

    def _shape(self) -> TensorShape:
        matrix = TensorShape((self._m, self._n))
        if self._batch is None:
            return matrix
        return TensorShape(self._static_batch).concatenate(matrix)

    def _shape_tensor(self) -> Tensor:
        matrix = ops.stack((self._num_rows, self._num_columns), axis=0)
        return matrix if self._batch is None else ops.concat((self._batch, matrix), 0)

    def _assert_non_singular(self) -> Any:
        errors.invalid("Zero operators are always non-invertible.")

    def _assert_positive_definite(self) -> Any:
        errors.invalid("Zero operators are always non-positive definite.")

    def _assert_self_adjoint(self) -> Any:
        return ops.no_op("assert_self_adjoint")

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        if self._assert_proper_shapes:
            x = self._fitting(x, adjoint_arg)
        if self.is_square:
            shape = ops.shape(x)
            if adjoint_arg:
                batch = shape[:-2]
                rows = ops.shape(x)[-1]
                shape = ops.concat([batch, [rows, ops.shape(x)[-2]]], axis=0)
        else:
            provided = ops.shape(x)
            rows = self._num_columns if adjoint else self._num_rows
            columns = provided[-2] if adjoint_arg else provided[-1]
            shape = ops.concat([provided[:-2], [rows, columns]], axis=0)
        return self._repeat_for_batch(ops.zeros(shape=shape, dtype=x.dtype))

    def _zeros(self) -> Tensor:
        """Returns one zero per matrix."""
        is_static = self.batch_shape.is_fully_defined()
        shape = self.batch_shape if is_static else self.batch_shape_tensor()
        return ops.zeros(shape=shape, dtype=self.dtype)

    def _determinant(self) -> Tensor:
        return self._zeros()

    def _trace(self) -> Tensor:
        return self._zeros()

    def _diag_part(self) -> Tensor:
        if self.shape.is_fully_defined():
            size: Any = min(self.shape.as_list()[-2:])
            shape: Any = self.batch_shape.concatenate([size])
        else:
            batch = self.batch_shape_tensor()
            size = ops.reduce_min(self.shape_tensor()[-2:])
            shape = ops.concat([batch, [size]], axis=0)
        return ops.zeros(shape=shape, dtype=self.dtype)

    def add_to_tensor(self, mat: Any, name: str = "add_to_tensor") -> Any:
        """Returns `mat` [..., m, n], repeated for each matrix in the batch."""
        return self._repeat_for_batch(mat)


def _multiply_zeros(zeros: LinearOperatorZeros, other: LinearOperator) -> LinearOperatorZeros:
    if not zeros.is_square or not other.is_square:
        raise ValueError(
            "Matmul with non-square `LinearOperator`s or non-square `LinearOperatorZeros` not supported "
            "at this time."
        )
    return zeros


@rule("Matmul", LinearOperator, LinearOperatorZeros)
def _(a, b):
    return _multiply_zeros(b, a)


@rule("Matmul", LinearOperatorZeros, LinearOperator)
def _(a, b):
    return _multiply_zeros(a, b)
