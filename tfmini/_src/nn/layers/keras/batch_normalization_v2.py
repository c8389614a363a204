"""`BatchNormalization` of `tf.compat.v2.keras.layers`, which uses moving averages if it is not trainable."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.nn.layers.keras import batch_normalization
from tfmini._src.ops import ops


class BatchNormalization(batch_normalization.BatchNormalization):
    """`tf.keras.layers.BatchNormalization` that runs in inference mode whenever `trainable` is False.

    Raises:
      ValueError: also if `fused` is True and the fused op is unavailable.
    """

    @arguments_of(batch_normalization.BatchNormalization)
    def __init__(self, kwargs: dict[str, Any], **arguments: Any) -> None:
        super().__init__(**arguments, **kwargs)
        reason = self._why_not_fused()
        if arguments["fused"] and reason:
            raise ValueError(f"Passing {reason}")
        self.fused: Any = False if reason else arguments["fused"]

    def _why_not_fused(self) -> str | None:
        axes = [self.axis] if isinstance(self.axis, int) else self.axis
        if self.renorm:
            return "both fused=True and renorm=True is unsupported"
        if len(axes) > 1 or axes[0] not in (-3, -1, 1, 3):
            return "fused=True is only supported when axis is 1 or 3"
        if self.virtual_batch_size is not None:
            return "fused=True is unsupported when virtual_batch_size is specified."
        if self.adjustment is not None:
            return "fused=True is unsupported when adjustment is specified."
        return None

    def _decide_if_fused(self, rank: int) -> None:
        if self.fused is None:
            self.fused = rank == 4
        elif self.fused and rank != 4:
            raise ValueError(
                "Batch normalization layers with fused=True only support 4D input tensors."
            )

    def _phase(self, training: Any) -> Any:
        training = super()._phase(training)
        return ops.logical_and(
            bool(training) if isinstance(training, int) else training, self.trainable
        )
