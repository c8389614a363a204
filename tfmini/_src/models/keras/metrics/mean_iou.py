"""Mean intersection over union across classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.layers.backend.tensor_values import set_value
from tfmini._src.nn.layers.metric import Metric
from tfmini._src.ops import ops


class MeanIoU(Metric):
    """Intersection over union, averaged over classes and computed over all examples so far.

    Args:
      num_classes: number of classes.
      name, dtype: as in `tf.keras.metrics.Metric`.
    """

    _in_config = ("num_classes",)

    def __init__(self, num_classes: int, name: str | None = None, dtype: DTypeLike | None = None):
        super().__init__(name=name, dtype=dtype)
        self.num_classes = num_classes
        self.total_cm = self.add_weight(
            "total_confusion_matrix",
            shape=(num_classes, num_classes),
            initializer="zeros",
            dtype=dtypes.float64,
        )

    def update_state(
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: Any = None
    ) -> Any:
        """Adds predictions.

        Args:
          y_true, y_pred: class indices, of the same shape.
          sample_weight: weights, or None.
        """
        y_true, y_pred = ops.cast(y_true, self.dtype), ops.cast(y_pred, self.dtype)
        if (y_pred.shape.ndims or 0) > 1:
            y_pred = ops.reshape(y_pred, [-1])
        if (y_true.shape.ndims or 0) > 1:
            y_true = ops.reshape(y_true, [-1])
        if sample_weight is not None and len(sample_weight.shape) > 1:
            sample_weight = ops.reshape(sample_weight, [-1])
        confusion = ops.confusion_matrix(
            y_true, y_pred, self.num_classes, weights=sample_weight, dtype=dtypes.float64
        )
        return self.total_cm.assign_add(confusion)

    def result(self) -> Any:
        """Returns the mean over the classes seen so far."""
        predicted = ops.cast(ops.reduce_sum(self.total_cm, axis=0), dtype=self.dtype)
        expected = ops.cast(ops.reduce_sum(self.total_cm, axis=1), dtype=self.dtype)
        right = ops.cast(ops.diag_part(self.total_cm), dtype=self.dtype)
        union = predicted + expected - right
        present = ops.reduce_sum(ops.cast(ops.not_equal(union, 0), dtype=self.dtype))
        shares = ops.div_no_nan(right, union)
        return ops.div_no_nan(ops.reduce_sum(shares, name="mean_iou"), present)

    def reset_states(self) -> None:
        """Resets the counts to zeros."""
        set_value(self.total_cm, np.zeros((self.num_classes, self.num_classes)))
