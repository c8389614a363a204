"""`tf.layers.Flatten` and `tf.layers.flatten`."""

from __future__ import annotations

from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.base import Layer
from tfmini._src.nn.layers.keras import flatten as core
from tfmini._src.nn.layers.layer_function import arguments, layer_function


class Flatten(core.Flatten, Layer):
    __doc__ = core.Flatten.__doc__


@layer_function(Flatten, "Use keras.layers.flatten instead.")
def flatten(
    inputs: TensorLike, name: str | None = None, data_format: str = "channels_last"
) -> Tensor:
    return arguments(locals())
