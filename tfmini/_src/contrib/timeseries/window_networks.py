"""Prediction networks of an `ARModel`."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.contrib.rnn.lstm_block_cell import LSTMBlockFusedCell
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.keras.engine.model import Model
from tfmini._src.models.keras.engine.sequential import Sequential
from tfmini._src.nn.layers.keras.dense import Dense
from tfmini._src.nn.layers.keras.flatten import Flatten
from tfmini._src.ops import ops
from tfmini._src.ops.nn.activations import relu
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.initializers import Zeros


def fully_connected(
    inp: Tensor,
    inp_size: int,
    layer_size: int,
    name: str,
    activation: Any = relu,
    dtype: Any = dtypes.float32,
) -> Tensor:
    """Returns the outputs of a fully connected layer, [batch, layer_size], for custom networks.

    Args:
      inp: inputs, [batch, inp_size].
      inp_size: number of inputs.
      layer_size: number of outputs.
      name: prefix of the variable names: "NAME_weight" and "NAME_bias".
      activation: activation function of the outputs, or None.
      dtype: dtype of the weights.
    """
    weights = get_variable(f"{name}_weight", shape=[inp_size, layer_size], dtype=dtype)
    bias = get_variable(f"{name}_bias", shape=[layer_size], initializer=Zeros())
    output = ops.xw_plus_b(inp, weights, bias)
    return output if activation is None else activation(output)


class FlatPredictionModel(Model):
    """Network of dense layers applied to the whole window at once; linear without hidden layers.

    Args:
      num_features: number of values per time step.
      input_window_size: number of input time steps.
      output_window_size: number of predicted time steps.
      hidden_layer_sizes: list of hidden layer sizes.
    """

    def __init__(
        self,
        num_features: int,
        input_window_size: int,
        output_window_size: int,
        hidden_layer_sizes: Any = None,
    ):
        super().__init__()
        self._input_flatten = Flatten()
        self._output_flatten = Flatten()
        self._hidden_layers = None
        if hidden_layer_sizes:
            hidden = [Dense(size, activation=relu) for size in hidden_layer_sizes]
            self._hidden_layers = Sequential(hidden)
        size = num_features * output_window_size
        self._mean_transform = Dense(size, name="predicted_mean")
        self._covariance_transform = Dense(size, name="log_sigma_square")
        self._prediction_shape = [-1, output_window_size, num_features]

    def call(  # type: ignore[override]
        self, input_window_features: Tensor, output_window_features: Tensor
    ) -> Any:
        """Returns means and variances of the output window: "mean" and "covariance", [batch, output window, features].

        Args:
          input_window_features: features of the input window, floats [batch, input window, size].
          output_window_features: features of the output window, floats [batch, output window, size].
        """
        if input_window_features.shape.as_list()[1] == 0:
            x = self._output_flatten(output_window_features)
        elif output_window_features.shape.as_list()[2] == 0:
            x = self._input_flatten(input_window_features)
        else:
            past = self._input_flatten(input_window_features)
            x = ops.concat([past, self._output_flatten(output_window_features)], axis=1)
        if self._hidden_layers:
            x = self._hidden_layers(x)
        mean = ops.reshape(self._mean_transform(x), self._prediction_shape)
        covariance = ops.exp(self._covariance_transform(x))
        return {"mean": mean, "covariance": ops.reshape(covariance, self._prediction_shape)}


class LSTMPredictionModel(Model):
    """Network of an LSTM that encodes the input window, and one that decodes the output window from its state.

    Args:
      num_features: number of values per time step.
      input_window_size: number of input time steps.
      output_window_size: number of predicted time steps.
      num_units: the size of each LSTM.
    """

    def __init__(
        self,
        num_features: int,
        input_window_size: int,
        output_window_size: int,
        num_units: int = 128,
    ):
        super().__init__()
        self._encoder = LSTMBlockFusedCell(num_units=num_units, name="encoder")
        self._decoder = LSTMBlockFusedCell(num_units=num_units, name="decoder")
        self._mean_transform = Dense(num_features, name="mean_transform")
        self._covariance_transform = Dense(num_features, name="covariance_transform")

    def call(  # type: ignore[override]
        self, input_window_features: Tensor, output_window_features: Tensor
    ) -> Any:
        """Returns means and variances of the output window: "mean" and "covariance", [batch, output window, features].

        Args:
          input_window_features: features of the input window, floats [batch, input window, size].
          output_window_features: features of the output window, floats [batch, output window, size].
        """
        # LSTMs are time-major.
        past = ops.transpose(input_window_features, [1, 0, 2])
        future = ops.transpose(output_window_features, [1, 0, 2])
        _, state = self._encoder(past, dtype=self.dtype)
        outputs, _ = self._decoder(future, dtype=self.dtype, initial_state=state)
        outputs = ops.transpose(outputs, [1, 0, 2])
        mean = self._mean_transform(outputs)
        return {"mean": mean, "covariance": ops.exp(self._covariance_transform(outputs))}
