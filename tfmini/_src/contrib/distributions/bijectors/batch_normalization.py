"""Batch normalization as a bijector, for flows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.contrib.distributions.bijectors.bijector import Bijector
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.layers.batch_normalization import (
    BatchNormalization as layers_BatchNormalization,
)
from tfmini._src.ops import ops


class BatchNormalization(Bijector):
    """Batch normalization whose `inverse` normalizes: x = gamma (y - mean) / sqrt(variance + epsilon) + beta.

    In training, `inverse` uses the batch's mean and variance, `forward` the layer's moving averages, so samples of y
    differ from the normalized batch.

    Args:
      batchnorm_layer: a `tf.layers.BatchNormalization`, by default one with positive gamma.
      training: whether `inverse` uses the batch's mean and variance.
      validate_args: unused.

    Raises:
      ValueError: if the layer has the wrong type, or uses renormalization or virtual batches; when called, if
        the shape of an argument is statically unknown.

    Example:
      c = tf.contrib.distributions
      flow = c.bijectors.Invert(c.bijectors.BatchNormalization())
    """

    @moved
    def __init__(
        self,
        batchnorm_layer: Any = None,
        training: bool = True,
        validate_args: bool = False,
        name: str = "batch_normalization",
    ):
        self.batchnorm = batchnorm_layer or layers_BatchNormalization(gamma_constraint=_positive)
        if not isinstance(self.batchnorm, layers_BatchNormalization):
            raise ValueError("batchnorm_layer must be an instance of BatchNormalization layer.")
        if self.batchnorm.renorm:
            raise ValueError("BatchNorm Bijector does not support renormalization.")
        if self.batchnorm.virtual_batch_size:
            raise ValueError("BatchNorm Bijector does not support virtual batch sizes.")
        self._training = training
        axis = self.batchnorm.axis
        super().__init__(
            forward_min_event_ndims=1 if isinstance(axis, int) else len(axis),
            validate_args=validate_args,
            name=name,
        )

    def _forward(self, x: Tensor) -> Tensor:
        layer = self.batchnorm
        if not layer.built:
            layer.build(x.shape)
        shaped = self._broadcasting(x)
        mean, variance = shaped(layer.moving_mean), shaped(layer.moving_variance)
        offset = shaped(layer.beta) if layer.center else None
        scale = shaped(layer.gamma) if layer.scale else None
        with name_scope(None, "undo_batchnorm", [x, mean, variance, scale, offset]):
            factor = ops.sqrt(variance + layer.epsilon)
            if scale is not None:
                factor /= scale
            scaled = x * factor
            return scaled + (mean if offset is None else mean - offset * factor)

    def _inverse(self, y: Tensor) -> Tensor:
        return self.batchnorm.apply(y, training=self._training)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        return -self._log_det(x, saved=True)

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        return self._log_det(y, saved=not self._training)

    def _log_det(self, y: Tensor, saved: bool) -> Tensor:
        rank = len(_known_shape(y))
        layer = self.batchnorm
        if not layer.built:
            layer.build(y.shape)
        if saved:
            variance = layer.moving_variance
        else:
            axes = [axis for axis in range(rank) if axis not in layer.axis]
            _, variance = ops.moments(y, axes=axes, keepdims=True)
        log_variance = ops.log(variance + layer.epsilon)
        total_gamma = ops.reduce_sum(ops.log(layer.gamma))
        return total_gamma - 0.5 * ops.reduce_sum(log_variance)

    def _broadcasting(self, x: Tensor) -> Callable[[Any], Any]:
        """Returns a function that reshapes a layer's variable for broadcasting with `x` if its axis is not the last."""
        sizes = _known_shape(x)
        axes = self.batchnorm.axis
        last = [axis for axis in range(len(sizes)) if axis not in axes] == [*range(len(sizes) - 1)]
        shape: list[Any] = [1] * len(sizes)
        shape[axes[0]] = sizes[axes[0]]

        def reshape_variable(variable: Any) -> Any:
            if variable is None or len(variable.get_shape()) == len(sizes) or last:
                return variable
            return ops.reshape(variable, shape)

        return reshape_variable


def _positive(gamma: Any) -> Tensor:
    return ops.relu(gamma) + 1e-6


def _known_shape(x: Tensor) -> np.ndarray:
    if not x.shape.is_fully_defined():
        raise ValueError("Input must have shape known at graph construction.")
    return np.array(x.shape.as_list(), np.int32)
