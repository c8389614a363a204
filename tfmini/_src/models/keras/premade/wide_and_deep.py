"""A linear model and a network, jointly trained."""

from __future__ import annotations

from typing import Any

from tfmini._src.autodiff.gradient_tape import GradientTape
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.keras.engine.model import Model
from tfmini._src.nn.layers.activations import deserialize, find_activation, serialize
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.deserialize import to_config
from tfmini._src.nn.layers.serialization.layer_registry import deserialize_layer, register


class WideDeepModel(Model):
    """Computes activation(mean of the outputs of a linear model and a network).

    Args:
      linear_model: a `tf.keras.experimental.LinearModel`.
      dnn_model: a `tf.keras.Model` with outputs of the same shape.
      activation: activation function or its name, or None.
      **kwargs: `name`.

    Inputs are [linear model inputs, network inputs], or shared by both. `compile` accepts one optimizer, or a pair
    of optimizers for the linear model and the network.

    Example:
      linear = tf.keras.experimental.LinearModel()
      network = tf.keras.Sequential([tf.keras.layers.Dense(64, "relu"), tf.keras.layers.Dense(1)])
      model = tf.keras.experimental.WideDeepModel(linear, network)
      model.compile(["ftrl", "adam"], "mse")
      model.fit([wide, deep], y, epochs=3)
    """

    def __init__(
        self, linear_model: Model, dnn_model: Model, activation: Any = None, **kwargs: Any
    ):
        super().__init__(**kwargs)
        self.linear_model = linear_model
        self.dnn_model = dnn_model
        self.activation = find_activation(activation)

    def call(self, inputs: TensorLike) -> Any:  # type: ignore[override]
        """Returns the activation of the mean of both models' outputs."""
        wide = deep = inputs
        if isinstance(inputs, (tuple, list)) and len(inputs) == 2:
            wide, deep = inputs
        linear = self.linear_model(wide)
        outputs = 0.5 * (linear + self.dnn_model(deep))
        return self.activation(outputs) if self.activation else outputs

    def _optimized_weights(self) -> list[tuple[Any, list]]:
        """Returns both optimizers, each with the weights of one model."""
        both = isinstance(self.optimizer, (tuple, list))
        pair = self.optimizer[:2] if both else (self.optimizer, self.optimizer)
        models = (self.linear_model, self.dnn_model)
        return [(part, x._unique_trainable_weights) for part, x in zip(pair, models)]

    def _optimizer_updates(self) -> list:
        updates: list = []
        for optimizer, weights in self._optimized_weights():
            updates += optimizer.get_updates(params=weights, loss=self.total_loss)
        return updates

    def _backwards(self, tape: GradientTape, loss: Any) -> None:
        pairs = self._optimized_weights()
        gradients = tape.gradient(loss, [weights for _, weights in pairs])
        for (optimizer, weights), part in zip(pairs, gradients):
            optimizer.apply_gradients(zip(part, weights))

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as a dict."""
        return {
            **Layer.get_config(self),
            "linear_model": to_config(self.linear_model),
            "dnn_model": to_config(self.dnn_model),
            "activation": serialize(self.activation),
        }

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> Any:
        """Creates a model from a result of `get_config`."""
        config = dict(config)
        linear = deserialize_layer(config.pop("linear_model"), custom_objects)
        network = deserialize_layer(config.pop("dnn_model"), custom_objects)
        activation = config.pop("activation", None)
        if activation is not None:
            activation = deserialize(activation, custom_objects)
        return cls(linear_model=linear, dnn_model=network, activation=activation, **config)


register(WideDeepModel)
