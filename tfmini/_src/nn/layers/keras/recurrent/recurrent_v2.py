"""LSTM and GRU of `tf.compat.v2.keras.layers`, whose defaults are supported by cuDNN."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.nn.layers.keras.recurrent import gru_cell, lstm_cell, recurrent_v1
from tfmini._src.nn.layers.keras.recurrent.base_cell import draw_masks
from tfmini._src.nn.layers.keras.recurrent.base_cell_layer import SingleCellRNN
from tfmini._src.variables.init_scope import executing_eagerly_outside_functions


class LSTMCell(lstm_cell.LSTMCell):
    """`tf.keras.layers.LSTMCell` with sigmoid gates and a single matrix product for all gates."""

    @arguments_of(lstm_cell.LSTMCell, recurrent_activation="sigmoid", implementation=2)
    def __init__(self, kwargs: dict[str, Any], **arguments: Any) -> None:
        super().__init__(**arguments, **kwargs)


class GRUCell(gru_cell.GRUCell):
    """`tf.keras.layers.GRUCell` with sigmoid gates and a reset gate that applies after the matrix product."""

    @arguments_of(
        gru_cell.GRUCell, recurrent_activation="sigmoid", implementation=2, reset_after=True
    )
    def __init__(self, kwargs: dict[str, Any], **arguments: Any) -> None:
        super().__init__(**arguments, **kwargs)


class _CudnnCompatible(SingleCellRNN):
    """Base class of layers that have two implementations in eager programs, one of them in cuDNN.

    With arguments that cuDNN supports, each step has a separate dropout mask and masked steps output the preceding
    state; with other arguments, the steps share a mask.
    """

    could_use_cudnn: bool

    def _set_attributes(self, arguments: dict[str, Any]) -> None:
        self.could_use_cudnn = (
            arguments["activation"] == "tanh"
            and arguments["recurrent_activation"] == "sigmoid"
            and arguments["recurrent_dropout"] == 0
            and not arguments["unroll"]
            and arguments["use_bias"]
            and arguments.get("reset_after", True)
            and executing_eagerly_outside_functions()
        )

    def call(  # type: ignore[override]  # there are no constants
        self, inputs: Any, mask: Any = None, training: Any = None, initial_state: Any = None
    ) -> Any:
        """Applies the cell; the arguments are as in a call of the layer."""
        if self.could_use_cudnn and self.dropout:
            inputs, initial_state, _ = self._split_inputs(inputs, initial_state, None)
            inputs = inputs * draw_masks(self.dropout, inputs, training, self.cell._gates)[0]
            training = False  # the cell has no dropout
        return super().call(inputs, mask=mask, training=training, initial_state=initial_state)


class LSTM(_CudnnCompatible, recurrent_v1.LSTM):
    """`tf.keras.layers.LSTM` with the `tf.compat.v2` cell."""

    _cell_class = LSTMCell

    @arguments_of(recurrent_v1.LSTM, recurrent_activation="sigmoid", implementation=2)
    def __init__(self, kwargs: dict[str, Any], **arguments: Any) -> None:
        super().__init__(**arguments, **kwargs)
        self._set_attributes(arguments)


class GRU(_CudnnCompatible, recurrent_v1.GRU):
    """`tf.keras.layers.GRU` with the `tf.compat.v2` cell."""

    _cell_class = GRUCell

    @arguments_of(
        recurrent_v1.GRU,
        recurrent_activation="sigmoid",
        implementation=2,
        reset_after=True,
    )
    def __init__(self, kwargs: dict[str, Any], **arguments: Any) -> None:
        super().__init__(**arguments, **kwargs)
        self._set_attributes(arguments)
