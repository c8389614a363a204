"""SimpleRNN, LSTM and GRU: recurrent layers that wrap the corresponding cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfmini._src.base import logs
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.nn.layers.keras.recurrent.base_cell_layer import SingleCellRNN, cell_property
from tfmini._src.nn.layers.keras.recurrent.gru_cell import GRUCell
from tfmini._src.nn.layers.keras.recurrent.lstm_cell import LSTMCell
from tfmini._src.nn.layers.keras.recurrent.simple_rnn_cell import SimpleRNNCell

if TYPE_CHECKING:
    from tfmini._src.nn.layers.deserialize import Identifier


class SimpleRNN(SingleCellRNN):
    """A simple recurrent layer, which maps [batch, time, size] to [batch, units] or [batch, time, units].

    Args:
      units: the size of the output.
      activity_regularizer: a function from the outputs to a loss.
      return_sequences, return_state, go_backwards, stateful, unroll: as in `RNN`.

    Other arguments are as in `SimpleRNNCell`.

    Example:
      outputs = tf.keras.layers.SimpleRNN(8)(tf.keras.Input((10, 3)))  # [batch, 8]
    """

    _cell_class = SimpleRNNCell
    units = cell_property("units", "The size of the output.")

    @arguments_of(SimpleRNNCell)
    def __init__(
        self,
        bias_regularizer: Identifier | None = None,
        activity_regularizer: Identifier | None = None,
        recurrent_dropout: float = 0.0,
        return_sequences: bool = False,
        return_state: bool = False,
        go_backwards: bool = False,
        stateful: bool = False,
        unroll: bool = False,
        **arguments: Any,
    ):
        if "implementation" in arguments["kwargs"]:
            arguments["kwargs"].pop("implementation")
            logs.warning(
                "The `implementation` argument in `SimpleRNN` has been deprecated. "
                "Please remove it from your layer call."
            )
        super().__init__({**locals(), **arguments})


def _warn_of_implementation_0(implementation: int) -> None:
    if implementation == 0:
        logs.warning(
            "`implementation=0` has been deprecated, and now defaults to `implementation=1`."
            "Please update your layer call."
        )


class LSTM(SingleCellRNN):
    """A long short-term memory layer, which maps [batch, time, size] to [batch, units] or [batch, time, units].

    Args:
      units: the size of the output.
      activity_regularizer: a function from the outputs to a loss.
      return_sequences, return_state, go_backwards, stateful, unroll: as in `RNN`.

    Other arguments are as in `LSTMCell`.

    Example:
      outputs = tf.keras.layers.LSTM(8)(tf.keras.Input((10, 3)))  # [batch, 8]
    """

    _cell_class = LSTMCell
    units = cell_property("units", "The size of the output.")

    @arguments_of(SimpleRNN)
    def __init__(
        self,
        activation: Any = "tanh",
        recurrent_activation: Any = "hard_sigmoid",
        bias_initializer: Any = "zeros",
        unit_forget_bias: bool = True,
        recurrent_dropout: float = 0.0,
        implementation: int = 1,
        **arguments: Any,
    ):
        _warn_of_implementation_0(implementation)
        super().__init__({**locals(), **arguments})

    recurrent_activation = cell_property("recurrent_activation", "The activation of the gates.")
    unit_forget_bias = cell_property(
        "unit_forget_bias", "Whether the forget gate's bias is initialized to 1."
    )
    implementation = cell_property(
        "implementation", "1: a product per gate; 2: one product for all gates."
    )


class GRU(SingleCellRNN):
    """A gated recurrent unit layer, which maps [batch, time, size] to [batch, units] or [batch, time, units].

    Args:
      units: the size of the output.
      activity_regularizer: a function from the outputs to a loss.
      return_sequences, return_state, go_backwards, stateful, unroll: as in `RNN`.

    `reset_after` is as in `GRUCell`; other arguments are as in `LSTMCell`.

    Example:
      outputs = tf.keras.layers.GRU(8)(tf.keras.Input((10, 3)))  # [batch, 8]
    """

    _cell_class = GRUCell
    units = cell_property("units", "The size of the output.")

    @arguments_of(LSTM, "unit_forget_bias")
    def __init__(
        self,
        implementation: int = 1,
        unroll: bool = False,
        reset_after: bool = False,
        **arguments: Any,
    ):
        _warn_of_implementation_0(implementation)
        super().__init__({**locals(), **arguments})

    recurrent_activation = cell_property("recurrent_activation", "The activation of the gates.")
    implementation = cell_property(
        "implementation", "1: a product per gate; 2: one product for all gates."
    )
    reset_after = cell_property(
        "reset_after", "Whether the reset gate is applied after the matrix product."
    )
