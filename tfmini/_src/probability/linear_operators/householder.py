"""Householder reflections."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import errors
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.probability.linear_operators.algebra import rule
from tfmini._src.probability.linear_operators.linear_operator import LinearOperator, as_tensor


class LinearOperatorHouseholder(LinearOperator):
    """Reflections `I - 2 v v^H` in the hyperplanes with normals v, which are scaled to unit length.

        tf.linalg.LinearOperatorHouseholder([1.0, 0.0]).to_dense()    # [[-1, 0], [0, 1]]

    Args:
      reflection_axis: [..., n] tensor, the normals.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints; must be true of reflections.

    Raises:
      ValueError: if `reflection_axis` is a scalar, or a hint contradicts a reflection's properties.
    """

    reflection_axis: Any = read_only("The normals, [..., n], as passed.")

    @arguments_of(LinearOperator, "dtype", "graph_parents", name="LinearOperatorHouseholder")
    def __init__(
        self,
        reflection_axis: Any,
        is_self_adjoint: bool | None,
        is_positive_definite: bool | None,
        is_square: bool | None,
        name: str,
        **hints: Any,
    ):
        with name_scope(name, values=[reflection_axis]):
            axis = self._reflection_axis = as_tensor(reflection_axis, "reflection_axis")
            if axis.shape.ndims is not None and axis.shape.ndims < 1:
                raise ValueError(
                    f"Argument reflection_axis must have at least 1 dimension.  Found: {axis}"
                )
            for contradicts, property_name in (
                (is_self_adjoint is False, "self adjoint"),
                (is_positive_definite is True, "non-positive definite"),
                (is_square is False, "square"),
            ):
                if contradicts:
                    raise ValueError(f"A Householder operator is always {property_name}.")
            super().__init__(
                dtype=axis.dtype,
                graph_parents=[axis],
                is_self_adjoint=True,
                is_positive_definite=False,
                is_square=True,
                name=name,
                **hints,
            )

    def _shape(self) -> TensorShape:
        shape = self._reflection_axis.shape
        return shape.concatenate(shape[-1:])

    def _shape_tensor(self) -> Tensor:
        shape = ops.shape(self._reflection_axis)
        return ops.concat((shape, [shape[-1]]), 0)

    def _assert_non_singular(self) -> Any:
        return ops.no_op("assert_non_singular")

    def _assert_positive_definite(self) -> Any:
        errors.invalid("Householder operators are always non-positive definite.")

    def _assert_self_adjoint(self) -> Any:
        return ops.no_op("assert_self_adjoint")

    def _unit(self, axis: Any) -> Tensor:
        return axis / ops.norm(axis, axis=-1, keepdims=True)

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        axis = ops.convert_to_tensor(self._reflection_axis)
        x = ops.adjoint(x) if adjoint_arg else x
        normal = self._unit(axis)[..., None]
        projection = ops.matmul(normal, x, adjoint_a=True)
        return x - 2 * normal * projection

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self._matmul(rhs, adjoint, adjoint_arg)

    def _trace(self) -> Tensor:
        trace = ops.cast(self.domain_dimension_tensor() - 2, self.dtype)
        return trace * ops.ones(shape=self.batch_shape_tensor(), dtype=self.dtype)

    def _determinant(self) -> Tensor:
        return -ops.ones(shape=self.batch_shape_tensor(), dtype=self.dtype)

    def _log_abs_determinant(self) -> Tensor:
        return ops.zeros(shape=self.batch_shape_tensor(), dtype=self.dtype)

    def _to_dense(self) -> Tensor:
        normal = self._unit(self._reflection_axis)[..., None]
        matrix = -2 * ops.matmul(normal, normal, adjoint_b=True)
        return ops.matrix_set_diag(matrix, 1.0 + ops.matrix_diag_part(matrix))

    def _diag_part(self) -> Tensor:
        normal = self._unit(self._reflection_axis)
        return 1.0 - 2 * normal * ops.conj(normal)


@rule("Adjoint", LinearOperatorHouseholder)
@rule("Inverse", LinearOperatorHouseholder)
def _(operator):
    return operator
