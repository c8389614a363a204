"""Affine bijector for vectors, with a structured matrix."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import dimension_value
from tfmini._src.contrib.distributions.bijectors.bijector import Bijector
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.contrib.distributions.event_matrices import EventMatrices
from tfmini._src.contrib.distributions.scales import tensor_or_none, triangular_scale
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.is_tensor import is_tensor
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.linear_operators.low_rank_update import LinearOperatorLowRankUpdate


class Affine(Bijector):
    """The bijector y = scale @ x + shift, where scale is c I + diag(d) + L + V diag(e) V^T.

    Args:
      shift: [..., k] float tensor, None for 0.
      scale_identity_multiplier: c, a float tensor; None for 0, or for 1 if nothing else is given.
      scale_diag: d, [..., k] float tensor.
      scale_tril: L, [..., k, k] float tensor, of which the lower triangle is read.
      scale_perturb_factor: V, [..., k, r] float tensor.
      scale_perturb_diag: e, [..., r] float tensor, None for 1.
      validate_args: whether to check, at run time, that the matrix is not singular.

    Raises:
      ValueError: if `scale_perturb_diag` is given without `scale_perturb_factor`.
      TypeError: if the dtypes of `shift` and the matrix differ.

    Example: `Affine([1.0, 0.0], scale_diag=[2.0, 3.0]).forward([1.0, 1.0])` is [3, 3].
    """

    shift: Tensor | None = read_only("The vector added; None for 0.")
    scale: Any = read_only(
        "The LinearOperator to multiply by, or a number if only `scale_identity_multiplier` was given."
    )

    @moved
    def __init__(
        self,
        shift: Any = None,
        scale_identity_multiplier: TensorLike | None = None,
        scale_diag: TensorLike | None = None,
        scale_tril: TensorLike | None = None,
        scale_perturb_factor: TensorLike | None = None,
        scale_perturb_diag: TensorLike | None = None,
        validate_args: bool = False,
        name: str = "affine",
    ):
        self._graph_parents = []
        self._name = name
        self._validate_args = validate_args
        if scale_perturb_diag is not None and scale_perturb_factor is None:
            raise ValueError(
                "When scale_perturb_diag is specified, scale_perturb_factor must be specified."
            )
        parts = (scale_diag, scale_tril, scale_perturb_factor)
        self._is_identity_multiple = all(part is None for part in parts)
        values = [shift, scale_identity_multiplier, *parts, scale_perturb_diag]
        with self._name_scope("init", values=values):
            shift = tensor_or_none(shift, "shift")
            dtype = dtypes.float32 if shift is None else shift.dtype.base_dtype
            self._shift = shift
            if self._is_identity_multiple and scale_identity_multiplier is None:
                scale_identity_multiplier = convert_to_tensor(1.0, dtype=dtype)
            scale = self._operator(
                scale_identity_multiplier, *parts, scale_perturb_diag, shift, validate_args
            )
            if scale.dtype is not None:
                dtype = scale.dtype.base_dtype
            batch_ndims: Any = 0
            if not self._is_identity_multiple:
                if shift is not None and shift.dtype.base_dtype != scale.dtype.base_dtype:
                    raise TypeError(
                        f"shift.dtype({shift.dtype}) is incompatible with "
                        f"scale.dtype({scale.dtype})."
                    )
                rank = scale.tensor_rank
                batch_ndims = (scale.tensor_rank_tensor() if rank is None else rank) - 2
            self._scale = scale
            self._shaper = EventMatrices(batch_ndims, 1, validate_args)
            if is_tensor(scale):
                parents = [scale]
            else:
                parents = [] if shift is None else [*scale.graph_parents, shift]
            super().__init__(
                forward_min_event_ndims=1,
                graph_parents=parents,
                is_constant_jacobian=True,
                dtype=dtype,
                validate_args=validate_args,
                name=name,
            )

    def _operator(
        self,
        multiplier: Any,
        diag: Any,
        tril: Any,
        factor: Any,
        perturb_diag: Any,
        shift: Any,
        validate_args: bool,
    ) -> Any:
        """Returns the matrix as a linear operator, or a scalar for a multiple of the identity."""
        multiplier = tensor_or_none(multiplier, "identity_multiplier")
        diag = tensor_or_none(diag, "diag")
        tril = tensor_or_none(tril, "tril")
        perturb_diag = tensor_or_none(perturb_diag, "perturb_diag")
        factor = tensor_or_none(factor, "perturb_factor")
        size = None
        if factor is not None:
            size = dimension_value(factor.shape.with_rank_at_least(2)[-2])
            size = ops.shape(factor)[-2] if size is None else size
        if self._is_identity_multiple:
            if not validate_args:
                return multiplier
            zero = ops.zeros([], multiplier.dtype)
            message = ["identity_multiplier should be non-zero."]
            check = ops.assert_none_equal(multiplier, zero, message)
            return ops.with_dependencies([check], multiplier)
        scale = triangular_scale(shift, tril, diag, multiplier, size, validate_args)
        if factor is None:
            return scale
        return LinearOperatorLowRankUpdate(
            scale,
            u=factor,
            diag_update=perturb_diag,
            is_diag_update_positive=perturb_diag is None,
            is_non_singular=True,
            is_self_adjoint=True,
            is_positive_definite=True,
            is_square=True,
        )

    def _forward(self, x: Tensor) -> Tensor:
        if self._is_identity_multiple:
            y = x * self._scale
        else:
            y, sample_shape = self._shaper.matrices(x)
            with control_dependencies(self._checks()):
                y = self.scale.matmul(y)
            y = self._shaper.samples(y, sample_shape)
        return y if self.shift is None else y + self.shift

    def _inverse(self, y: Tensor) -> Tensor:
        x = y if self.shift is None else y - self.shift
        if self._is_identity_multiple:
            return x / self._scale
        x, sample_shape = self._shaper.matrices(x)
        return self._shaper.samples(self.scale.solve(x), sample_shape)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        if not self._is_identity_multiple:
            return self.scale.log_abs_determinant()
        size = ops.cast(ops.shape(x)[-1], dtype=self._scale.dtype)
        return ops.log(ops.abs(self._scale)) * size

    def _checks(self) -> list[Any]:
        if not self.validate_args:
            return []
        try:
            return [self.scale.assert_non_singular()]
        except NotImplementedError:
            return []
