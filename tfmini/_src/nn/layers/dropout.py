"""`tf.layers.Dropout` and `tf.layers.dropout`."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.signature import change_defaults
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.base import Layer
from tfmini._src.nn.layers.keras import dropout as core
from tfmini._src.nn.layers.layer_function import arguments, layer_function


@change_defaults(rate=0.5)
class Dropout(core.Dropout, Layer):
    def call(self, inputs: Tensor, training: TensorLike = False) -> Any:
        """Drops elements of the inputs if `training`, a bool or scalar bool tensor, is true."""
        return super().call(inputs, training=training)


@layer_function(Dropout, "Use keras.layers.dropout instead.")
def dropout(
    inputs: TensorLike,
    rate: float = 0.5,
    noise_shape: TensorLike | None = None,
    seed: int | None = None,
    training: TensorLike | None = False,
    name: str | None = None,
) -> Tensor:
    return arguments(locals())
