"""`LinearOperator`: a batch of matrices, defined by their action on vectors."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from tfmini._src.base import dtypes, logs
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import Dimension, TensorShape
from tfmini._src.base.shapes.tensor_shape import dimension_at_index
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.linear_operators import batches
from tfmini._src.probability.linear_operators.algebra import apply_rule
from tfmini._src.variables.module import Module
from tfmini._src.variables.variable import Variable


def as_tensor(value: Any, name: str) -> Any:
    """Converts `value` to a tensor; variables are returned unchanged."""
    return value if isinstance(value, Variable) else ops.convert_to_tensor(value, name=name)


def _warn_of_dense(operation: str) -> None:
    logs.warn(
        f"Using (possibly slow) default implementation of {operation}.  Requires conversion to a dense "
        "matrix and O(N^3) operations."
    )


class LinearOperator(Module, metaclass=ABCMeta):
    """A batch of [..., m, n] matrices, defined by its products, solutions and determinants.

    Subclasses define `_shape`, `_shape_tensor` and `_matmul`; everything else falls back to the dense matrix.

    Args:
      dtype: dtype of the matrices.
      graph_parents: the tensors that the operator depends on.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints about the matrices, or None; they are not
        checked.
      name: operator name, also the name scope of the nodes that its methods create.

    Raises:
      ValueError: if the hints contradict each other.
    """

    dtype: Any = read_only("The dtype of the matrices.")
    graph_parents: list = read_only("The tensors on which the operator depends.")
    is_non_singular: bool | None = read_only("Whether the matrices have inverses, as far as known.")
    is_self_adjoint: bool | None = read_only(
        "Whether the matrices are self-adjoint, as far as known."
    )
    is_positive_definite: bool | None = read_only(
        "Whether the real part of `adjoint(x) A x` is positive for all nonzero x, as far as known."
    )

    def __init__(
        self,
        dtype: DTypeLike,
        graph_parents: Sequence[Any] | None = None,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str | None = None,
    ):
        if is_positive_definite:
            if is_non_singular is False:
                raise ValueError("A positive definite matrix is always non-singular.")
            is_non_singular = True
        for hint, property_name in (
            (is_non_singular, "non-singular"),
            (is_self_adjoint, "self-adjoint"),
        ):
            if hint:
                if is_square is False:
                    raise ValueError(f"A {property_name} matrix is always square.")
                is_square = True
        graph_parents = [] if graph_parents is None else graph_parents
        for index, parent in enumerate(graph_parents):
            if not isinstance(parent, (Tensor, Variable)):
                raise ValueError(f"Graph parent item {index} is not a Tensor; {parent}.")
        self._is_square_hint = is_square
        self._dtype = dtypes.as_dtype(dtype).base_dtype if dtype else dtype
        self._graph_parents = graph_parents
        self._is_non_singular = is_non_singular
        self._is_self_adjoint = is_self_adjoint
        self._is_positive_definite = is_positive_definite
        self._name = name or type(self).__name__

    @contextmanager
    def _name_scope(self, name: str | None = None, values: Any = None) -> Iterator[str]:
        """Opens the scope of a method; `values` are tensors of user subclasses, already in the default graph."""
        with name_scope(self.name if name is None else f"{self.name}/{name}") as scope:
            yield scope

    @property
    def is_square(self) -> bool | None:
        """Whether the matrices are square, as far as known."""
        square: Any = self.domain_dimension == self.range_dimension
        if self._is_square_hint is False and square:
            raise ValueError("User set is_square hint to False, but the operator was square.")
        return square if self._is_square_hint is None else self._is_square_hint

    @abstractmethod
    def _shape(self) -> TensorShape:
        """Returns the static shape [..., m, n]."""

    @property
    def shape(self) -> TensorShape:
        """The static shape [..., m, n]."""
        return self._shape()

    @abstractmethod
    def _shape_tensor(self) -> Tensor:
        """Returns the shape [..., m, n] as an int32 tensor."""

    def shape_tensor(self, name: str = "shape_tensor") -> Tensor:
        """Returns the shape [..., m, n] as an int32 tensor."""
        with self._name_scope(name):
            if self.shape.is_fully_defined():
                return ops.convert_to_tensor(self.shape.as_list())
            return self._shape_tensor()

    @property
    def batch_shape(self) -> TensorShape:
        """The static batch shape, which excludes the matrix dimensions."""
        return self.shape[:-2]

    def batch_shape_tensor(self, name: str = "batch_shape_tensor") -> Tensor:
        """Returns the batch shape as an int32 tensor."""
        with self._name_scope(name):
            if self.batch_shape.is_fully_defined():
                dims = self.batch_shape.as_list()
                dtype = None if dims else dtypes.int32
                return ops.convert_to_tensor(dims, dtype=dtype, name="batch_shape")
            return self.shape_tensor()[:-2]

    @property
    def tensor_rank(self) -> int | None:
        """The number of dimensions of `shape`, if known."""
        with self._name_scope("tensor_rank"):
            return self.shape.ndims

    def tensor_rank_tensor(self, name: str = "tensor_rank_tensor") -> Tensor:
        """Returns the number of dimensions of `shape` as an int32 scalar."""
        with self._name_scope(name):
            if self.tensor_rank is not None:
                return ops.convert_to_tensor(self.tensor_rank)
            return ops.size(self.shape_tensor())

    @property
    def domain_dimension(self) -> Dimension:
        """The number of columns, n: the size of input vectors."""
        return self.shape.dims[-1] if self.shape.dims else Dimension(None)

    def domain_dimension_tensor(self, name: str = "domain_dimension_tensor") -> Tensor:
        """Returns the number of columns, n, as an int32 scalar."""
        with self._name_scope(name):
            if self.domain_dimension.value is not None:
                return ops.convert_to_tensor(self.domain_dimension.value)
            return self.shape_tensor()[-1]

    @property
    def range_dimension(self) -> Dimension:
        """The number of rows, m: the size of output vectors."""
        return self.shape.dims[-2] if self.shape.dims else Dimension(None)

    def range_dimension_tensor(self, name: str = "range_dimension_tensor") -> Tensor:
        """Returns the number of rows, m, as an int32 scalar."""
        with self._name_scope(name):
            if self.range_dimension.value is not None:
                return ops.convert_to_tensor(self.range_dimension.value)
            return self.shape_tensor()[-2]

    def _assert_non_singular(self) -> Any:
        _warn_of_dense("assert_non_singular")
        if self._can_use_cholesky():
            return self.assert_positive_definite()
        values = ops.svd(self.to_dense(), compute_uv=False)
        condition = ops.reduce_max(values, axis=-1) / ops.reduce_min(values, axis=-1)
        message = "Singular matrix up to precision epsilon."
        return ops.assert_less(condition, self._largest_condition_number(), message=message)

    def _largest_condition_number(self) -> Tensor:
        with name_scope("max_nonsingular_condition_number"):
            epsilon = np.finfo(self.dtype.as_numpy_dtype).eps
            rows = ops.cast(self.range_dimension_tensor(), self.dtype)
            columns = ops.cast(self.domain_dimension_tensor(), self.dtype)
            largest = ops.reduce_max([100.0, rows, columns])
            return 1.0 / (ops.cast(largest, self.dtype) * epsilon)

    def assert_non_singular(self, name: str = "assert_non_singular") -> Any:
        """Returns an op that fails if a matrix is singular."""
        with self._name_scope(name):
            return self._assert_non_singular()

    def _assert_positive_definite(self) -> Any:
        _warn_of_dense("assert_positive_definite")
        if self.is_self_adjoint:
            diagonal = ops.matrix_diag_part(ops.cholesky(self.to_dense()))
            return ops.assert_positive(diagonal, message="Matrix was not positive definite.")
        raise NotImplementedError("assert_positive_definite is not implemented.")

    def assert_positive_definite(self, name: str = "assert_positive_definite") -> Any:
        """Returns an op that fails if a matrix is not positive definite."""
        with self._name_scope(name):
            return self._assert_positive_definite()

    def _assert_self_adjoint(self) -> Any:
        dense = self.to_dense()
        logs.warn(
            "Using (possibly slow) default implementation of assert_self_adjoint.  Requires "
            "conversion to a dense matrix."
        )
        message = "Matrix was not equal to its adjoint."
        return ops.assert_equal(dense, ops.adjoint(dense), message=message)

    def assert_self_adjoint(self, name: str = "assert_self_adjoint") -> Any:
        """Returns an op that fails if a matrix is not self-adjoint."""
        with self._name_scope(name):
            return self._assert_self_adjoint()

    def _check_operand(self, value: Any, name: str, self_axis: int, axis: int) -> Tensor:
        """Converts `value` to a tensor of the operator's dtype; raises ValueError for incompatible sizes."""
        value = ops.convert_to_tensor(value, name=name)
        self._check_input_dtype(value)
        size = dimension_at_index(self.shape, self_axis)
        size.assert_is_compatible_with(value.shape[axis])
        return value

    def _check_input_dtype(self, arg: Tensor) -> None:
        if arg.dtype.base_dtype != self.dtype:
            raise TypeError(
                f"Expected argument to have dtype {self.dtype}.  Found: {arg.dtype} in tensor {arg}"
            )

    def _with_operator(
        self, operation: str, other: Any, adjoint: bool, adjoint_arg: bool, argument: str, name: str
    ) -> Any:
        left = self.adjoint() if adjoint else self
        right = other.adjoint() if adjoint_arg else other
        rows, columns = right.range_dimension, left.domain_dimension
        if rows.value is not None and columns.value is not None and rows != columns:
            raise ValueError(
                f"Operators are incompatible. Expected `{argument}` to have dimension {columns} but "
                f"got {rows}."
            )
        with self._name_scope(name):
            return apply_rule(operation, left, right)

    @abstractmethod
    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        """Returns the product of the matrices with a tensor of matrices."""

    def matmul(
        self, x: TensorLike, adjoint: bool = False, adjoint_arg: bool = False, name: str = "matmul"
    ) -> Any:
        """Returns the product of the matrices with `x`, a tensor [..., n, k] or an operator.

        Args:
          x: a tensor of the operator's dtype, or a LinearOperator.
          adjoint, adjoint_arg: whether to use the adjoint of the matrices, and of `x`.

        Returns:
          [..., m, k] Tensor, or a LinearOperator.
        """
        if isinstance(x, LinearOperator):
            return self._with_operator("Matmul", x, adjoint, adjoint_arg, "x", name)
        with self._name_scope(name):
            x = self._check_operand(x, "x", -2 if adjoint else -1, -1 if adjoint_arg else -2)
            return self._matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _matvec(self, x: Tensor, adjoint: bool = False) -> Tensor:
        return ops.squeeze(self.matmul(ops.expand_dims(x, axis=-1), adjoint=adjoint), axis=-1)

    def matvec(self, x: TensorLike, adjoint: bool = False, name: str = "matvec") -> Tensor:
        """Returns the products of the matrices with vectors: maps [..., n] to [..., m]."""
        with self._name_scope(name):
            x = self._check_operand(x, "x", -2 if adjoint else -1, -1)
            return self._matvec(x, adjoint=adjoint)

    def _determinant(self) -> Tensor:
        _warn_of_dense("determinant")
        if self._can_use_cholesky():
            return ops.exp(self.log_abs_determinant())
        return ops.matrix_determinant(self.to_dense())

    def _check_square(self) -> None:
        if self.is_square is False:
            raise NotImplementedError(
                "Determinant not implemented for an operator that is expected to not be square."
            )

    def determinant(self, name: str = "det") -> Tensor:
        """Returns the determinant of each matrix, [...]."""
        self._check_square()
        with self._name_scope(name):
            return self._determinant()

    def _log_abs_determinant(self) -> Tensor:
        _warn_of_dense("determinant")
        if self._can_use_cholesky():
            diagonal = ops.matrix_diag_part(ops.cholesky(self.to_dense()))
            return 2 * ops.reduce_sum(ops.log(diagonal), axis=[-1])
        return ops.log_matrix_determinant(self.to_dense())[1]

    def log_abs_determinant(self, name: str = "log_abs_det") -> Tensor:
        """Returns the logarithm of the absolute value of each determinant, [...]."""
        self._check_square()
        with self._name_scope(name):
            return self._log_abs_determinant()

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        if self.is_square is False:
            raise NotImplementedError("Solve is not yet implemented for non-square operators.")
        _warn_of_dense("solve")
        rhs = ops.adjoint(rhs) if adjoint_arg else rhs
        if self._can_use_cholesky():
            return batches.cholesky_solve(ops.cholesky(self.to_dense()), rhs)
        return batches.matrix_solve(self.to_dense(), rhs, adjoint=adjoint)

    def solve(
        self, rhs: TensorLike, adjoint: bool = False, adjoint_arg: bool = False, name: str = "solve"
    ) -> Any:
        """Returns the x whose product with the matrices is `rhs`; see `matmul`."""
        for hint, problem in (
            (self.is_non_singular, "singular"),
            (self.is_square, "not be square"),
        ):
            if hint is False:
                expected = "be singular" if problem == "singular" else problem
                raise NotImplementedError(
                    f"Exact solve not implemented for an operator that is expected to {expected}."
                )
        if isinstance(rhs, LinearOperator):
            return self._with_operator("Solve", rhs, adjoint, adjoint_arg, "rhs", name)
        with self._name_scope(name):
            rhs = self._check_operand(rhs, "rhs", -1 if adjoint else -2, -1 if adjoint_arg else -2)
            return self._solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _solvevec(self, rhs: Tensor, adjoint: bool = False) -> Tensor:
        return ops.squeeze(self.solve(ops.expand_dims(rhs, axis=-1), adjoint=adjoint), axis=-1)

    def solvevec(self, rhs: TensorLike, adjoint: bool = False, name: str = "solve") -> Tensor:
        """Solves for vectors: maps [..., m] to [..., n]."""
        with self._name_scope(name):
            rhs = self._check_operand(rhs, "rhs", -1 if adjoint else -2, -1)
            return self._solvevec(rhs, adjoint=adjoint)

    def adjoint(self, name: str = "adjoint") -> LinearOperator:
        """Returns the operator of the adjoint matrices."""
        if self.is_self_adjoint is True:
            return self
        with self._name_scope(name):
            return apply_rule("Adjoint", self)

    H = property(adjoint, None, doc="The operator of the adjoint matrices.")

    def inverse(self, name: str = "inverse") -> LinearOperator:
        """Returns the operator of the inverse matrices."""
        start = "Cannot take the Inverse: This operator represents a "
        if self.is_square is False:
            raise ValueError(start + "non square matrix.")
        if self.is_non_singular is False:
            raise ValueError(start + "singular matrix.")
        with self._name_scope(name):
            return apply_rule("Inverse", self)

    def cholesky(self, name: str = "cholesky") -> LinearOperator:
        """Returns the operator of the Cholesky factors."""
        if not self._can_use_cholesky():
            raise ValueError(
                "Cannot take the Cholesky decomposition: Not a positive definite self adjoint matrix."
            )
        with self._name_scope(name):
            return apply_rule("Cholesky", self)

    def _to_dense(self) -> Tensor:
        batch: Any = self.batch_shape
        if not batch.is_fully_defined():
            batch = self.batch_shape_tensor()
        size: Any = self.domain_dimension.value
        if size is None:
            size = self.domain_dimension_tensor()
        return self.matmul(ops.eye(num_rows=size, batch_shape=batch, dtype=self.dtype))

    def to_dense(self, name: str = "to_dense") -> Tensor:
        """Returns the matrices, [..., m, n]."""
        with self._name_scope(name):
            return self._to_dense()

    def _diag_part(self) -> Tensor:
        return ops.matrix_diag_part(self.to_dense())

    def diag_part(self, name: str = "diag_part") -> Tensor:
        """Returns the diagonals, [..., min(m, n)]."""
        with self._name_scope(name):
            return self._diag_part()

    def _trace(self) -> Tensor:
        return ops.reduce_sum(self.diag_part(), axis=-1)

    def trace(self, name: str = "trace") -> Tensor:
        """Returns the sum of each diagonal, [...]."""
        with self._name_scope(name):
            return self._trace()

    def _add_to_tensor(self, x: Tensor) -> Tensor:
        return self.to_dense() + x

    def add_to_tensor(self, x: TensorLike, name: str = "add_to_tensor") -> Tensor:
        """Returns the sum of the matrices and `x` [..., m, n]."""
        with self._name_scope(name):
            x = ops.convert_to_tensor(x, name="x")
            if x.dtype.base_dtype != self.dtype:
                raise TypeError(
                    f"Expected argument to have dtype {self.dtype}.  Found: {x.dtype} in tensor {x}"
                )
            return self._add_to_tensor(x)

    def _can_use_cholesky(self) -> bool | None:
        return self.is_self_adjoint and self.is_positive_definite
