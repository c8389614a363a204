"""LSTM and GRU of `tf.compat.v2.keras.layers`: the same layers with the defaults that suit cuDNN."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.nn.layers.keras.recurrent import gru_cell, lstm_cell, simple_rnn_lstm_gru


class LSTMCell(lstm_cell.LSTMCell):
    """`tf.keras.layers.LSTMCell` with sigmoid gates, which multiplies for all gates at once."""

    @arguments_of(lstm_cell.LSTMCell, recurrent_activation="sigmoid", implementation=2)
    def __init__(self, kwargs: dict[str, Any], **given: Any) -> None:
        super().__init__(**given, **kwargs)


class GRUCell(gru_cell.GRUCell):
    """`tf.keras.layers.GRUCell` with sigmoid gates, of which the reset gate applies after the product."""

    @arguments_of(
        gru_cell.GRUCell, recurrent_activation="sigmoid", implementation=2, reset_after=True
    )
    def __init__(self, kwargs: dict[str, Any], **given: Any) -> None:
        super().__init__(**given, **kwargs)


class LSTM(simple_rnn_lstm_gru.LSTM):
    """`tf.keras.layers.LSTM` over the cell of `tf.compat.v2`."""

    _cell_class = LSTMCell

    @arguments_of(simple_rnn_lstm_gru.LSTM, recurrent_activation="sigmoid", implementation=2)
    def __init__(self, kwargs: dict[str, Any], **given: Any) -> None:
        super().__init__(**given, **kwargs)


class GRU(simple_rnn_lstm_gru.GRU):
    """`tf.keras.layers.GRU` over the cell of `tf.compat.v2`."""

    _cell_class = GRUCell

    @arguments_of(
        simple_rnn_lstm_gru.GRU,
        recurrent_activation="sigmoid",
        implementation=2,
        reset_after=True,
    )
    def __init__(self, kwargs: dict[str, Any], **given: Any) -> None:
        super().__init__(**given, **kwargs)
