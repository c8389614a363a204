"""Bijector applied to the diagonals of matrices."""

from __future__ import annotations

from tfmini._src.contrib.distributions.bijectors.bijector import Bijector
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


class TransformDiagonal(Bijector):
    """Applies a bijector to the diagonals of [..., n, n] matrices.

    Args:
      diag_bijector: a `Bijector` of [..., n] diagonals.
      validate_args: unused.
    """

    @moved
    def __init__(
        self, diag_bijector: Bijector, validate_args: bool = False, name: str = "transform_diagonal"
    ):
        self._diag_bijector = diag_bijector
        super().__init__(
            forward_min_event_ndims=2,
            inverse_min_event_ndims=2,
            validate_args=validate_args,
            name=name,
        )

    def _forward(self, x: Tensor) -> Tensor:
        return ops.matrix_set_diag(x, self._diag_bijector.forward(ops.matrix_diag_part(x)))

    def _inverse(self, y: Tensor) -> Tensor:
        return ops.matrix_set_diag(y, self._diag_bijector.inverse(ops.matrix_diag_part(y)))

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        diag = ops.matrix_diag_part(x)
        return self._diag_bijector.forward_log_det_jacobian(diag, event_ndims=1)

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        diag = ops.matrix_diag_part(y)
        return self._diag_bijector.inverse_log_det_jacobian(diag, event_ndims=1)
