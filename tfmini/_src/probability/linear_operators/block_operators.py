"""Block-diagonal operators and Kronecker products."""

from __future__ import annotations

import functools
from collections.abc import Callable
from operator import add, mul
from typing import Any

from tfmini._src.base import dtypes, errors
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.probability.linear_operators.algebra import rule
from tfmini._src.probability.linear_operators.batches import broadcast_batches
from tfmini._src.probability.linear_operators.hints import (
    HINTS,
    check_one_dtype,
    known_hints,
    shared_hints,
)
from tfmini._src.probability.linear_operators.linear_operator import LinearOperator


class _BlockOperator(LinearOperator):
    """Base class of both operators, which stores their factors and the broadcast batch shape."""

    operators: list[LinearOperator] = read_only("The operators, in order.")
    _operators: list[LinearOperator]

    def _init(self, operators: list[LinearOperator], hints: dict, name: str) -> None:
        self._operators = operators
        parents = [parent for operator in operators for parent in operator.graph_parents]
        with name_scope(name, values=parents):
            super().__init__(operators[0].dtype, graph_parents=parents, name=name, **hints)

    def _static_batch(self) -> TensorShape:
        batch = self.operators[0].batch_shape
        for operator in self.operators[1:]:
            batch = ops.broadcast_static_shape(batch, operator.batch_shape)
        return batch


class LinearOperatorBlockDiag(_BlockOperator):
    """Block-diagonal matrices, with square blocks along the diagonal and zeros elsewhere.

        a = tf.linalg.LinearOperatorFullMatrix([[1.0, 2.0], [3.0, 4.0]])
        tf.linalg.LinearOperatorBlockDiag([a, a]).to_dense()    # [4, 4]

    Args:
      operators: square LinearOperators of the same dtype and broadcastable batch shapes.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints about the block-diagonal matrices.
      name: operator name; by default the names of the operators, joined by "_ds_".

    Raises:
      TypeError: if the dtypes differ.
      ValueError: if there are no operators, one is not known to be square, or a hint contradicts theirs.
    """

    @arguments_of(LinearOperator, "dtype", "graph_parents", is_square=True)
    def __init__(self, operators: Any, is_square: bool | None, name: str | None, **kwargs: Any):
        operators = check_one_dtype(operators)
        properties = {
            **{hint: HINTS[hint] for hint in kwargs},
            "is_positive_definite": "positive definite",
        }
        hints = shared_hints(operators, properties, kwargs, "direct sum")
        if not (is_square and all(operator.is_square for operator in operators)):
            raise ValueError("Can only represent a block diagonal of square matrices.")
        names = "_ds_".join(operator.name for operator in operators)
        self._init(operators, {**hints, "is_square": True}, names if name is None else name)

    def _shape(self) -> TensorShape:
        columns, rows = self.operators[0].domain_dimension, self.operators[0].range_dimension
        for operator in self.operators[1:]:
            columns += operator.domain_dimension
            rows += operator.range_dimension
        return self._static_batch().concatenate(TensorShape([columns, rows]))

    def _shape_tensor(self) -> Tensor:
        if self.shape.is_fully_defined():
            dims = self.shape.as_list()
            return ops.convert_to_tensor(dims, dtype=dtypes.int32, name="shape")
        first, *rest = self.operators
        columns, rows = first.domain_dimension_tensor(), first.range_dimension_tensor()
        for operator in rest:
            columns += operator.domain_dimension_tensor()
            rows += operator.range_dimension_tensor()
        matrix = ops.stack([columns, rows])
        zeros = ops.zeros(shape=first.batch_shape_tensor())
        for operator in rest:
            zeros += ops.zeros(shape=operator.batch_shape_tensor())
        return ops.concat((ops.shape(zeros), matrix), 0)

    def _split(self, x: Tensor, axis: int) -> Any:
        """Splits `x` into the rows of each block."""
        is_static = self.shape.is_fully_defined()
        sizes = [
            operator.domain_dimension.value if is_static else operator.domain_dimension_tensor()
            for operator in self.operators
        ]
        return ops.split(x, sizes, axis=axis)

    def _apply_blocks(self, method: str, x: Tensor, adjoint: bool, adjoint_arg: bool) -> Tensor:
        parts = self._split(x, axis=-1 if adjoint_arg else -2)
        results = [
            getattr(operator, method)(part, adjoint=adjoint, adjoint_arg=adjoint_arg)
            for operator, part in zip(self.operators, parts, strict=True)
        ]
        return ops.concat(broadcast_batches(results), axis=-2)

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self._apply_blocks("matmul", x, adjoint, adjoint_arg)

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self._apply_blocks("solve", rhs, adjoint, adjoint_arg)

    def _determinant(self) -> Tensor:
        return functools.reduce(mul, (operator.determinant() for operator in self.operators))

    def _log_abs_determinant(self) -> Tensor:
        return functools.reduce(add, (op.log_abs_determinant() for op in self.operators))

    def _trace(self) -> Tensor:
        return functools.reduce(add, (operator.trace() for operator in self.operators))

    def _diag_part(self) -> Tensor:
        columns = [operator.diag_part()[..., None] for operator in self.operators]
        return ops.squeeze(ops.concat(broadcast_batches(columns), axis=-2), axis=-1)

    def _to_dense(self) -> Tensor:
        blocks = broadcast_batches([operator.to_dense() for operator in self.operators])
        column_offset: Any = 0
        rows = []
        for block in blocks:
            height = ops.shape(block)[:-1]
            zeros_before = ops.zeros(
                shape=ops.concat([height, [column_offset]], axis=-1), dtype=block.dtype
            )
            column_offset += ops.shape(block)[-1]
            remaining = self.domain_dimension_tensor() - column_offset
            zeros_after = ops.zeros(
                shape=ops.concat([height, [remaining]], axis=-1), dtype=block.dtype
            )
            rows.append(ops.concat([zeros_before, block, zeros_after], axis=-1))
        dense = ops.concat(rows, axis=-2)
        dense.set_shape(self.shape)
        return dense

    def _assert_non_singular(self) -> Any:
        return ops.group([operator.assert_non_singular() for operator in self.operators])

    def _assert_self_adjoint(self) -> Any:
        return ops.group([operator.assert_self_adjoint() for operator in self.operators])

    def _assert_positive_definite(self) -> Any:
        return ops.group([operator.assert_positive_definite() for operator in self.operators])


