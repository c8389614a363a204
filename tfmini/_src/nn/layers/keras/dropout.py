"""`Dropout`: sets random elements to zero in training."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.signature import hide_arguments
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.backend.learning_phase import choose, learning_phase
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.ops import ops


@hide_arguments("name")
class Dropout(Layer):
    """Sets random elements to 0 in training and scales the rest by 1 / (1 - rate).

    A call is for training if `training` is true; `training` defaults to the learning phase.

    Args:
      rate: fraction of elements to drop, in [0, 1).
      noise_shape: shape of the dropout mask, broadcast to the inputs; None for an axis of the inputs' size.
      seed: an integer; see `tf.set_random_seed`.
      name: the layer's name.

    Raises, when called:
      ValueError: for a rate outside [0, 1), or an input that is not floating-point.

    Example: `y = tf.keras.layers.Dropout(0.4)(x)`.
    """

    _in_config = ("rate", "noise_shape", "seed")

    def __init__(
        self,
        rate: float,
        noise_shape: Any = None,
        seed: int | None = None,
        name: str | None = None,
        **kwargs: Any,
    ):
        super().__init__(name=name, **kwargs)
        self.rate = rate
        self.noise_shape = noise_shape
        self.seed = seed
        self.supports_masking = True

    def call(self, inputs: Tensor, training: TensorLike | None = None) -> Any:
        """Drops elements of the inputs if `training`, a bool or scalar bool tensor, is true."""
        if training is None:
            training = learning_phase()

        def dropped_inputs() -> Any:
            return ops.dropout(
                inputs, noise_shape=self._sizes(inputs), seed=self.seed, rate=self.rate
            )

        return choose(training, dropped_inputs, lambda: ops.identity(inputs))

    def _sizes(self, inputs: Any) -> Any:
        if self.noise_shape is None:
            return None
        shape = ops.shape(inputs)
        sizes = [shape[n] if size is None else size for n, size in enumerate(self.noise_shape)]
        return ops.convert_to_tensor(sizes)

    def compute_output_shape(self, input_shape: ShapeLike) -> Any:
        """Returns the input shape."""
        return input_shape
