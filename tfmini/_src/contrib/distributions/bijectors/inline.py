"""Bijector defined by functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.shapes import TensorShape
from tfmini._src.contrib.distributions.bijectors.bijector import Bijector
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.tensor import Tensor


class Inline(Bijector):
    """The bijector y = forward_fn(x), with user functions for its methods.

    Args:
      forward_fn: the function.
      inverse_fn: its inverse.
      inverse_log_det_jacobian_fn: log |det dx/dy|, a function of y.
      forward_log_det_jacobian_fn: log |det dy/dx|, a function of x.
      forward_event_shape_fn: maps the TensorShape of x to the TensorShape of y; None if they are the same.
      forward_event_shape_tensor_fn: the same for int32 vectors.
      inverse_event_shape_fn, inverse_event_shape_tensor_fn: likewise, from y to x.
      is_constant_jacobian: whether the determinant does not depend on x.
      validate_args: whether to check arguments at run time.
      forward_min_event_ndims: minimum event rank accepted by `forward_fn`.
      inverse_min_event_ndims: minimum event rank accepted by `inverse_fn`; each defaults to the other.

    Calling a missing function raises NotImplementedError.
    """

    @moved
    def __init__(
        self,
        forward_fn: Callable[..., Any] | None = None,
        inverse_fn: Callable[..., Any] | None = None,
        inverse_log_det_jacobian_fn: Callable[..., Any] | None = None,
        forward_log_det_jacobian_fn: Callable[..., Any] | None = None,
        forward_event_shape_fn: Callable[..., Any] | None = None,
        forward_event_shape_tensor_fn: Callable[..., Any] | None = None,
        inverse_event_shape_fn: Callable[..., Any] | None = None,
        inverse_event_shape_tensor_fn: Callable[..., Any] | None = None,
        is_constant_jacobian: bool = False,
        validate_args: bool = False,
        forward_min_event_ndims: int | None = None,
        inverse_min_event_ndims: int | None = None,
        name: str = "inline",
    ):
        super().__init__(
            forward_min_event_ndims=forward_min_event_ndims,
            inverse_min_event_ndims=inverse_min_event_ndims,
            is_constant_jacobian=is_constant_jacobian,
            validate_args=validate_args,
            name=name,
        )
        self._functions = {
            "forward": forward_fn,
            "inverse": inverse_fn,
            "inverse_log_det_jacobian": inverse_log_det_jacobian_fn,
            "forward_log_det_jacobian": forward_log_det_jacobian_fn,
            "forward_event_shape": forward_event_shape_fn,
            "forward_event_shape_tensor": forward_event_shape_tensor_fn,
            "inverse_event_shape": inverse_event_shape_fn,
            "inverse_event_shape_tensor": inverse_event_shape_tensor_fn,
        }

    def _call_function(self, name: str, value: Tensor) -> Tensor:
        function = self._functions[name]
        if not callable(function):
            raise NotImplementedError(f"{name}_fn is not a callable function.")
        return function(value)

    def _shape(self, name: str, shape: Any) -> Any:
        function = self._functions[name]
        return shape if function is None else function(shape)

    def _forward_event_shape(self, input_shape: TensorShape) -> TensorShape:
        return self._shape("forward_event_shape", input_shape)

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        return self._shape("forward_event_shape_tensor", input_shape)

    def _inverse_event_shape(self, output_shape: Any) -> TensorShape:
        return self._shape("inverse_event_shape", output_shape)

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        return self._shape("inverse_event_shape_tensor", output_shape)

    def _forward(self, x: Tensor) -> Tensor:
        return self._call_function("forward", x)

    def _inverse(self, y: Tensor) -> Tensor:
        return self._call_function("inverse", y)

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        return self._call_function("inverse_log_det_jacobian", y)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        return self._call_function("forward_log_det_jacobian", x)