def _vector(x: Tensor) -> Tensor:
    """Stacks the columns of each matrix into one vector."""
    return ops.reshape(ops.matrix_transpose(x), ops.concat([ops.shape(x)[:-2], [-1]], axis=0))


def _matrix(vector: Tensor, columns: Tensor) -> Tensor:
    """Inverse of `_vector`: unstacks each vector into a matrix with the specified number of columns."""
    shape = ops.concat([ops.shape(vector)[:-1], [columns, -1]], axis=0)
    return ops.matrix_transpose(ops.reshape(vector, shape))


def _last_to_front(x: Tensor) -> Tensor:
    rank = ops.rank(x)
    return ops.transpose(x, ops.concat([[rank - 1], ops.range(0, rank - 1)], axis=0))


def _front_to_last(x: Tensor) -> Tensor:
    return ops.transpose(x, ops.concat([ops.range(1, ops.rank(x)), [0]], axis=0))


class LinearOperatorKronecker(_BlockOperator):
    """Kronecker products, whose blocks are `A[i, j] * B` for matrices A and B.

        a = tf.linalg.LinearOperatorDiag([1.0, 2.0])
        tf.linalg.LinearOperatorKronecker([a, a]).diag_part()    # [1, 2, 2, 4]

    Args:
      operators: LinearOperators of the same dtype and broadcastable batch shapes.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints about the products.
      name: operator name; by default the names of the operators, joined by "_x_".

    Raises:
      TypeError: if the dtypes differ.
      ValueError: if there are no operators, or a hint contradicts theirs.
    """

    @arguments_of(LinearOperator, "dtype", "graph_parents")
    def __init__(self, operators: Any, is_square: bool | None, name: str | None, **kwargs: Any):
        operators = check_one_dtype(operators, "list of >=1")
        hints = shared_hints(
            operators, {hint: HINTS[hint] for hint in kwargs}, kwargs, "Kronecker product"
        )
        names = "_x_".join(operator.name for operator in operators)
        self._init(operators, {**hints, "is_square": is_square}, names if name is None else name)

    def _shape(self) -> TensorShape:
        columns, rows = self.operators[0].domain_dimension, self.operators[0].range_dimension
        for operator in self.operators[1:]:
            columns *= operator.domain_dimension
            rows *= operator.range_dimension
        return self._static_batch().concatenate(TensorShape([rows, columns]))

    def _shape_tensor(self) -> Tensor:
        first, *rest = self.operators
        columns = first.domain_dimension_tensor()
        for operator in rest:
            columns *= operator.domain_dimension_tensor()
        rows = first.range_dimension_tensor()
        for operator in rest:
            rows *= operator.range_dimension_tensor()
        batch = first.batch_shape_tensor()
        for operator in rest:
            batch = ops.broadcast_dynamic_shape(batch, operator.batch_shape_tensor())
        return ops.concat((batch, [rows, columns]), 0)

    def _apply_factors(
        self, apply_many: Callable, apply_one: Callable, x: Tensor, adjoint: bool, adjoint_arg: bool
    ) -> Tensor:
        """Calls `apply_many(operator, matrices)` for all operators but the last, `apply_one(operator, vectors)` for
        the last.
        """
        x = ops.adjoint(x) if adjoint_arg else x
        ones = ops.concat([ops.ones_like(self.batch_shape_tensor()), [1, 1]], 0)
        x += ops.zeros(ones, dtype=x.dtype.base_dtype)
        result = _last_to_front(x)[None, ...]
        for operator in self.operators[:-1]:
            if adjoint:
                size = operator.range_dimension_tensor()
            else:
                size = operator.domain_dimension_tensor()
            result = ops.matrix_transpose(_matrix(result, size))
            result = ops.matrix_transpose(apply_many(operator, result))
            result = _last_to_front(_vector(_front_to_last(result)))
        result = apply_one(self.operators[-1], result)
        result = _front_to_last(_vector(_front_to_last(result)))
        if x.shape.is_fully_defined():
            batch = ops.broadcast_static_shape(x.shape[:-2], self.batch_shape)
            rows = self.domain_dimension if adjoint else self.range_dimension
            result.set_shape(batch.concatenate([rows, x.shape[-1]]))
        return result

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        def product(operator: LinearOperator, part: Tensor) -> Tensor:
            return operator.matmul(part, adjoint=adjoint, adjoint_arg=False)

        def last(operator: LinearOperator, part: Tensor) -> Tensor:
            return operator.matvec(part, adjoint=adjoint)

        return self._apply_factors(product, last, x, adjoint, adjoint_arg)

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        def solution(operator: LinearOperator, part: Tensor) -> Tensor:
            return operator.solve(part, adjoint=adjoint, adjoint_arg=False)

        def last(operator: LinearOperator, part: Tensor) -> Tensor:
            return operator.solvevec(part, adjoint=adjoint)

        return self._apply_factors(solution, last, rhs, adjoint, adjoint_arg)

    def _determinant(self) -> Tensor:
        total = self.domain_dimension_tensor()
        result: Any = 1.0
        for operator in self.operators:
            value = operator.determinant()
            times = ops.cast(total / operator.domain_dimension_tensor(), dtype=operator.dtype)
            result *= value**times
        return result

    def _log_abs_determinant(self) -> Tensor:
        total = self.domain_dimension_tensor()
        result: Any = 0.0
        for operator in self.operators:
            value = operator.log_abs_determinant()
            times = ops.cast(total / operator.domain_dimension_tensor(), dtype=operator.dtype)
            result += value * times
        return result

    def _trace(self) -> Tensor:
        result: Any = 1.0
        for operator in self.operators:
            result *= operator.trace()
        return result

    def _diag_part(self) -> Tensor:
        result = self.operators[0].diag_part()
        for operator in self.operators[1:]:
            result = result[..., :, None]
            result *= operator.diag_part()[..., None, :]
            result = ops.reshape(result, shape=ops.concat([ops.shape(result)[:-2], [-1]], axis=0))
        rows, columns = self.range_dimension, self.domain_dimension
        result.set_shape(self.batch_shape.concatenate(columns if rows > columns else rows))
        return result

    def _to_dense(self) -> Tensor:
        result = self.operators[0].to_dense()
        for operator in self.operators[1:]:
            result = result[..., :, None, :, None]
            result *= operator.to_dense()[..., None, :, None, :]
            batch = ops.shape(result)[:-4]
            rows = ops.shape(result)[-4] * ops.shape(result)[-3]
            columns = ops.shape(result)[-2] * ops.shape(result)[-1]
            result = ops.reshape(result, shape=ops.concat([batch, [rows, columns]], axis=0))
        result.set_shape(self.shape)
        return result

    def _check_square_factors(self, property_text: str) -> None:
        if not all(operator.is_square for operator in self.operators):
            errors.invalid(
                f"All Kronecker factors must be square for the product to be {property_text}."
            )

    def _assert_non_singular(self) -> Any:
        self._check_square_factors("invertible")
        return ops.group([operator.assert_non_singular() for operator in self.operators])

    def _assert_self_adjoint(self) -> Any:
        self._check_square_factors("self adjoint")
        return ops.group([operator.assert_self_adjoint() for operator in self.operators])


def _map_blocks(operator: Any, method: str, hints: dict) -> Any:
    """Calls a method of each block and creates an operator of the same class from the results."""
    results = [getattr(block, method)() for block in operator.operators]
    cls = (
        LinearOperatorBlockDiag
        if isinstance(operator, LinearOperatorBlockDiag)
        else LinearOperatorKronecker
    )
    return cls(results, **hints)


@rule("Adjoint", LinearOperatorBlockDiag)
@rule("Adjoint", LinearOperatorKronecker)
def _(operator):
    return _map_blocks(operator, "adjoint", {**known_hints(operator), "is_square": True})


@rule("Inverse", LinearOperatorBlockDiag)
@rule("Inverse", LinearOperatorKronecker)
def _(operator):
    return _map_blocks(operator, "inverse", {**known_hints(operator), "is_square": True})


@rule("Cholesky", LinearOperatorBlockDiag)
@rule("Cholesky", LinearOperatorKronecker)
def _(operator):
    factors = {"is_non_singular": True, "is_self_adjoint": False, "is_square": True}
    return _map_blocks(operator, "cholesky", factors)
