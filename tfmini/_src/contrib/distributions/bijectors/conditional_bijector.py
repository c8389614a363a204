"""Bijectors with additional arguments."""

from __future__ import annotations

from typing import Any

from tfmini._src.contrib.distributions.bijectors.bijector import Bijector
from tfmini._src.graph.tensor import Tensor, TensorLike


class ConditionalBijector(Bijector):
    """A bijector y = g(x; z). Passes keyword arguments of public methods on to `_forward`, `_inverse` and so on.

    Example:
      class Shift(tf.contrib.distributions.bijectors.ConditionalBijector):
          def __init__(self):
              super().__init__(forward_min_event_ndims=0)
          def _forward(self, x, by):
              return x + by
      Shift().forward(1.0, by=2.0)  # 3
    """

    def forward(self, x: TensorLike, name: str = "forward", **condition_kwargs: Any) -> Tensor:
        """Computes y = g(x; z)."""
        return self._call_forward(x, name, **condition_kwargs)

    def inverse(self, y: TensorLike, name: str = "inverse", **condition_kwargs: Any) -> Any:
        """Solves g(x; z) = y for x."""
        return self._call_inverse(y, name, **condition_kwargs)

    def inverse_log_det_jacobian(
        self,
        y: TensorLike,
        event_ndims: TensorLike,
        name: str = "inverse_log_det_jacobian",
        **condition_kwargs: Any,
    ) -> Any:
        """Returns log |det dx/dy|, summed over the last `event_ndims` axes."""
        return self._call_inverse_log_det_jacobian(y, event_ndims, name, **condition_kwargs)

    def forward_log_det_jacobian(
        self,
        x: TensorLike,
        event_ndims: TensorLike,
        name: str = "forward_log_det_jacobian",
        **condition_kwargs: Any,
    ) -> Tensor:
        """Returns log |det dy/dx|, summed over the last `event_ndims` axes."""
        return self._call_forward_log_det_jacobian(x, event_ndims, name, **condition_kwargs)
