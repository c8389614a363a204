"""cuDNN recurrent networks as functions of a parameter buffer: TensorFlow's `cudnn_rnn_ops`, older than the layers."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.dtypes import float32, int32
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.cudnn_rnn.cudnn_net_nodes import (
    GRU,
    LSTM,
    PARAMS_PER_LAYER,
    RNN_RELU,
    RNN_TANH,
    UNIDIRECTIONAL,
    check_direction,
    check_input_mode,
    check_rnn_mode,
    num_directions,
    pack_params,
    run_net,
    seeds,
)
from tfmini._src.ops import ops, raw


def cudnn_lstm(
    inputs: Any, input_h: Any, input_c: Any, params: Any, is_training: bool,
    sequence_lengths: Any = None, time_major: bool = True, input_mode: str = "linear_input",
    direction: str = UNIDIRECTIONAL, dropout: float = 0.0, seed: int | None = 0,
    num_proj: int | None = None, name: str | None = None,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """Runs an LSTM; returns (outputs, final hidden states, final cell states).

    Args:
      inputs: [time, batch, size], or [batch, time, size] if `time_major` is False; float.
      input_h, input_c: initial states, [layers * directions, batch, units], or with the batch first.
      params: parameter buffer, [elements].
      is_training: whether to apply dropout and store data for gradients.
      sequence_lengths: int32 [batch]; by default all sequences have full length.
      time_major: whether inputs, outputs and states are [time, batch, ...] rather than [batch, time, ...].
      input_mode: "linear_input", "skip_input" or "auto_select".
      direction: "unidirectional" or "bidirectional".
      dropout: dropout rate of the outputs of all layers but the last.
      seed: dropout seed.
      num_proj: size of projected states; None or 0 for no projection.

    Raises:
      ValueError: for an unknown direction or input mode.

    Example:
      outputs, h, c = cudnn_lstm(x, h, c, params, is_training=True)
    """
    return run_net(
        inputs, input_h, input_c, params, is_training, LSTM, sequence_lengths, time_major,
        input_mode, direction, dropout, seed, num_proj, name,
    )  # fmt: skip


def without_memory(
    inputs: Any, input_h: Any, params: Any, is_training: bool, rnn_mode: str,
    sequence_lengths: Any = None, time_major: bool = True, input_mode: str = "linear_input",
    direction: str = UNIDIRECTIONAL, dropout: float = 0.0, seed: int | None = 0,
    name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Runs a GRU or plain RNN; returns (outputs, final states). Arguments as in `cudnn_lstm`, plus the mode."""
    none = ops.constant([], dtype=input_h.dtype)
    outputs, last_h, _ = run_net(
        inputs, input_h, none, params, is_training, rnn_mode, sequence_lengths, time_major,
        input_mode, direction, dropout, seed, None, name,
    )  # fmt: skip
    return outputs, last_h


@arguments_of(without_memory, "rnn_mode")
def cudnn_gru(**kwargs: Any) -> tuple[Any, Any]:
    """Runs a GRU; returns (outputs, final states). Takes the arguments of `cudnn_lstm` without `input_c`."""
    return without_memory(**kwargs, rnn_mode=GRU)


