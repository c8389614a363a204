"""Base classes of scalar distributions."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.distribution import Distribution
from tfmini._src.probability.distributions.reparameterization import (
    FULLY_REPARAMETERIZED,
    ReparameterizationType,
)


class ScalarDistribution(Distribution):
    """Base class of distributions of scalars.

    `_shape_parameters` names the parameters for `param_shapes`. The batch shape is the broadcast shape of
    `_batch_parameters`, by default the same parameters.
    """

    _shape_parameters: tuple[str, ...] = ()
    _batch_parameters: tuple[str, ...] = ()

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

    def _broadcast(self, shape_of: Callable, broadcast: Callable) -> Any:
        names = self._batch_parameters or self._shape_parameters
        *leading, last = (shape_of(getattr(self, name)) for name in names)
        return functools.reduce(lambda shape, other: broadcast(other, shape), leading[::-1], last)

    def _batch_shape_tensor(self) -> Tensor:
        return self._broadcast(ops.shape, ops.broadcast_dynamic_shape)

    def _batch_shape(self) -> TensorShape:
        return self._broadcast(Tensor.get_shape, ops.broadcast_static_shape)


class LocationScaleDistribution(ScalarDistribution):
    """Base class of location-scale families, which shift a standard distribution by `loc` and scale it by `scale`."""

    _shape_parameters = ("loc", "scale")
    loc: Tensor = read_only("The locations, added to draws of the standard distribution.")
    scale: Tensor = read_only(
        "The scales, by which draws of the standard distribution are multiplied."
    )

    def __init__(self, parameters: dict[str, Any]):
        loc, scale, validate_args = (parameters[n] for n in ("loc", "scale", "validate_args"))
        with name_scope(parameters["name"], values=[loc, scale]) as name:
            with control_dependencies([ops.assert_positive(scale)] if validate_args else []):
                self._loc = ops.identity(loc, name="loc")
                self._scale = ops.identity(scale, name="scale")
                ops.assert_same_float_dtype([self._loc, self._scale])
        self._init(
            parameters, name, FULLY_REPARAMETERIZED, [self._loc, self._scale], self._scale.dtype
        )

    def _standardize(self, x: Tensor) -> Tensor:
        with name_scope("standardize", values=[x]):
            return (x - self.loc) / self.scale


class ShapeRateDistribution(ScalarDistribution):
    """Base class of gamma families: distributions of positive numbers with `concentration` and `rate`."""

    concentration: Tensor = read_only("The shapes.")
    _shape_parameters = ("concentration", "rate")

    def __init__(self, parameters: dict[str, Any], reparameterization_type: ReparameterizationType):
        values = [parameters["concentration"], parameters["rate"]]
        with name_scope(parameters["name"], values=values) as name:
            positive = values if parameters["validate_args"] else []
            with control_dependencies([ops.assert_positive(x) for x in positive]):
                self._concentration = ops.identity(values[0], name="concentration")
                self._rate = ops.identity(values[1], name="rate")
                ops.assert_same_float_dtype([self._concentration, self._rate])
        self._init(parameters, name, reparameterization_type, [self._concentration, self._rate])

    def _value_or_nan(self, value: Tensor, minimum: float, message: str) -> Tensor:
        """Returns `value` where the concentration exceeds `minimum`, else NaN, an error unless `allow_nan_stats`."""
        if self.allow_nan_stats:
            nan = np.array(np.nan, self.dtype.as_numpy_dtype())
            nans = ops.fill(self.batch_shape_tensor(), nan, name="nan")
            return ops.where_v2(self.concentration > minimum, value, nans)
        bound = (
            ops.ones([], self.dtype) if minimum == 1.0 else ops.constant(minimum, dtype=self.dtype)
        )
        check = ops.assert_less(bound, self.concentration, message=message)
        return ops.with_dependencies([check], value)

    def _check_sample(self, x: Tensor) -> Tensor:
        ops.assert_same_float_dtype(tensors=[x], dtype=self.dtype)
        return ops.with_dependencies([ops.assert_positive(x)], x) if self.validate_args else x
