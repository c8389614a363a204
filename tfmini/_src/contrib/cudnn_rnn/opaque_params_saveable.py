"""Saveables with which a Saver stores cuDNN's buffer as the variables of equivalent cells.

A network trained on a GPU can thus be restored into cells on any device, and vice versa.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.cudnn_rnn.cudnn_net_nodes import UNIDIRECTIONAL
from tfmini._src.contrib.cudnn_rnn.params_converter import (
    CudnnParamsFormatConverterGRU,
    CudnnParamsFormatConverterLSTM,
    CudnnParamsFormatConverterRelu,
    CudnnParamsFormatConverterTanh,
    ParamsConverter,
)
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import VariableScope
from tfmini._src.variables.saveable import SaveableObject, SaveSpec


class OpaqueParamsSaveable(SaveableObject):
    """Base class of the saveables; subclasses name the variables of their cells.

    The names begin with the default prefixes of `MultiRNNCell` in `dynamic_rnn` or, for both directions,
    `stack_bidirectional_dynamic_rnn`.

    Args:
      opaque_params: the variable of cuDNN's buffer.
      num_layers, num_units, input_size: dimensions of the network.
      input_mode, direction: as in its converter.
      scope: a variable scope or its name, the prefix of checkpoint names.
      name: saveable name.
    """

    format_converter: ParamsConverter = read_only(
        "Converter between the buffer and the variables of cells."
    )
    _converter: type[ParamsConverter]
    _cell: str
    _weights: tuple[str, ...] = ("kernel",)
    _biases: tuple[str, ...] = ("bias",)

    def __init__(
        self,
        opaque_params: Any,
        num_layers: int,
        num_units: int,
        input_size: int,
        input_mode: str = "linear_input",
        direction: str = UNIDIRECTIONAL,
        scope: str | VariableScope | None = None,
        name: str = "cudnn_rnn_saveable",
    ):
        self._variables = opaque_params
        self._format_converter = self._converter(
            num_layers, num_units, input_size, input_mode=input_mode, direction=direction
        )
        weights, biases = self.format_converter.opaque_to_tf_canonical(opaque_params)
        cells = [
            f"{scope}/{self._cell}"
            for layer in range(num_layers)
            for scope in _cell_scopes(layer, direction)
        ]
        names = [f"{cell}/{part}" for cell in cells for part in self._weights]
        names += [f"{cell}/{part}" for cell in cells for part in self._biases]
        prefix = scope.name if isinstance(scope, VariableScope) else scope
        if prefix:
            names = [f"{prefix}/{name}" for name in names]
        specs = [SaveSpec(tensor, "", name) for tensor, name in zip(weights + biases, names)]
        super().__init__(ops.identity(opaque_params), specs, name)

    def restore(self, restored_tensors: Sequence[Any], restored_shapes: Sequence[Any]) -> Any:
        """Converts the cells' restored weights and biases to a buffer and assigns it."""
        opaque_params = self.format_converter.tf_canonical_to_opaque(restored_tensors)
        return ops.assign(self._variables, opaque_params, validate_shape=False)


def _cell_scopes(layer: int, direction: str) -> list[str]:
    """Returns the scopes of a layer's cells, as named by the unrolling functions."""
    if direction == UNIDIRECTIONAL:
        return [f"rnn/multi_rnn_cell/cell_{layer}"]
    stacked = f"stack_bidirectional_rnn/cell_{layer}/bidirectional_rnn"
    return [f"{stacked}/fw", f"{stacked}/bw"]


class CudnnLSTMSaveable(OpaqueParamsSaveable):
    """Saves the buffer of a `CudnnLSTM` as the variables of `CudnnCompatibleLSTMCell`s.

    Created by layers. Takes the arguments of the base class: opaque_params, num_layers, num_units, input_size,
    input_mode, direction, scope, name.
    """

    _converter = CudnnParamsFormatConverterLSTM
    _cell = "cudnn_compatible_lstm_cell"


class CudnnGRUSaveable(OpaqueParamsSaveable):
    """Saves the buffer of a `CudnnGRU` as the variables of `CudnnCompatibleGRUCell`s.

    Created by layers. Takes the arguments of the base class: opaque_params, num_layers, num_units, input_size,
    input_mode, direction, scope, name.
    """

    _converter = CudnnParamsFormatConverterGRU
    _cell = "cudnn_compatible_gru_cell"
    _weights = (
        "gates/kernel",
        "candidate/input_projection/kernel",
        "candidate/hidden_projection/kernel",
    )
    _biases = (
        "gates/bias",
        "candidate/input_projection/bias",
        "candidate/hidden_projection/bias",
    )


class CudnnRNNTanhSaveable(OpaqueParamsSaveable):
    """Saves the buffer of a `CudnnRNNTanh` as the variables of `BasicRNNCell`s.

    Created by layers. Takes the arguments of the base class: opaque_params, num_layers, num_units, input_size,
    input_mode, direction, scope, name.
    """

    _converter = CudnnParamsFormatConverterTanh
    _cell = "basic_rnn_cell"


class CudnnRNNReluSaveable(OpaqueParamsSaveable):
    """Saves the buffer of a `CudnnRNNRelu` as the variables of `BasicRNNCell`s with activation `tf.nn.relu`.

    Created by layers. Takes the arguments of the base class: opaque_params, num_layers, num_units, input_size,
    input_mode, direction, scope, name.
    """

    _converter = CudnnParamsFormatConverterRelu
    _cell = "basic_rnn_cell"
