"""Operators derived from other operators (adjoints, inverses, products) and the rules that create them."""

from __future__ import annotations

import functools
from operator import add, mul
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.probability.linear_operators.algebra import rule
from tfmini._src.probability.linear_operators.explicit_matrices import (
    LinearOperatorDiag,
    LinearOperatorLowerTriangular,
)
from tfmini._src.probability.linear_operators.hints import (
    HINTS,
    check_one_dtype,
    combine,
    known_hints,
    product_hints,
    product_is_non_singular,
    product_is_self_adjoint,
)
from tfmini._src.probability.linear_operators.linear_operator import LinearOperator


def _hints(operator: LinearOperator, derived: str, arguments: dict) -> dict:
    """Returns the hints of the adjoint or inverse of an operator, which equal its own."""
    return {
        hint: combine(
            operator,
            hint,
            arguments[hint],
            f"An operator is {property_name} if and only if its {derived} is {property_name}.",
        )
        for hint, property_name in HINTS.items()
    }


class _UnaryOperator(LinearOperator):
    """Base class of operators derived from a single operator; stores that operator and its assertions."""

    operator: LinearOperator = read_only("The underlying operator.")
    _operator: LinearOperator

    def _assert_non_singular(self) -> Any:
        return self.operator.assert_non_singular()

    def _assert_positive_definite(self) -> Any:
        return self.operator.assert_positive_definite()

    def _assert_self_adjoint(self) -> Any:
        return self.operator.assert_self_adjoint()


