"""`tf.layers.Dropout` and `tf.layers.dropout`: elements set to zero at random while training."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.nn.layers.base import Layer
from tfmini._src.nn.layers.keras import dropout as core
from tfmini._src.nn.layers.signatures import defaults


@defaults(rate=0.5)
class Dropout(core.Dropout, Layer):
    __doc__ = core.Dropout.__doc__

    def call(self, inputs: Any, training: Any = False) -> Any:
        """The inputs, with elements dropped if `training` (a bool, or a scalar bool tensor)."""
        return super().call(inputs, training=training)


@deprecated(None, "Use keras.layers.dropout instead.")
def dropout(
    inputs: Any,
    rate: float = 0.5,
    noise_shape: Any = None,
    seed: int | None = None,
    training: Any = False,
    name: Any = None,
) -> Any:
    """Sets elements to 0 at random while training, and scales the rest by 1 / (1 - rate).

    Args:
      inputs: a float tensor.
      rate, noise_shape, seed: as for `tf.layers.Dropout`.
      training: a bool, or a scalar bool tensor; without it the inputs pass as they are.
      name: the layer's name.

    Returns:
      A tensor of the shape and dtype of `inputs`.

    Raises:
      ValueError: for a rate outside [0, 1), or inputs that are not floats.
    """
    return Dropout(rate, noise_shape=noise_shape, seed=seed, name=name).apply(
        inputs, training=training
    )
