"""Trace and adjoint of matrices."""

from __future__ import annotations

from tfmini._src.graph.opdef import public
from tfmini._src.graph.public_functions import overridable
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


@public
@overridable
def trace(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the trace of each matrix, mapping [..., m, n] to [...]."""
    with name_scope(name, "Trace", [x]) as name:
        x = ops.convert_to_tensor(x, name="x")
        return ops.reduce_sum(ops.matrix_diag_part(x), [-1], name=name)


@public
@overridable
def adjoint(matrix: TensorLike, name: str | None = None) -> Tensor:
    """Returns the conjugate transpose of each matrix, mapping [..., m, n] to [..., n, m]."""
    with name_scope(name, "adjoint", [matrix]):
        matrix = ops.convert_to_tensor(matrix, name="matrix")
        return ops.matrix_transpose(matrix, conjugate=True)
