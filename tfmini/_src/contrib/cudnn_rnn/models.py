"""cuDNN's recurrent networks as objects without variables, the predecessors of the layers."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.dtypes import float32
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.cudnn_rnn.cudnn_net_nodes import (
    GRU,
    LSTM,
    RNN_RELU,
    RNN_TANH,
    UNIDIRECTIONAL,
    run_net,
)
from tfmini._src.contrib.cudnn_rnn.cudnn_rnn_ops import (
    cudnn_rnn_canonical_to_opaque_params,
    cudnn_rnn_opaque_params_size,
    cudnn_rnn_opaque_params_to_canonical,
    without_memory,
)


class Model:
    """Base class of the networks.

    Args:
      rnn_mode: "lstm", "gru", "rnn_tanh" or "rnn_relu".
      num_layers, num_units, input_size: dimensions of the network.
      input_mode, direction, dropout, seed, num_proj: as in `cudnn_lstm`.
      dtype: dtype of the parameters.
    """

    def __init__(
        self, rnn_mode: str, num_layers: int, num_units: int, input_size: int,
        input_mode: str = "linear_input", direction: str = UNIDIRECTIONAL, dtype: Any = float32,
        dropout: float = 0.0, seed: int | None = 0, num_proj: int | None = None,
    ):  # fmt: skip
        self._rnn_mode = rnn_mode
        self._num_layers = num_layers
        self._num_units = num_units
        self._input_size = input_size
        self._num_proj = num_proj
        self._dtype = dtype
        self._net_options: dict[str, Any] = {
            "input_mode": input_mode,
            "direction": direction,
            "dropout": dropout,
            "seed": seed,
        }

    rnn_mode: str = read_only("Kind of RNN: `lstm`, `gru`, `rnn_relu` or `rnn_tanh`.")
    num_layers: int = read_only("Number of layers.")
    num_units: int = read_only("Number of units per layer.")
    input_size: int = read_only("Input size.")
    input_mode = property(
        lambda self: self._net_options["input_mode"],
        doc="Input mode: `linear_input`, `skip_input` or `auto_select`.",
    )
    direction = property(
        lambda self: self._net_options["direction"],
        doc="Direction: `unidirectional` or `bidirectional`.",
    )
    num_proj: int | None = read_only("Size of the projected states.")

    def _sizes(self) -> tuple[str, int, int, int]:
        return self._rnn_mode, self._num_layers, self._num_units, self._input_size

    def params_size(self) -> Any:
        """Returns the number of elements in the parameter buffer, an int32 scalar."""
        return cudnn_rnn_opaque_params_size(
            *self._sizes(), dtype=self._dtype, num_proj=self._num_proj, **self._net_options
        )

    def params_to_canonical(self, params: Any) -> tuple[list, list]:
        """Unpacks a parameter buffer to (matrices, biases)."""
        return cudnn_rnn_opaque_params_to_canonical(
            *self._sizes(), params, num_proj=self._num_proj, **self._net_options
        )

    def canonical_to_params(self, weights: Any, biases: Any) -> Any:
        """Packs matrices and biases into a parameter buffer."""
        return cudnn_rnn_canonical_to_opaque_params(
            *self._sizes(), weights, biases, num_proj=self._num_proj, **self._net_options
        )


class CudnnLSTM(Model):
    """An LSTM; takes the arguments of `Model` except `rnn_mode`.

    Example:
      net = CudnnLSTM(1, 64, 32)
      params = tf.get_variable("params", initializer=tf.random_uniform([net.params_size()]), validate_shape=False)
      outputs, h, c = net(x, h, c, params)
    """

    _NUM_PARAMS_PER_LAYER = 8

    @arguments_of(Model, "rnn_mode")
    def __init__(self, *args: Any):
        super().__init__(LSTM, *args)

    def __call__(
        self, input_data: Any, input_h: Any, input_c: Any, params: Any,
        sequence_lengths: Any = None, time_major: bool = True, is_training: bool = True,
    ) -> tuple[Any, Any, Any]:  # fmt: skip
        """Runs the network; returns (outputs, final hidden states, final cell states), as `cudnn_lstm` does."""
        mode = self._net_options
        return run_net(
            input_data, input_h, input_c, params, is_training, LSTM, sequence_lengths, time_major,
            mode["input_mode"], mode["direction"], mode["dropout"], mode["seed"], self._num_proj,
        )  # fmt: skip


class NonLSTMModel(Model):
    """Base class of networks other than LSTMs; takes the arguments of `Model` except for the first and the last.

    Raises:
      ValueError: for an unknown direction.
    """

    _mode: str

    @arguments_of(Model, "rnn_mode", "num_proj")
    def __init__(self, direction: str, **kwargs: Any):
        if direction not in ("unidirectional", "bidirectional"):
            raise ValueError(f"Invalid direction: {direction}")
        super().__init__(self._mode, direction=direction, **kwargs)

    def __call__(
        self, input_data: Any, input_h: Any, params: Any, sequence_lengths: Any = None,
        time_major: bool = True, is_training: bool = True,
    ) -> tuple[Any, Any]:  # fmt: skip
        """Runs the network; returns (outputs, final states), as `cudnn_gru` does."""
        return without_memory(
            input_data, input_h, params, is_training, self._mode, sequence_lengths, time_major,
            **self._net_options,
        )  # fmt: skip


class CudnnGRU(NonLSTMModel):
    """A GRU; takes the arguments of its base class."""

    _mode = GRU
    _NUM_PARAMS_PER_LAYER = 6


class CudnnRNNTanh(NonLSTMModel):
    """A plain RNN with tanh; takes the arguments of its base class."""

    _mode = RNN_TANH
    _NUM_PARAMS_PER_LAYER = 2


class CudnnRNNRelu(NonLSTMModel):
    """A plain RNN with ReLU; takes the arguments of its base class."""

    _mode = RNN_RELU
    _NUM_PARAMS_PER_LAYER = 2
