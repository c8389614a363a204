"""Bijector to the inverses of triangular matrices."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.contrib.distributions.bijectors.bijector import Bijector
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


class MatrixInverseTriL(Bijector):
    """The bijector y = x^-1 for nonsingular lower triangular matrices x.

    Args:
      validate_args: whether to check at run time that matrices are lower triangular and nonsingular.
    """

    @moved
    def __init__(self, validate_args: bool = False, name: str = "matrix_inverse_tril"):
        self._graph_parents = []
        self._name = name
        super().__init__(forward_min_event_ndims=2, validate_args=validate_args, name=name)

    def _forward(self, x: Tensor) -> Tensor:
        with control_dependencies(self._checks(x)):
            shape = ops.shape(x)
            identity = ops.eye(shape[-1], batch_shape=shape[:-2])
            return ops.matrix_triangular_solve(x, identity, lower=True)

    def _inverse(self, y: Tensor) -> Tensor:
        return self._forward(y)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        """Returns -2 n log |det x|, as in TensorFlow: the value for inverses of full matrices."""
        with control_dependencies(self._checks(x)):
            factor = -2.0 * ops.cast(ops.shape(x)[-1], x.dtype.base_dtype)
            logs = ops.log(ops.abs(ops.matrix_diag_part(x)))
            return factor * ops.reduce_sum(logs, axis=-1)

    def _checks(self, x: Tensor) -> list[Any]:
        if not self.validate_args:
            return []
        shape = ops.shape(x)
        message = "Input must have rank at least 2."
        checks = [ops.assert_rank_at_least(x, 2, message=message)]
        message = "Input must be a square matrix."
        checks.append(ops.assert_equal(shape[-2], shape[-1], message=message))
        zero_diagonal = ops.matrix_set_diag(x, ops.zeros(shape[:-1], dtype=dtypes.float32))
        above = ops.matrix_band_part(zero_diagonal, 0, -1)
        message = "Input must be lower triangular."
        checks.append(ops.assert_equal(above, ops.zeros_like(above), message=message))
        diag = ops.matrix_diag_part(x)
        message = "Input must have all diagonal entries nonzero."
        checks.append(ops.assert_none_equal(diag, ops.zeros_like(diag), message=message))
        return checks
