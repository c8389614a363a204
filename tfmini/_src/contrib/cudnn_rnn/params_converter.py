"""Conversion between the parameters of cuDNN networks and equivalent cells.

cuDNN uses a matrix and a bias per gate, for inputs and for the state. A cell uses one matrix for all of them, and
one bias, which is halved on conversion to cuDNN. The LSTM gate order is i, f, c, o in cuDNN and i, c, f, o in cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.contrib.cudnn_rnn.cudnn_net_nodes import (
    GRU,
    LSTM,
    PARAMS_PER_LAYER,
    RNN_RELU,
    RNN_TANH,
    UNIDIRECTIONAL,
    num_directions,
)
from tfmini._src.graph.scopes import device
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops, raw


class ParamsConverter:
    """Base class of the converters; subclasses define the gates of a network type.

    Args:
      num_layers: number of layers of the network.
      num_units: units per layer.
      input_size: input size.
      num_proj: size of an LSTM's projected state; None or 0 for no projection.
      input_mode: "linear_input", "skip_input" (inputs are added directly to the gates) or "auto_select" ("skip_input"
        if input size and units are equal).
      direction: "unidirectional" or "bidirectional".
    """

    _rnn_mode: str

    def __init__(
        self,
        num_layers: int,
        num_units: int,
        input_size: int,
        num_proj: int | None = None,
        input_mode: str = "linear_input",
        direction: str = UNIDIRECTIONAL,
    ):
        self._num_layers = num_layers
        self._num_units = num_units
        self._input_size = input_size
        self._num_proj = num_proj
        self._directions = num_directions(direction)
        self._num_params = PARAMS_PER_LAYER[self._rnn_mode] * num_layers * self._directions
        self._sizes = num_layers, num_units, input_size
        self._attrs: dict[str, Any] = {
            "rnn_mode": self._rnn_mode,
            "input_mode": input_mode,
            "direction": direction,
        }

    def tf_canonical_to_opaque(
        self, tf_canonicals: Sequence[Any], weights_proj: Sequence[Any] | None = None
    ) -> Any:
        """Converts cell parameters to a cuDNN buffer, [elements].

        Args:
          tf_canonicals: weights of all cells, by layer and direction, followed by their biases.
          weights_proj: projections of all cells, if the state is projected.
        """
        half = len(tf_canonicals) // 2
        weights: list = []
        biases: list = []
        for position, (cell_weights, cell_bias) in enumerate(
            zip(
                self._parts_per_cell(tf_canonicals[:half]),
                self._parts_per_cell(tf_canonicals[half:]),
            )
        ):
            weights += self._matrices(position // self._directions, *cell_weights)
            if weights_proj is not None:
                weights.append(ops.transpose(weights_proj[position]))
            biases += self._biases(*cell_bias)
        flat = [ops.reshape(weight, [-1]) for weight in weights]
        with device("/gpu:0"):
            if self._num_proj:
                return raw.CudnnRNNCanonicalToParamsV2(
                    *self._sizes, flat, biases, **self._attrs, num_proj=self._num_proj
                )
            return raw.CudnnRNNCanonicalToParams(*self._sizes, flat, biases, **self._attrs)

    def opaque_to_tf_canonical(self, opaque_param: Tensor) -> tuple[list[Any], ...]:
        """Converts a cuDNN buffer to (weights, biases) of cells, by layer and direction, and any projections."""
        with device("/gpu:0"):
            if self._num_proj:
                weights, biases = raw.CudnnRNNParamsToCanonicalV2(
                    *self._sizes,
                    opaque_param,
                    num_params_weights=self._num_params + self._num_layers * self._directions,
                    num_params_biases=self._num_params,
                    **self._attrs,
                    num_proj=self._num_proj,
                )
            else:
                weights, biases = raw.CudnnRNNParamsToCanonical(
                    *self._sizes, opaque_param, num_params=self._num_params, **self._attrs
                )
        cell_weights: list = []
        cell_biases: list = []
        projections: list = []
        for matrices, terms in zip(self._parts_per_cell(weights), self._parts_per_cell(biases)):
            cell_weights += self._weights_of_cell(*matrices[: PARAMS_PER_LAYER[self._rnn_mode]])
            if self._num_proj:
                projections.append(ops.transpose(matrices[-1]))
            cell_biases += self._biases_of_cell(*terms)
        canonical = cell_weights, cell_biases
        return (*canonical, projections) if self._num_proj else canonical

    def _parts_per_cell(self, parts: Sequence) -> list[Sequence]:
        """Splits a flat list of parts into one list per layer and direction."""
        count = len(parts) // (self._num_layers * self._directions)
        return [parts[start : start + count] for start in range(0, len(parts), count)]

    def _widths(self, layer: int) -> list[int]:
        state_size = self._num_proj or self._num_units
        return [self._input_size if layer == 0 else state_size * self._directions, state_size]

    def _matrices(self, layer: int, *weights: Any) -> Sequence:
        """Converts a cell's matrices to cuDNN's."""
        raise NotImplementedError("Abstract method")

    def _biases(self, *biases: Any) -> Sequence:
        """Converts a cell's biases to cuDNN's."""
        raise NotImplementedError("Abstract method")

    def _weights_of_cell(self, *matrices: Any) -> Sequence:
        """Converts cuDNN's matrices to a cell's."""
        raise NotImplementedError("Abstract method")

    def _biases_of_cell(self, *biases: Any) -> Sequence:
        """Converts cuDNN's biases to a cell's."""
        raise NotImplementedError("Abstract method")


def _swap_gates(gates: Sequence) -> list:
    """Swaps the second and third gates, which converts between cuDNN's and a cell's order."""
    return [gates[0], gates[2], gates[1], gates[3]]


class CudnnParamsFormatConverterLSTM(ParamsConverter):
    """Converter between `CudnnLSTM` and `CudnnCompatibleLSTMCell`: kernel and bias.

    Takes the arguments of the base class: num_layers, num_units, input_size, num_proj, input_mode, direction.

    Example: `weights, biases = tf.contrib.cudnn_rnn.CudnnParamsFormatConverterLSTM(1, 8, 4).opaque_to_tf_canonical(p)`
    """

    _rnn_mode = LSTM

    def _weights_of_cell(self, *matrices: Any) -> Sequence:
        gates = [ops.concat([w, r], axis=1) for w, r in zip(matrices[:4], matrices[4:])]
        return [ops.transpose(ops.concat(_swap_gates(gates), axis=0))]

    def _matrices(self, layer: int, *weights: Any) -> Sequence:
        gates = ops.split(ops.transpose(weights[0]), 4, axis=0)
        pairs = [ops.split(gate, self._widths(layer), axis=1) for gate in gates]
        return [pair[side] for side in (0, 1) for pair in _swap_gates(pairs)]

    def _biases_of_cell(self, *biases: Any) -> Sequence:
        gates = [w + r for w, r in zip(biases[:4], biases[4:])]
        return [ops.concat(_swap_gates(gates), axis=0)]

    def _biases(self, *biases: Any) -> Sequence:
        gates = _swap_gates(ops.split(biases[0], 4, axis=0))
        return [gate * 0.5 for gate in gates] * 2


class CudnnParamsFormatConverterGRU(ParamsConverter):
    """Converter between `CudnnGRU` and `CudnnCompatibleGRUCell`: kernels and biases of gates and two projections.

    Takes the arguments of the base class: num_layers, num_units, input_size, num_proj, input_mode, direction.
    """

    _rnn_mode = GRU

    def _weights_of_cell(self, *matrices: Any) -> Sequence:
        w_r, w_u, w_h, r_r, r_u, r_h = matrices
        gates = [ops.concat(pair, axis=1) for pair in ([w_r, r_r], [w_u, r_u])]
        return [ops.transpose(m) for m in (ops.concat(gates, axis=0), w_h, r_h)]

    def _matrices(self, layer: int, *weights: Any) -> Sequence:
        gates, w_h, r_h = (ops.transpose(weight) for weight in weights)
        widths = [self._widths(layer)[0], self._num_units]
        (w_r, r_r), (w_u, r_u) = (
            ops.split(gate, widths, axis=1) for gate in ops.split(gates, 2, axis=0)
        )
        return w_r, w_u, w_h, r_r, r_u, r_h

    def _biases_of_cell(self, *biases: Any) -> Sequence:
        w_r, w_u, w_h, r_r, r_u, r_h = biases
        return [ops.concat([w_r, w_u], axis=0) + ops.concat([r_r, r_u], axis=0), w_h, r_h]

    def _biases(self, *biases: Any) -> Sequence:
        gate_biases, w_h, r_h = biases
        halves = [gate_biases * 0.5, gate_biases * 0.5]
        (w_r, w_u), (r_r, r_u) = (ops.split(half, 2, axis=0) for half in halves)
        return w_r, w_u, w_h, r_r, r_u, r_h


class _PlainConverter(ParamsConverter):
    """Base class of converters for plain networks."""

    def _weights_of_cell(self, *matrices: Any) -> Sequence:
        return [ops.transpose(ops.concat(list(matrices), axis=1))]

    def _matrices(self, layer: int, *weights: Any) -> Sequence:
        return ops.split(ops.transpose(weights[0]), self._widths(layer), axis=1)

    def _biases_of_cell(self, *biases: Any) -> Sequence:
        return [biases[0] + biases[1]]

    def _biases(self, *biases: Any) -> Sequence:
        return [biases[0] * 0.5, biases[0] * 0.5]


class CudnnParamsFormatConverterTanh(_PlainConverter):
    """Converter between `CudnnRNNTanh` and `tf.nn.rnn_cell.BasicRNNCell`: kernel and bias.

    Takes the arguments of the base class: num_layers, num_units, input_size, num_proj, input_mode, direction.
    """

    _rnn_mode = RNN_TANH


class CudnnParamsFormatConverterRelu(_PlainConverter):
    """Converter between `CudnnRNNRelu` and `tf.nn.rnn_cell.BasicRNNCell` with ReLU: kernel and bias.

    Takes the arguments of the base class: num_layers, num_units, input_size, num_proj, input_mode, direction.
    """

    _rnn_mode = RNN_RELU
