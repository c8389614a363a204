"""Elementwise mean of tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.nn.layers.backend.session import get_session
from tfmini._src.nn.layers.backend.tensor_values import batch_set_value
from tfmini._src.nn.layers.metric import Metric
from tfmini._src.nn.layers.squeeze_or_expand_dimensions import squeeze_or_expand_dimensions
from tfmini._src.ops import ops
from tfmini._src.variables.init_scope import init_scope


class MeanTensor(Metric):
    """Elementwise mean of tensors of the same shape.

    Args:
      name, dtype: as in `tf.keras.metrics.Metric`.

    Example:
      mean = tf.keras.metrics.MeanTensor()
      update = mean.update_state([0.0, 1.0])  # run it with each batch
      mean.result()  # [2]
    """

    total: Any = read_only("The variable of the weighted sum; None before the first update.")
    count: Any = read_only("The variable of the sum of weights; None before the first update.")

    def __init__(self, name: str = "mean_tensor", dtype: DTypeLike | None = None):
        super().__init__(name=name, dtype=dtype)
        self._shape: Any = None
        self._total: Any = None
        self._count: Any = None

    def _make(self, shape: Any) -> None:
        self._shape = TensorShape(shape)
        self._total = self.add_weight("total", shape=shape, initializer="zeros")
        self._count = self.add_weight("count", shape=shape, initializer="zeros")
        with init_scope():
            get_session()  # initializes both to zeros

    def update_state(self, values: Any, sample_weight: Any = None) -> Any:
        """Adds a tensor.

        Args:
          values: a tensor, of the same shape in all calls.
          sample_weight: broadcastable weights, or None.

        Raises:
          ValueError: for another shape.
        """
        values = ops.cast(values, self.dtype)
        if self._shape is None:
            self._make(values.shape)
        elif values.shape != self._shape:
            raise ValueError(
                "MeanTensor input values must always have the same shape. Expected shape (set during the first call): "
                f"{self._shape}. Got: {values.shape}"
            )
        weight = ops.ones_like(values)
        if sample_weight is not None:
            sample_weight = ops.cast(sample_weight, self.dtype)
            values, _, sample_weight = squeeze_or_expand_dimensions(
                values, None, sample_weight=sample_weight
            )
            try:
                sample_weight = ops.broadcast_weights(sample_weight, values)
            except ValueError:
                axes = range(sample_weight.shape.ndims, values.shape.ndims)
                values = ops.reduce_mean(values, axis=list(axes))
            weight = ops.multiply(weight, sample_weight)
            values = ops.multiply(values, sample_weight)
        with control_dependencies([self._total.assign_add(values)]):
            return self._count.assign_add(weight)

    def result(self) -> Any:
        """Returns the mean.

        Raises:
          ValueError: before the first update.
        """
        if self._shape is None:
            raise ValueError(
                "MeanTensor does not have any result yet. Please call the MeanTensor instance or use "
                "`.update_state(value)` before retrieving the result."
            )
        return ops.div_no_nan(self._total, self._count)

    def reset_states(self) -> None:
        """Resets the sums to zeros."""
        if self._shape is not None:
            zeros = np.zeros(self._shape.as_list())
            batch_set_value([(variable, zeros) for variable in self.variables])
