"""Layers that perturb their inputs in training: noise and several kinds of dropout."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.shapes import TensorShape
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.backend.config import floatx, image_data_format
from tfmini._src.nn.layers.backend.learning_phase import in_train_phase
from tfmini._src.nn.layers.backend.random_numbers import random_normal, random_uniform
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.nn.layers.keras.dropout import Dropout
from tfmini._src.ops import ops

_ALPHA = 1.6732632423543772848170429916717  # constants of `selu`
_SCALE = 1.0507009873554804934193349852946


class _Noise(Layer):
    """Base class of layers whose output shape equals their input shape."""

    def __init__(self, **kwargs: Any):
        super().__init__(**kwargs)
        self.supports_masking = True

    def compute_output_shape(self, input_shape: ShapeLike) -> Any:
        """Returns the input shape."""
        return TensorShape(input_shape)


class GaussianNoise(_Noise):
    """Adds Gaussian noise with mean 0 in training.

    Args:
      stddev: the standard deviation of the noise.
    """

    _in_config = ("stddev",)

    def __init__(self, stddev: float, **kwargs: Any):
        super().__init__(**kwargs)
        self.stddev = stddev

    def call(self, inputs: Tensor, training: TensorLike | None = None) -> Any:
        """Adds noise to the inputs if `training` is true."""

        def noisy_inputs() -> Any:
            return inputs + random_normal(ops.shape(inputs), mean=0.0, stddev=self.stddev)

        return in_train_phase(noisy_inputs, inputs, training=training)


class GaussianDropout(_Noise):
    """Multiplies the inputs by Gaussian noise with mean 1 in training.

    Args:
      rate: the noise has variance rate / (1 - rate); a no-op outside (0, 1).
    """

    _in_config = ("rate",)

    def __init__(self, rate: float, **kwargs: Any):
        super().__init__(**kwargs)
        self.rate = rate

    def call(self, inputs: Tensor, training: TensorLike | None = None) -> Any:
        """Multiplies the inputs by noise if `training` is true."""
        if not 0 < self.rate < 1:
            return inputs

        def noisy_inputs() -> Any:
            stddev = np.sqrt(self.rate / (1.0 - self.rate))
            return inputs * random_normal(ops.shape(inputs), mean=1.0, stddev=stddev)

        return in_train_phase(noisy_inputs, inputs, training=training)


class AlphaDropout(_Noise):
    """Dropout that preserves the mean and variance of `selu` activations.

    Args:
      rate: fraction of elements to drop; a no-op outside (0, 1).
      noise_shape: shape of the dropout mask, broadcast to the inputs; None for the shape of the inputs.
      seed: an integer; None for one drawn by numpy.
    """

    def __init__(
        self,
        rate: float,
        noise_shape: TensorLike | None = None,
        seed: int | None = None,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self.rate = rate
        self.noise_shape = noise_shape
        self.seed = seed

    def call(self, inputs: Tensor, training: TensorLike | None = None) -> Any:
        """Drops elements of the inputs if `training` is true."""
        rate = self.rate
        if not 0.0 < rate < 1.0:
            return inputs
        shape = self.noise_shape or ops.shape(inputs)

        def dropped_inputs() -> Any:
            low = -_ALPHA * _SCALE
            mask = ops.greater_equal(random_uniform(shape, seed=self.seed), rate)
            mask = ops.cast(mask, floatx())
            factor = ((1 - rate) * (1 + rate * low**2)) ** -0.5
            x = inputs * mask + low * (1 - mask)
            return factor * x + -factor * low * rate

        return in_train_phase(dropped_inputs, inputs, training=training)

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, except `noise_shape` and `seed`."""
        return {**super().get_config(), "rate": self.rate}


class SpatialDropout1D(Dropout):
    """Drops entire channels of sequences [batch, steps, channels] in training.

    Args:
      rate: fraction of channels to drop.
    """

    def __init__(self, rate: float, **kwargs: Any):
        super().__init__(rate, **kwargs)
        self.input_spec = InputSpec(ndim=3)

    def _sizes(self, inputs: Any) -> Any:
        shape = ops.shape(inputs)
        return (shape[0], 1, shape[2])


class _SpatialDropout(Dropout):
    """Drops entire channels in training.

    Args:
      rate: fraction of channels to drop.
      data_format: "channels_last" or "channels_first".

    Raises:
      ValueError: for an unsupported data_format.
    """

    _spatial_rank: int

    def __init__(self, rate: float, data_format: str | None = None, **kwargs: Any):
        super().__init__(rate, **kwargs)
        data_format = image_data_format() if data_format is None else data_format
        if data_format not in ("channels_last", "channels_first"):
            raise ValueError('data_format must be in {"channels_last", "channels_first"}')
        self.data_format = data_format
        self.input_spec = InputSpec(ndim=self._spatial_rank + 2)

    def _sizes(self, inputs: Any) -> Any:
        shape = ops.shape(inputs)
        ones = (1,) * self._spatial_rank
        if self.data_format == "channels_first":
            return (shape[0], shape[1], *ones)
        return (shape[0], *ones, shape[self._spatial_rank + 1])


class SpatialDropout2D(_SpatialDropout):
    __doc__ = f"Dropout of images: {_SpatialDropout.__doc__}"
    _spatial_rank = 2


class SpatialDropout3D(_SpatialDropout):
    __doc__ = f"Dropout of volumes: {_SpatialDropout.__doc__}"
    _spatial_rank = 3
