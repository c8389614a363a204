"""A linear model of one or more inputs."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.keras.engine.model import Model
from tfmini._src.nn.layers.activations import find_activation
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.deserialize import Identifier
from tfmini._src.nn.layers.initializers import find_initializer
from tfmini._src.nn.layers.keras.dense import Dense
from tfmini._src.nn.layers.regularizers import find_regularizer
from tfmini._src.nn.layers.serialization.layer_registry import register
from tfmini._src.ops import ops


class LinearModel(Model):
    """Computes activation(sum of inputs @ kernels + bias), with one kernel per input.

    Inputs are a float tensor [batch, depth], or a list of such tensors; outputs are [batch, units].

    Args:
      units: output size.
      activation: activation function or its name, or None.
      use_bias: whether to add a bias.
      kernel_initializer, bias_initializer: initializers, or their names.
      kernel_regularizer, bias_regularizer: functions from a weight to a penalty.
      **kwargs: `name`.

    Raises:
      ValueError: on call, if the number of inputs changes.

    Example:
      model = tf.keras.experimental.LinearModel()
      model.compile("sgd", "mse")
      model.fit(x, y, epochs=3)
    """

    _in_config = (
        *("units", "activation", "use_bias", "kernel_initializer", "bias_initializer"),
        *("kernel_regularizer", "bias_regularizer"),
    )

    def __init__(
        self,
        units: int = 1,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Identifier | None = "glorot_uniform",
        bias_initializer: Identifier | None = "zeros",
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self.units = units
        self.activation = find_activation(activation)
        self.use_bias = use_bias
        self.kernel_initializer = find_initializer(kernel_initializer)
        self.bias_initializer = find_initializer(bias_initializer)
        self.kernel_regularizer = find_regularizer(kernel_regularizer)
        self.bias_regularizer = find_regularizer(bias_regularizer)

    def build(self, input_shape: Identifier) -> None:
        """Creates a layer per input shape, and the bias."""
        shapes = input_shape if isinstance(input_shape, list) else [input_shape]
        self.dense_layers = [
            Dense(
                units=self.units,
                use_bias=False,
                kernel_initializer=self.kernel_initializer,
                kernel_regularizer=self.kernel_regularizer,
                input_shape=shape,
            )
            for shape in shapes
        ]
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                "bias",
                shape=self.units,
                initializer=self.bias_initializer,
                regularizer=self.bias_regularizer,
                dtype=self.dtype,
                trainable=True,
            )

    def call(self, inputs: TensorLike) -> Any:  # type: ignore[override]
        """Returns the activation of the sum of all products of inputs and kernels, plus the bias."""
        values = inputs if isinstance(inputs, (tuple, list)) else [inputs]
        if len(values) != len(self.dense_layers):
            raise ValueError(
                f"Expected {len(self.dense_layers)} inputs, but got {len(values)} inputs"
            )
        result: Any = None
        for value, layer in zip(values, self.dense_layers):
            product = layer(value)
            result = product if result is None else result + product
        if self.use_bias:
            result = ops.bias_add(result, self.bias)
        return result if self.activation is None else self.activation(result)

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as a dict."""
        return Layer.get_config(self)

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> Any:
        """Creates a model from a result of `get_config`."""
        return cls(**config)


register(LinearModel)
