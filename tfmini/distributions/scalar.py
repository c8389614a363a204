"""Bases of the distributions of single numbers."""

from __future__ import annotations

from typing import Any

from tfmini import dtypes
from tfmini.distributions.distribution import Distribution
from tfmini.graph.conversion import convert_to_tensor
from tfmini.graph.opdef import ops
from tfmini.graph.tensor import Tensor
from tfmini.shapes import TensorShape


class ScalarDistribution(Distribution):
    """Events are numbers; `_shape_parameters` are the names of the parameters for `param_shapes`."""

    _shape_parameters: tuple[str, ...] = ()

    @classmethod
    def _param_shapes(cls, sample_shape: Any) -> dict[str, Tensor]:
        if not cls._shape_parameters:
            return super()._param_shapes(sample_shape)
        return dict.fromkeys(
            cls._shape_parameters, convert_to_tensor(sample_shape, dtype=dtypes.int32)
        )

    def _event_shape_tensor(self) -> Tensor:
        return ops.constant([], dtype=dtypes.int32)

    def _event_shape(self) -> TensorShape:
        return TensorShape([])


class TwoParameterDistribution(ScalarDistribution):
    """The batch shape is what the shapes of the two `_shape_parameters` broadcast to."""

    _shape_parameters = ("loc", "scale")

    def _batch_shape_tensor(self) -> Tensor:
        first, second = (getattr(self, name) for name in self._shape_parameters)
        return ops.broadcast_dynamic_shape(ops.shape(first), ops.shape(second))

    def _batch_shape(self) -> TensorShape:
        first, second = (getattr(self, name) for name in self._shape_parameters)
        return ops.broadcast_static_shape(first.get_shape(), second.get_shape())
