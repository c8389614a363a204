"""Adds the nodes of cuDNN's recurrent networks and validates their modes."""

from __future__ import annotations

import os
from typing import Any

from tfmini._src.graph.seeds import get_seed
from tfmini._src.ops import ops, raw

UNIDIRECTIONAL, BIDIRECTIONAL = "unidirectional", "bidirectional"
LSTM, GRU, RNN_TANH, RNN_RELU = "lstm", "gru", "rnn_tanh", "rnn_relu"
INPUT_MODES = ("linear_input", "skip_input", "auto_select")
# Matrices per direction of a layer, half of them for its inputs; the number of biases is the same.
PARAMS_PER_LAYER = {LSTM: 8, GRU: 6, RNN_TANH: 2, RNN_RELU: 2}


def check_direction(direction: str) -> None:
    """Raises ValueError for an unknown direction."""
    if direction not in (UNIDIRECTIONAL, BIDIRECTIONAL):
        raise ValueError(
            f"Invalid direction: {direction}, expecting {UNIDIRECTIONAL} or {BIDIRECTIONAL}"
        )


def check_input_mode(input_mode: str) -> None:
    """Raises ValueError for an unknown input mode."""
    if input_mode not in INPUT_MODES:
        raise ValueError(
            f"Invalid input_mode: {input_mode}, expect one of ({', '.join(INPUT_MODES)})"
        )


def num_directions(direction: str) -> int:
    """Returns the number of directions, 1 or 2."""
    return 1 if direction == UNIDIRECTIONAL else 2


def check_rnn_mode(rnn_mode: str) -> None:
    """Raises ValueError for an unknown mode."""
    if rnn_mode not in PARAMS_PER_LAYER:
        raise ValueError(
            f"Invalid rnn_mode: {rnn_mode}, expect one of ({', '.join((LSTM, GRU, RNN_TANH, RNN_RELU))})"
        )


def seeds(seed: int | None) -> dict[str, int]:
    """Returns the attrs `seed` and `seed2` of a node."""
    first, second = get_seed(seed)
    return {"seed": first or 0, "seed2": second or 0}


def run_net(
    inputs: Any, input_h: Any, input_c: Any, params: Any, is_training: bool, rnn_mode: str,
    sequence_lengths: Any, time_major: bool, input_mode: str, direction: str, dropout: float,
    seed: int | None, num_proj: int | None = None, name: str | None = None,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """Runs a network; returns (outputs, final hidden states, final cell states).

    Uses the first version of the op, or with `TF_CUDNN_RNN_USE_V2=1` the second; sequence lengths, batch-major inputs
    and projected states require the third.
    """
    check_rnn_mode(rnn_mode)
    check_direction(direction)
    check_input_mode(input_mode)
    attrs: dict[str, Any] = {
        "is_training": is_training,
        "rnn_mode": rnn_mode,
        "input_mode": input_mode,
        "direction": direction,
        "dropout": dropout,
        **seeds(seed),
        "name": name,
    }
    net_inputs = inputs, input_h, input_c, params
    if sequence_lengths is None and time_major and not num_proj:
        is_second = os.environ.get("TF_CUDNN_RNN_USE_V2", "0") == "1"
        return (raw.CudnnRNNV2 if is_second else raw.CudnnRNN)(*net_inputs, **attrs)[:3]
    if sequence_lengths is None:
        batch = ops.shape(inputs)[1 if time_major else 0]
        time = ops.shape(inputs)[0 if time_major else 1]
        sequence_lengths = ops.fill([batch], time)
    attrs["num_proj"] = num_proj or 0
    return raw.CudnnRNNV3(*net_inputs, sequence_lengths, time_major=time_major, **attrs)[:3]


def pack_params(
    rnn_mode: str, num_layers: int, num_units: int, input_size: int, weights: Any, biases: Any,
    input_mode: str, direction: str, dropout: float, seed: int | None, num_proj: int | None = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Packs matrices and biases in canonical order into one buffer."""
    projects: dict[str, Any] = {"num_proj": num_proj} if num_proj else {}
    make = raw.CudnnRNNCanonicalToParamsV2 if num_proj else raw.CudnnRNNCanonicalToParams
    return make(
        num_layers,
        num_units,
        input_size,
        weights,
        biases,
        rnn_mode=rnn_mode,
        input_mode=input_mode,
        direction=direction,
        dropout=dropout,
        **seeds(seed),
        **projects,
        name=name,
    )