def cudnn_rnn_relu(
    inputs: Any, input_h: Any, params: Any, is_training: bool, input_mode: str = "linear_input",
    direction: str = UNIDIRECTIONAL, dropout: float = 0.0, seed: int | None = 0,
    sequence_lengths: Any = None, time_major: bool = True, name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Runs a plain RNN with ReLU; returns (outputs, final states). Arguments as in `cudnn_gru`."""
    return without_memory(
        inputs, input_h, params, is_training, RNN_RELU, sequence_lengths, time_major, input_mode,
        direction, dropout, seed, name,
    )  # fmt: skip


@arguments_of(without_memory, "rnn_mode")
def cudnn_rnn_tanh(**kwargs: Any) -> tuple[Any, Any]:
    """Runs a plain RNN with tanh; returns (outputs, final states). Arguments as in `cudnn_gru`."""
    return without_memory(**kwargs, rnn_mode=RNN_TANH)


def cudnn_rnn_opaque_params_size(
    rnn_mode: str, num_layers: int, num_units: int, input_size: int,
    input_mode: str = "linear_input", direction: str = UNIDIRECTIONAL, dtype: Any = float32,
    dropout: float = 0, seed: int | None = 0, num_proj: int | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """Returns the number of elements in a network's opaque parameter buffer, an int32 scalar.

    Args:
      rnn_mode: "lstm", "gru", "rnn_tanh" or "rnn_relu".
      num_layers, num_units, input_size: dimensions of the network.
      input_mode, direction, dropout, seed, num_proj: as in `cudnn_lstm`.
      dtype: dtype of the parameters.

    Raises:
      ValueError: for an unknown network, direction or input mode.
    """
    _check_modes(rnn_mode, direction, input_mode)
    return raw.CudnnRNNParamsSize(
        num_layers,
        num_units,
        input_size,
        T=dtype,
        S=int32,
        rnn_mode=rnn_mode,
        input_mode=input_mode,
        direction=direction,
        dropout=dropout,
        **seeds(seed),
        num_proj=num_proj or 0,
        name=name,
    )[0]


def cudnn_rnn_opaque_params_to_canonical(
    rnn_mode: str, num_layers: int, num_units: int, input_size: int, params: Any,
    input_mode: str = "linear_input", direction: str = UNIDIRECTIONAL, dropout: float = 0,
    seed: int | None = 0, num_proj: int | None = None, name: str | None = None,
) -> tuple[list, list]:  # fmt: skip
    """Unpacks a parameter buffer; returns (matrices, biases), ordered by layer, direction and gate.

    Args:
      params: the buffer, [elements].
      rnn_mode, num_layers, num_units, input_size, input_mode, direction, dropout, seed, num_proj, name: as in
        `cudnn_rnn_opaque_params_size`.

    Raises:
      ValueError: for an unknown network, direction or input mode.
    """
    _check_modes(rnn_mode, direction, input_mode)
    cells = num_layers * num_directions(direction)
    count = PARAMS_PER_LAYER[rnn_mode] * cells
    sizes = num_layers, num_units, input_size
    attrs: dict[str, Any] = {
        "rnn_mode": rnn_mode,
        "input_mode": input_mode,
        "direction": direction,
        "dropout": dropout,
        **seeds(seed),
        "name": name,
    }
    if not num_proj:
        parts: Any = raw.CudnnRNNParamsToCanonical(*sizes, params, num_params=count, **attrs)
    else:
        parts = raw.CudnnRNNParamsToCanonicalV2(
            *sizes, params, num_params_weights=count + cells, num_params_biases=count,
            num_proj=num_proj, **attrs,
        )  # fmt: skip
    return parts[0], parts[1]


def cudnn_rnn_canonical_to_opaque_params(
    rnn_mode: str, num_layers: int, num_units: int, input_size: int, weights: Any, biases: Any,
    input_mode: str = "linear_input", direction: str = UNIDIRECTIONAL, dropout: float = 0,
    seed: int | None = 0, num_proj: int | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """Packs matrices and biases into a buffer, the inverse of `cudnn_rnn_opaque_params_to_canonical`.

    Raises:
      ValueError: for an unknown network, direction or input mode.
    """
    _check_modes(rnn_mode, direction, input_mode)
    return pack_params(
        rnn_mode, num_layers, num_units, input_size, weights, biases, input_mode, direction,
        dropout, seed, num_proj, name,
    )  # fmt: skip


def _check_modes(rnn_mode: str, direction: str, input_mode: str) -> None:
    check_rnn_mode(rnn_mode)
    check_direction(direction)
    check_input_mode(input_mode)
