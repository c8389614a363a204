"""Converts weights between LSTM and CuDNNLSTM, and between GRU and CuDNNGRU.

cuDNN matrices are [units, size] in row-major order; Keras matrices are [size, units] with adjacent gates.
cuDNN separates input and state biases; Keras's LSTM adds them, and its GRU separates them with `reset_after`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Arrays = list[np.ndarray]

_LSTM_GATES, _GRU_GATES = 4, 3
_GRU_WITH_RESET_AFTER, _GRU_WITHOUT_RESET_AFTER = "GRU(reset_after=True)", "GRU(reset_after=False)"


def convert(layer: Any, arrays: Arrays) -> Arrays:
    """Converts weights to the kind of a recurrent layer; returns the weights of other layers unchanged.

    Raises:
      ValueError: for biases of another shape, or conversion to or from a GRU without `reset_after`.
    """
    class_name = type(layer).__name__
    if len(arrays) == 3 and class_name in ("LSTM", "CuDNNLSTM"):
        return _lstm(class_name, arrays)
    if len(arrays) == 3 and class_name in ("GRU", "CuDNNGRU"):
        return _gru(layer, arrays)
    return arrays


def _lstm(target: str, arrays: Arrays) -> Arrays:
    kernel, recurrent, bias = arrays
    size = len(recurrent) * _LSTM_GATES
    sources = {(2 * size,): "CuDNNLSTM", (size,): "LSTM"}
    source = sources.get(bias.shape)
    if source is None:
        raise ValueError(f"Invalid bias shape: {bias.shape}")
    if source == target:
        return arrays
    if target == "LSTM":
        return [*_from_cudnn(kernel, recurrent, _LSTM_GATES), bias[:size] + bias[size:]]
    return [*_to_cudnn(kernel, recurrent, _LSTM_GATES), np.tile(0.5 * bias, 2)]


def _gru(layer: Any, arrays: Arrays) -> Arrays:
    kernel, recurrent, bias = arrays
    size = len(recurrent) * _GRU_GATES
    sources = {
        (2 * size,): "CuDNNGRU",
        (2, size): _GRU_WITH_RESET_AFTER,
        (size,): _GRU_WITHOUT_RESET_AFTER,
    }
    source = sources.get(bias.shape)
    if source is None:
        raise ValueError(f"Invalid bias shape: {bias.shape}")
    target = type(layer).__name__
    if target == "GRU":
        target = _GRU_WITH_RESET_AFTER if layer.reset_after else _GRU_WITHOUT_RESET_AFTER
    if source == target:
        return arrays
    if _GRU_WITHOUT_RESET_AFTER in (source, target):
        raise ValueError(f"{source} is not compatible with {target}")
    if source == "CuDNNGRU":
        return [*_from_cudnn(kernel, recurrent, _GRU_GATES), bias.reshape(2, -1)]
    return [*_to_cudnn(kernel, recurrent, _GRU_GATES), bias.reshape(-1)]


def _from_cudnn(kernel: np.ndarray, recurrent: np.ndarray, gates: int) -> Arrays:
    """Converts cuDNN matrices to the layout of Keras."""
    units = len(recurrent)
    return [
        _map_gates(kernel, gates, lambda gate: gate.reshape(units, -1).T),
        _map_gates(recurrent, gates, np.transpose),
    ]


def _to_cudnn(kernel: np.ndarray, recurrent: np.ndarray, gates: int) -> Arrays:
    """Converts Keras matrices to the layout of cuDNN, without changing their shapes."""
    return [
        _map_gates(kernel, gates, lambda gate: gate.T.reshape(gate.shape)),
        _map_gates(recurrent, gates, np.transpose),
    ]


def _map_gates(
    matrix: np.ndarray, gates: int, change: Callable[[np.ndarray], np.ndarray]
) -> np.ndarray:
    return np.hstack([change(gate) for gate in np.hsplit(matrix, gates)])