class LinearOperatorAdjoint(_UnaryOperator):
    """The adjoints of the matrices of an operator.

    Args:
      operator: a LinearOperator.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints in addition to the hints of `operator`.
      name: operator name; by default the name of `operator` followed by "_adjoint".

    Raises:
      ValueError: if a hint contradicts the operator's.
    """

    @arguments_of(LinearOperator, "dtype", "graph_parents")
    def __init__(self, operator: LinearOperator, name: str | None, **kwargs: Any):
        self._operator = operator
        hints = _hints(operator, "adjoint", kwargs)
        name = operator.name + "_adjoint" if name is None else name
        with name_scope(name, values=operator.graph_parents):
            super().__init__(
                dtype=operator.dtype, graph_parents=operator.graph_parents, name=name, **hints
            )

    def _shape(self) -> TensorShape:
        shape = self.operator.shape
        return shape[:-2].concatenate([shape[-1], shape[-2]])

    def _shape_tensor(self) -> Tensor:
        shape = self.operator.shape_tensor()
        return ops.concat([shape[:-2], [shape[-1], shape[-2]]], axis=-1)

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self.operator.matmul(x, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _matvec(self, x: Tensor, adjoint: bool = False) -> Tensor:
        return self.operator.matvec(x, adjoint=not adjoint)

    def _determinant(self) -> Tensor:
        determinant = self.operator.determinant()
        return determinant if self.is_self_adjoint else ops.conj(determinant)

    def _log_abs_determinant(self) -> Tensor:
        return self.operator.log_abs_determinant()

    def _trace(self) -> Tensor:
        trace = self.operator.trace()
        return trace if self.is_self_adjoint else ops.conj(trace)

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self.operator.solve(rhs, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _solvevec(self, rhs: Tensor, adjoint: bool = False) -> Tensor:
        return self.operator.solvevec(rhs, adjoint=not adjoint)

    def _to_dense(self) -> Tensor:
        dense = self.operator.to_dense()
        return dense if self.is_self_adjoint else ops.adjoint(dense)


class LinearOperatorInversion(_UnaryOperator):
    """The inverses of the matrices of an operator.

    Args:
      operator: a LinearOperator.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints in addition to the hints of `operator`.
      name: operator name; by default the name of `operator` followed by "_inv".

    Raises:
      ValueError: if the operator is known to be singular or non-square, or a hint contradicts its hints.
    """

    @arguments_of(LinearOperator, "dtype", "graph_parents")
    def __init__(self, operator: LinearOperator, name: str | None, **kwargs: Any):
        self._operator = operator
        for hint in ("is_non_singular", "is_square"):
            pair = getattr(operator, hint), kwargs[hint]
            if False in [side for side in pair if side is not None]:
                raise ValueError(
                    f"operator and supplied hints must have `{hint}` equal to `True` or `None`.  "
                    f"Found {pair[0]}, {pair[1]}"
                )
        hints = _hints(operator, "inverse", kwargs)
        name = operator.name + "_inv" if name is None else name
        with name_scope(name, values=operator.graph_parents):
            super().__init__(
                dtype=operator.dtype, graph_parents=operator.graph_parents, name=name, **hints
            )

    def _shape(self) -> TensorShape:
        return self.operator.shape

    def _shape_tensor(self) -> Tensor:
        return self.operator.shape_tensor()

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self.operator.solve(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _determinant(self) -> Tensor:
        return 1.0 / self.operator.determinant()

    def _log_abs_determinant(self) -> Tensor:
        return -1.0 * self.operator.log_abs_determinant()

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self.operator.matmul(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)


class LinearOperatorComposition(LinearOperator):
    """Products of the matrices of several operators.

    Args:
      operators: LinearOperators of the same dtype; the last one is applied first.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints about the products.
      name: operator name; by default the names of the operators, joined by "_o_".

    Raises:
      TypeError: if the dtypes differ.
      ValueError: if there are no operators, or a product of non-singular operators is declared singular.
    """

    operators: list[LinearOperator] = read_only("The operators; the last one is applied first.")

    @arguments_of(LinearOperator, "dtype", "graph_parents")
    def __init__(
        self, operators: Any, is_non_singular: bool | None, name: str | None, **hints: Any
    ):
        self._operators = operators = check_one_dtype(operators)
        dtype = operators[0].dtype
        if all(operator.is_non_singular for operator in operators):
            if is_non_singular is False:
                raise ValueError(
                    "The composition of non-singular operators is always non-singular."
                )
            is_non_singular = True
        parents = [parent for operator in operators for parent in operator.graph_parents]
        name = "_o_".join(o.name for o in operators) if name is None else name
        with name_scope(name, values=parents):
            super().__init__(
                dtype=dtype,
                graph_parents=parents,
                is_non_singular=is_non_singular,
                name=name,
                **hints,
            )

    def _shape(self) -> TensorShape:
        first, *rest = self.operators
        size, batch = first.domain_dimension, first.batch_shape
        for operator in rest:
            size.assert_is_compatible_with(operator.range_dimension)
            size = operator.domain_dimension
            batch = ops.broadcast_static_shape(batch, operator.batch_shape)
        return batch.concatenate(TensorShape([first.range_dimension, size]))

    def _shape_tensor(self) -> Tensor:
        if self.shape.is_fully_defined():
            dims = self.shape.as_list()
            return ops.convert_to_tensor(dims, dtype=dtypes.int32, name="shape")
        first, *rest = self.operators
        columns = self.operators[-1].domain_dimension_tensor
        matrix = ops.stack([first.range_dimension_tensor(), columns()])
        zeros = ops.zeros(shape=first.batch_shape_tensor())
        for operator in rest:
            zeros += ops.zeros(shape=operator.batch_shape_tensor())
        return ops.concat((ops.shape(zeros), matrix), 0)

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        first, *rest = self.operators if adjoint else self.operators[::-1]
        result = first.matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)
        for operator in rest:
            result = operator.matmul(result, adjoint=adjoint)
        return result

    def _determinant(self) -> Tensor:
        return functools.reduce(mul, (operator.determinant() for operator in self.operators))

    def _log_abs_determinant(self) -> Tensor:
        return functools.reduce(add, (op.log_abs_determinant() for op in self.operators))

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        first, *rest = self.operators[::-1] if adjoint else self.operators
        solution = first.solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)
        for operator in rest:
            solution = operator.solve(solution, adjoint=adjoint)
        return solution


@rule("Adjoint", LinearOperator)
def _(operator):
    return LinearOperatorAdjoint(operator, **known_hints(operator))


@rule("Adjoint", LinearOperatorAdjoint)
def _(operator):
    return operator.operator


@rule("Adjoint", LinearOperatorDiag)
def _(operator):
    diag = ops.conj(operator.diag) if operator.diag.dtype.is_complex else operator.diag
    return LinearOperatorDiag(diag, **{**known_hints(operator), "is_square": True})


@rule("Inverse", LinearOperator)
def _(operator):
    return LinearOperatorInversion(operator, **known_hints(operator))


@rule("Inverse", LinearOperatorInversion)
def _(operator):
    return operator.operator


@rule("Inverse", LinearOperatorDiag)
def _(operator):
    return LinearOperatorDiag(1.0 / operator.diag, **{**known_hints(operator), "is_square": True})


@rule("Cholesky", LinearOperator)
def _(operator):
    return LinearOperatorLowerTriangular(
        ops.cholesky(operator.to_dense()),
        is_non_singular=True,
        is_self_adjoint=False,
        is_square=True,
    )


@rule("Cholesky", LinearOperatorDiag)
def _(operator):
    hints: dict = dict.fromkeys(HINTS, True)
    return LinearOperatorDiag(ops.sqrt(operator.diag), **hints)


def _product_is_square(a: LinearOperator, b: LinearOperator) -> Any:
    if a.is_square and b.is_square:
        return True
    if a.is_square is False and b.is_square is False:
        return a.range_dimension == b.domain_dimension
    return False if a.is_square != b.is_square and a.is_square is not None else None


def _compose(a: LinearOperator, b: LinearOperator, operators: list) -> LinearOperatorComposition:
    square = _product_is_square(a, b)
    hints: dict = {"is_square": square}
    if square:
        hints["is_non_singular"] = product_is_non_singular(a, b)
    elif square is False:
        hints.update(is_non_singular=False, is_self_adjoint=False, is_positive_definite=False)
    return LinearOperatorComposition(operators, **hints)


@rule("Matmul", LinearOperator, LinearOperator)
def _(a, b):
    return _compose(a, b, [a, b])


@rule("Solve", LinearOperator, LinearOperator)
def _(a, b):
    return _compose(a, b, [LinearOperatorInversion(a), b])


def diagonal_product(a: LinearOperator, b: LinearOperator, diag: Any) -> LinearOperatorDiag:
    """Returns a diagonal operator with diagonal `diag`, the product or quotient of diagonal operators."""
    return LinearOperatorDiag(diag, **product_hints(a, b))


def _triangular_product(
    a: LinearOperator, b: LinearOperator, tril: Any
) -> LinearOperatorLowerTriangular:
    return LinearOperatorLowerTriangular(
        tril,
        is_non_singular=product_is_non_singular(a, b),
        is_self_adjoint=product_is_self_adjoint(a, b),
        is_square=True,
    )


@rule("Matmul", LinearOperatorDiag, LinearOperatorLowerTriangular)
def _(a, b):
    return _triangular_product(a, b, a.diag[..., None] * b.to_dense())


@rule("Matmul", LinearOperatorLowerTriangular, LinearOperatorDiag)
def _(a, b):
    return _triangular_product(b, a, a.to_dense() * b.diag)


@rule("Solve", LinearOperatorDiag, LinearOperatorLowerTriangular)
def _(a, b):
    return _triangular_product(a, b, b.to_dense() / a.diag[..., None])


@rule("Matmul", LinearOperatorDiag, LinearOperatorDiag)
def _(a, b):
    return diagonal_product(a, b, a.diag * b.diag)


@rule("Solve", LinearOperatorDiag, LinearOperatorDiag)
def _(a, b):
    return diagonal_product(a, b, b.diag / a.diag)


@rule("Solve", LinearOperatorInversion, LinearOperator)
def _(a, b):
    return a.operator.matmul(b)
