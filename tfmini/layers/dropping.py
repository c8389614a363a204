"""`tf.layers.Dropout` and `tf.layers.dropout`: elements set to zero at random while training."""

from __future__ import annotations

from typing import Any

from tfmini.graph.opdef import ops
from tfmini.layers.base import Layer
from tfmini.layers.learning_phase import chosen, learning_phase
from tfmini.names.deprecation import deprecated


class Dropout(Layer):
    """Sets elements to 0 at random and scales the others by 1 / (1 - rate), where a call says `training=True`.

    Args:
      rate: the share of elements to drop, in [0, 1).
      noise_shape: the shape of the decisions, which broadcast; None in it stands for the input's size.
      seed: an integer; see `tf.set_random_seed`.
      name: the layer's name.

    Raises, when it is called:
      ValueError: for a rate outside [0, 1), or an input that is not of floats.

    Example: `y = tf.layers.Dropout(0.4)(x, training=is_training)`.
    """

    def __init__(
        self,
        rate: float = 0.5,
        noise_shape: Any = None,
        seed: int | None = None,
        name: Any = None,
        **kwargs: Any,
    ):
        super().__init__(name=name, **kwargs)
        self.rate = rate
        self.noise_shape = noise_shape
        self.seed = seed
        self.supports_masking = True

    def call(self, inputs: Any, training: Any = False) -> Any:
        """The inputs, with elements dropped if `training` (a bool, or a scalar bool tensor)."""
        if training is None:
            training = learning_phase()

        def dropped() -> Any:
            return ops.dropout(
                inputs, noise_shape=self._sizes(inputs), seed=self.seed, rate=self.rate
            )

        return chosen(training, dropped, lambda: ops.identity(inputs))

    def _sizes(self, inputs: Any) -> Any:
        if self.noise_shape is None:
            return None
        shape = ops.shape(inputs)
        sizes = [shape[n] if size is None else size for n, size in enumerate(self.noise_shape)]
        return ops.convert_to_tensor(sizes)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The same shape."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """The arguments that make such a layer again."""
        own = {"rate": self.rate, "noise_shape": self.noise_shape, "seed": self.seed}
        return {**super().get_config(), **own}


@deprecated(None, "Use keras.layers.dropout instead.")
def dropout(
    inputs: Any,
    rate: float = 0.5,
    noise_shape: Any = None,
    seed: int | None = None,
    training: Any = False,
    name: Any = None,
) -> Any:
    """Sets elements to 0 at random and scales the others by 1 / (1 - rate), while training.

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
