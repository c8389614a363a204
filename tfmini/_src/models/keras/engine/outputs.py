"""Outputs of a compiled model, each with its target, loss and sample weights."""

from __future__ import annotations

from typing import Any

from tfmini._src.models.keras.losses.loss import Loss, LossFunctionWrapper
from tfmini._src.models.keras.losses.loss_by_name import is_known_function
from tfmini._src.models.keras.losses.loss_classes import SparseCategoricalCrossentropy
from tfmini._src.models.keras.losses.loss_functions import sparse_categorical_crossentropy
from tfmini._src.nn.layers.backend.config import floatx, image_data_format
from tfmini._src.nn.layers.backend.tensor_values import (
    dtype,
    int_shape,
    is_placeholder,
    is_sparse,
    placeholder,
)
from tfmini._src.ops import ops


class Endpoint:
    """One output of a compiled model.

    Attributes:
      output, name: the tensor, and its user-visible name.
      loss_fn: the loss, a `Loss` or a function; None for an output that is not trained.
      loss_weight: the weight of the loss.
      target: the target tensor, fed if `feeds_target`.
      sample_weight: the example weight tensor, or None.
      sample_weight_mode: None, "samplewise" or "temporal".
      loss_metric: the mean loss, for several outputs.
    """

    def __init__(self, output: Any, name: str, loss_fn: Any):
        self.output = output
        self.name = name
        self.loss_fn = loss_fn
        self.loss_weight: Any = None
        self.target: Any = None
        self.feeds_target = False
        self.skips_weights = True
        self.sample_weight: Any = None
        self.sample_weight_mode: str | None = None
        self.loss_metric: Any = None

    @property
    def skips_target(self) -> bool:
        """Whether the output has no loss and is not trained."""
        return self.loss_fn is None

    @property
    def loss_name(self) -> str | None:
        """The name of the loss."""
        return None if self.loss_fn is None else self.name + "_loss"

    def make_target(self, target: Any) -> None:
        """Creates a placeholder for the target unless a tensor was given."""
        if self.skips_target:
            return
        self.feeds_target = target is None or is_placeholder(target)
        self.skips_weights = not self.feeds_target
        if target is None and self.output is not None:  # None: known at run time
            target = placeholder(
                ndim=len(int_shape(self.output) or ()),
                name=self.name + "_target",
                sparse=is_sparse(self.output),
                dtype=dtype(self.output),
            )
        self.target = target

    def fed_shape(self) -> Any:
        """Returns the shape that fed targets must have, or None if it is arbitrary."""
        if not self.feeds_target or self.output is None:
            return None
        loss, shape = self.loss_fn, int_shape(self.output) or ()
        function = loss.fn if isinstance(loss, LossFunctionWrapper) else None
        sparse = function is sparse_categorical_crossentropy
        if sparse or isinstance(loss, SparseCategoricalCrossentropy):
            if image_data_format() == "channels_first":
                return (shape[0], 1, *shape[2:])
            return (*shape[:-1], 1)
        if not isinstance(loss, Loss) or (function is not None and not is_known_function(function)):
            return None
        return shape

    @property
    def weights_mismatch(self) -> bool:
        """Whether the presence of sample weights contradicts the sample weight mode."""
        return (self.sample_weight_mode is None) != (self.sample_weight is None)

    def make_sample_weight(self, value: Any = None) -> None:
        """Sets the sample weight tensor; by default a placeholder, if the mode requires weights.

        Raises:
          ValueError: if the tensor's rank does not match the mode.
        """
        mode = self.sample_weight_mode
        if value is not None:
            shape = [None] * (2 if mode == "temporal" else 1)
            if not value.shape.is_compatible_with(shape):
                raise ValueError(
                    f"Received sample weight with shape {value.shape}. Expected shape {shape}."
                )
            self.sample_weight = value
            return
        if self.skips_target or self.skips_weights or mode is None:
            self.sample_weight = None
            return
        assert mode in ("temporal", "samplewise")
        ones: list = [[1.0]] if mode == "temporal" else [1.0]
        self.sample_weight = ops.placeholder_with_default(
            ops.constant(ones, dtype=floatx()),
            shape=[None] * (2 if mode == "temporal" else 1),
            name=self.name + "_sample_weights",
        )
