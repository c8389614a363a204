"""Recurrent networks over input lists, in one or both directions, and models on their last state."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.contrib.rnn.attention_cell_wrapper import AttentionCellWrapper
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.rnn.basic_lstm_cell import BasicLSTMCell
from tfmini._src.nn.rnn.basic_rnn_cell import BasicRNNCell
from tfmini._src.nn.rnn.gru_cell import GRUCell
from tfmini._src.nn.rnn.multi_rnn_cell import MultiRNNCell
from tfmini._src.nn.rnn.rnn_cell import RNNCell
from tfmini._src.nn.rnn.rnn_functions import static_rnn
from tfmini._src.ops import ops
from tfmini._src.variables.variable_scope import variable_scope


@deprecated(None, "Please consider `tf.nn.bidirectional_dynamic_rnn`.")
def bidirectional_rnn(
    cell_fw: RNNCell,
    cell_bw: RNNCell,
    inputs: list[Any],
    initial_state_fw: object = None,
    initial_state_bw: object = None,
    dtype: DTypeLike | None = None,
    sequence_length: TensorLike | None = None,
    scope: str | None = None,
) -> tuple[list[Any], Any]:
    """Runs a forward and a backward recurrent network.

    Args:
      cell_fw, cell_bw: RNNCells with a single state tensor.
      inputs: a list of tensors [batch, features], one per time step.
      initial_state_fw, initial_state_bw: initial states, by default zeros.
      dtype: dtype of the states.
      sequence_length: must be None; all sequences have full length.
      scope: prefix of scope names, by default "BiRNN".

    Returns:
      A list of concatenated outputs, and the concatenated last states.

    Raises:
      TypeError: for any other types of cells or inputs, or if lengths are given, as in TensorFlow 1.15.
      ValueError: if the list is empty.
    """
    for name, cell in (("cell_fw", cell_fw), ("cell_bw", cell_bw)):
        if not isinstance(cell, RNNCell):
            raise TypeError(f"{name} must be an instance of RNNCell")
    if not isinstance(inputs, list):
        raise TypeError("inputs must be a list")
    if not inputs:
        raise ValueError("inputs must not be empty")
    name = scope or "BiRNN"
    with variable_scope(name + "_FW"):
        forward, state_fw = static_rnn(cell_fw, inputs, initial_state_fw, dtype, sequence_length)
    if sequence_length is not None:
        raise TypeError("unpack() missing 1 required positional argument: 'num'")
    with variable_scope(name + "_BW"):
        backward, state_bw = static_rnn(cell_bw, inputs[::-1], initial_state_bw, dtype, None)
    outputs = [ops.concat(pair, 1) for pair in zip(forward, backward[::-1])]
    return outputs, ops.concat([state_fw, state_bw], 1)


@deprecated(None, "Please consider tensorflow/tensor2tensor.")
def get_rnn_model(
    rnn_size: int,
    cell_type: str,
    num_layers: int,
    input_op_fn: Callable[..., Any],
    bidirectional: bool,
    target_predictor_fn: Callable[..., Any],
    sequence_length: TensorLike,
    initial_state: object,
    attn_length: int | None,
    attn_size: int | None,
    attn_vec_size: int | None,
) -> Callable[..., Any]:
    """Returns a function of features and labels that predicts from a recurrent network's last state.

    Args:
      rnn_size: number of units per cell.
      cell_type: "rnn", "gru" or "lstm".
      num_layers: number of stacked cells.
      input_op_fn: function from features to a list of tensors [batch, features].
      bidirectional: whether to add a backward network.
      target_predictor_fn: function of the last state and the labels, such as `linear_regression`.
      sequence_length: as in `tf.nn.static_rnn`.
      initial_state: initial state, or None for zeros.
      attn_length, attn_size, attn_vec_size: attention sizes, see `tf.contrib.rnn.AttentionCellWrapper`; None for no
        attention.

    Returns:
      The function; it raises ValueError for an unknown cell type.
    """

    def model(x: Any, y: Any) -> Any:
        x = input_op_fn(x)
        cell_classes: dict[str, Callable] = {
            "rnn": BasicRNNCell,
            "gru": GRUCell,
            "lstm": partial(BasicLSTMCell, state_is_tuple=False),
        }
        if cell_type not in cell_classes:
            raise ValueError(f"cell_type {cell_type} is not supported. ")

        def layer() -> Any:
            result = cell_classes[cell_type](rnn_size)
            if attn_length is None:
                return result
            return AttentionCellWrapper(
                result,
                attn_length=attn_length,
                attn_size=attn_size,
                attn_vec_size=attn_vec_size,
                state_is_tuple=False,
            )

        def layers() -> Any:
            return MultiRNNCell([layer() for _ in range(num_layers)], state_is_tuple=False)

        values: dict[str, Any] = {"dtype": dtypes.float32, "sequence_length": sequence_length}
        if bidirectional:
            forward, backward = layers(), layers()
            values |= {"initial_state_fw": initial_state, "initial_state_bw": initial_state}
            _, encoding = bidirectional_rnn(forward, backward, x, **values)
        else:
            _, encoding = static_rnn(layers(), x, initial_state=initial_state, **values)
        return target_predictor_fn(encoding, y)

    return model
