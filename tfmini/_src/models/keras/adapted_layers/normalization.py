"""`Normalization`: standardizes features by precomputed mean and variance."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from tfmini._src.base.dtypes import int32
from tfmini._src.models.keras.adapted_layers.combiner_layer import (
    Combiner,
    CombinerPreprocessingLayer,
)
from tfmini._src.nn.layers.backend.config import floatx
from tfmini._src.ops import ops
from tfmini._src.variables.initializers import Zeros


class Moments(NamedTuple):
    """Mean and variance, with an element count."""

    count: Any
    mean: Any
    variance: Any


class MomentsCombiner(Combiner):
    """Computes the mean and variance over all axes except `axis`, in float64.

    Args:
      axis: the axis or axes to keep.
    """

    def __init__(self, axis: Any):
        self.axis = axis

    def compute(self, batch_values: Any, accumulator: Moments | None = None) -> Moments:
        """Returns the moments of an array, combined with an accumulator if given."""
        values = np.asarray(batch_values)
        count = np.prod(np.delete(values.shape, self.axis), dtype=np.int32)
        axes = tuple(np.delete(range(values.ndim), self.axis))
        mean = np.mean(values, axis=axes, dtype=np.float64)
        moments = self._create_accumulator(count, mean, np.var(values, axis=axes, dtype=np.float64))
        return moments if accumulator is None else self.merge([accumulator, moments])

    def merge(self, accumulators: Sequence[Moments]) -> Moments:
        """Returns the combined moments."""
        count = np.sum([part.count for part in accumulators])
        mean = np.add.reduce([part.mean * part.count for part in accumulators]) / count
        spread = [part.count * (part.variance + (part.mean - mean) ** 2) for part in accumulators]
        return self._create_accumulator(count, mean, np.add.reduce(spread) / count)

    def extract(self, accumulator: Moments) -> dict[str, Any]:
        """Returns the moments by name."""
        return accumulator._asdict()

    def restore(self, output: dict[str, Any]) -> Moments:
        """Restores moments from a result of `extract`; raises RuntimeError for nonzero moments with count 0."""
        moments = self._create_accumulator(**output)
        if moments.count == 0 and (moments.mean.any() or moments.variance.any()):
            raise RuntimeError(
                "The mean and/or variance of a Normalization preprocessing layer were set without also setting "
                "'count'. If 'count' is not also set, 'adapt' cannot be called unless the 'reset_state' arg is True."
            )
        return moments

    def serialize(self, accumulator: Moments) -> bytes:
        """Returns the moments as JSON."""
        return json.dumps({k: v.tolist() for k, v in accumulator._asdict().items()}).encode()

    def deserialize(self, encoded_accumulator: bytes) -> Moments:
        """Restores moments from JSON."""
        return self._create_accumulator(
            **{k: np.array(v) for k, v in json.loads(encoded_accumulator).items()}
        )

    def _create_accumulator(self, count: Any, mean: Any, variance: Any) -> Moments:
        """Creates moments, with NaN replaced by zero."""
        return Moments(np.array(count), np.nan_to_num(mean), np.nan_to_num(variance))


class Normalization(CombinerPreprocessingLayer):
    """Computes (inputs - mean) / variance elementwise, as in TensorFlow 1.15; later versions divide by the root
    of the variance.

    `adapt` computes the mean and variance from data before training.

    Args:
      axis: the axis or axes with separate moments.
      dtype: as in every layer; floatx by default.

    Raises:
      ValueError: for the batch axis, 0.
    """

    _in_config = ("axis",)
    _NormalizingCombiner = MomentsCombiner

    def __init__(self, axis: Any = -1, dtype: Any = None, **kwargs: Any):
        super().__init__(MomentsCombiner(axis), dtype=dtype or floatx(), **kwargs)
        if axis == 0:
            raise ValueError("The argument 'axis' may not be 0.")
        self.axis = axis

    def build(self, input_shape: Any) -> None:
        """Creates the variables for an input shape."""
        axes = self.axis if isinstance(self.axis, list | tuple) else [self.axis]
        self._broadcast_shape = [1] * len(input_shape)
        for axis in axes:
            self._broadcast_shape[axis] = input_shape[axis]
        shape = [input_shape[axis] for axis in axes]
        self.mean = self._add_state_variable("mean", shape, floatx(), Zeros())
        self.variance = self._add_state_variable("variance", shape, floatx(), Zeros())
        self.count = self._add_state_variable("count", (), int32, Zeros())
        super().build(input_shape)

    def call(self, inputs: Any) -> Any:
        """Returns (inputs - mean) / variance."""
        mean = ops.reshape(self.mean, self._broadcast_shape)
        return (inputs - mean) / ops.reshape(self.variance, self._broadcast_shape)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Returns the input shape."""
        return input_shape

    def compute_output_signature(self, input_signature: Any) -> Any:
        """Returns the input signature."""
        return input_signature

    def set_weights(self, weights: list) -> None:
        """Sets mean, variance and count; the count defaults to 0."""
        super().set_weights([*weights, np.array(0)] if len(weights) == 2 else weights)
