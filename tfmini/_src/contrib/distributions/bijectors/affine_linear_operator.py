"""Affine bijector for vectors, with a linear operator."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.distributions.bijectors.bijector import Bijector
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.contrib.distributions.event_matrices import EventMatrices
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.linear_operators.linear_operator import LinearOperator


class AffineLinearOperator(Bijector):
    """The bijector y = scale @ x + shift.

    Args:
      shift: [..., k] float tensor, None for 0.
      scale: a LinearOperator of [..., k, k] matrices of the same dtype, None for the identity.
      validate_args: whether to check, at run time, that no matrix is singular.

    Raises:
      TypeError: if `scale` is not a LinearOperator or has a different dtype.
      ValueError: if `scale` may be singular and `validate_args` is true.
    """

    shift: Tensor | None = read_only("The vector added.")
    scale: LinearOperator | None = read_only("The operator to multiply by.")

    @moved
    def __init__(
        self,
        shift: TensorLike | None = None,
        scale: LinearOperator | None = None,
        validate_args: bool = False,
        name: str = "affine_linear_operator",
    ):
        self._graph_parents = []
        self._name = name
        self._validate_args = validate_args
        graph_parents = []
        with self._name_scope("init", values=[shift]):
            dtype = dtypes.float32
            if shift is not None:
                shift = convert_to_tensor(shift, name="shift")
                graph_parents.append(shift)
                dtype = shift.dtype.base_dtype
            self._shift = shift
            batch_ndims: Any = 0
            if scale is not None:
                if shift is not None and dtype != scale.dtype.base_dtype:
                    raise TypeError(
                        f"shift.dtype({shift.dtype}) is incompatible with "
                        f"scale.dtype({scale.dtype})."
                    )
                if not isinstance(scale, LinearOperator):
                    raise TypeError("scale is not an instance of tf.LinearOperator")
                if validate_args and not scale.is_non_singular:
                    raise ValueError("Scale matrix must be non-singular.")
                graph_parents += scale.graph_parents
                if scale.tensor_rank is None:
                    batch_ndims = scale.tensor_rank_tensor() - 2
                    graph_parents.append(batch_ndims)
                else:
                    batch_ndims = scale.tensor_rank - 2
                if scale.dtype is not None:
                    dtype = scale.dtype.base_dtype
            self._scale = scale
            self._shaper = EventMatrices(batch_ndims, 1, validate_args)
            super().__init__(
                forward_min_event_ndims=1,
                graph_parents=graph_parents,
                is_constant_jacobian=True,
                dtype=dtype,
                validate_args=validate_args,
                name=name,
            )

    def _forward(self, x: Tensor) -> Tensor:
        y = x
        if self.scale is not None:
            y, sample_shape = self._shaper.matrices(y)
            with control_dependencies(self._checks()):
                y = self.scale.matmul(y)
            y = self._shaper.samples(y, sample_shape)
        return y if self.shift is None else y + self.shift

    def _inverse(self, y: Tensor) -> Tensor:
        x = y if self.shift is None else y - self.shift
        if self.scale is not None:
            x, sample_shape = self._shaper.matrices(x)
            x = self.scale.solve(x)
            x = self._shaper.samples(x, sample_shape)
        return x

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        if self.scale is None:
            return ops.constant(0.0, dtype=x.dtype.base_dtype)
        with control_dependencies(self._checks()):
            return self.scale.log_abs_determinant()

    def _checks(self) -> list[Any]:
        if not self.validate_args or self.scale is None:
            return []
        return [self.scale.assert_non_singular()]
