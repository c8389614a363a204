"""LSTM cells on a time-frequency grid."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import dimension_value
from tfmini._src.contrib.rnn.grid_windows import grid_windows
from tfmini._src.contrib.rnn.sharded import concat_sharded_variable
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.rnn.basic_lstm_cell import warn_of_joined_state
from tfmini._src.nn.rnn.rnn_cell import LSTMStateTuple, RNNCell
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.initializers import Zeros
from tfmini._src.variables.variable_scope import variable_scope


def _tuple_class(name: str, fields: list[str]) -> Any:
    return namedtuple(name, fields)


class GridLSTMCell(RNNCell):
    """A grid LSTM: Kalchbrenner et al. (2015), https://arxiv.org/abs/1507.01526.

    The inputs [batch, depth] are split into blocks of column windows. One LSTM runs along the windows of a block,
    another one along time; each reads the window and the outputs and cell states of both. With peepholes, this is the
    grid LSTM of Sainath and Li (2016). The output is [batch, 2 * num_units * number of windows].

    Args:
      num_units: number of units per LSTM and window.
      use_peepholes: whether the gates are connected to the cell states.
      share_time_frequency_weights: whether both LSTMs share weights.
      cell_clip: clipping value of the cell states; None for no clipping.
      initializer: ignored.
      num_unit_shards: number of partitions of the weights.
      forget_bias: added to the forget gates.
      feature_size, frequency_skip: window size and stride.
      num_frequency_blocks: list with the number of windows per block.
      start_freqindex_list, end_freqindex_list: starts and ends of the blocks; None for one block over all columns.
      couple_input_forget_gates: whether the forget gates are 1 - input gates.
      state_is_tuple: whether the state is a named tuple; else a single tensor, with a warning.
      reuse: True to reuse the scope's existing variables.

    Raises:
      ValueError: if `num_frequency_blocks` is missing; on call, if the inputs' depth is unknown or too small.
    """

    output_size: int = read_only("2 * num_units for each window.")
    state_size: Any = read_only("num_units twice for each window, or their sum.")
    state_tuple_type: Any = read_only("The class of the state, None if it is one tensor.")

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        share_time_frequency_weights: bool = False,
        cell_clip: float | None = None,
        initializer: Callable[..., Any] | None = None,
        num_unit_shards: int = 1,
        forget_bias: float = 1.0,
        feature_size: int | None = None,
        frequency_skip: int | None = None,
        num_frequency_blocks: Any = None,
        start_freqindex_list: Any = None,
        end_freqindex_list: Any = None,
        couple_input_forget_gates: bool = False,
        state_is_tuple: bool = True,
        reuse: bool | None = None,
    ):
        super().__init__(_reuse=reuse)
        if not state_is_tuple:
            warn_of_joined_state(self)
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._share_time_frequency_weights = share_time_frequency_weights
        self._couple_input_forget_gates = couple_input_forget_gates
        self._state_is_tuple = state_is_tuple
        self._cell_clip = cell_clip
        self._initializer = initializer
        self._num_unit_shards = num_unit_shards
        self._forget_bias = forget_bias
        self._feature_size = feature_size
        self._frequency_skip = frequency_skip
        self._start_freqindex_list = start_freqindex_list
        self._end_freqindex_list = end_freqindex_list
        self._num_frequency_blocks = num_frequency_blocks
        self._reuse = reuse
        if num_frequency_blocks is None:
            raise ValueError("Must specify num_frequency_blocks")
        self._total_blocks = sum(int(count) for count in num_frequency_blocks)
        self._state_tuple_type: Any = None
        self._state_size: Any = num_units * self._total_blocks * 2
        if state_is_tuple:
            self._state_tuple_type = _tuple_class("GridLSTMStateTuple", self._state_names("state"))
            self._state_size = self._state_tuple_type(*[num_units] * self._total_blocks * 2)
        self._output_size = num_units * self._total_blocks * 2

    def _state_names(self, prefix: str) -> list[str]:
        return [
            f"{prefix}_f{window:02d}_b{block:02d}_{part}"
            for block, count in enumerate(self._num_frequency_blocks)
            for window in range(count)
            for part in "cm"
        ]

    def call(self, inputs: Tensor, state: LSTMStateTuple | Tensor) -> Any:
        """Computes one step; returns (outputs of all windows, next state)."""
        batch_size = dimension_value(inputs.shape[0]) or ops.shape(inputs)[0]
        outputs, states = [], []
        for block, windows in enumerate(self._make_tf_features(inputs)):
            result = self._compute(
                windows, block, state, batch_size, state_is_tuple=self._state_is_tuple
            )
            outputs += result[0]
            states += result[1]
        if self._state_is_tuple:
            new_state = self._state_tuple_type(*states)
        else:
            new_state = ops.concat(states, 1)
        return ops.concat(outputs, 1), new_state

    def _make_tf_features(self, inputs: Any, slice_offset: int = 0) -> list[list]:
        return grid_windows(
            inputs,
            self._feature_size,
            self._frequency_skip,
            self._num_frequency_blocks,
            self._start_freqindex_list,
            self._end_freqindex_list,
            slice_offset,
        )

    def _compute(
        self,
        windows: list,
        block: int,
        state: Any,
        batch_size: Any,
        state_prefix: str = "state",
        state_is_tuple: bool = True,
    ) -> tuple[list, list]:
        """Returns the outputs for the windows of a block, and their states."""
        units = self._num_units
        dtype = windows[0].dtype
        size = windows[0].shape.as_list()[1]
        weights = {"freq": self._weights("f", block, size, dtype)}
        if not self._share_time_frequency_weights:
            weights["time"] = self._weights("t", block, size, dtype)
        peepholes = self._peepholes(block, dtype) if self._use_peepholes else {}
        outputs: list = []
        states: list = []
        m_freq = ops.zeros([batch_size, units], dtype)
        c_freq = ops.zeros([batch_size, units], dtype)
        for index, window in enumerate(windows):
            if state_is_tuple:
                name = f"{state_prefix}_f{index:02d}_b{block:02d}"
                c_time, m_time = getattr(state, f"{name}_c"), getattr(state, f"{name}_m")
            else:
                c_time = ops.slice(state, [0, 2 * index * units], [-1, units])
                m_time = ops.slice(state, [0, (2 * index + 1) * units], [-1, units])
            inputs = ops.concat([window, m_time, m_freq], 1)
            sums = {axis: self._gates(inputs, *pair) for axis, pair in weights.items()}
            before = c_freq, c_time
            c_freq = self._memory("freq", sums, peepholes, before, c_freq)
            c_time = self._memory("time", sums, peepholes, before, c_time)
            memories = c_freq, c_time
            m_freq = self._gate("O", "freq", sums, peepholes, memories) * ops.tanh(c_freq)
            m_time = self._gate("O", "time", sums, peepholes, memories) * ops.tanh(c_time)
            states += [c_time, m_time]
            outputs += [m_time, m_freq]
        return outputs, states

    def _weights(self, axis: str, block: int, size: int, dtype: Any) -> tuple[Any, Any]:
        gates = 3 if self._couple_input_forget_gates else 4
        columns = gates * self._num_units
        kernel = concat_sharded_variable(
            f"W_{axis}_{block}",
            [size + 2 * self._num_units, columns],
            dtype,
            self._num_unit_shards,
        )
        bias = get_variable(f"B_{axis}_{block}", shape=[columns], initializer=Zeros(), dtype=dtype)
        return kernel, bias

    def _peepholes(self, block: int, dtype: Any) -> dict[tuple[str, str], Any]:
        """Returns the peephole diagonals by gate and memory; "freqt" is the time memory read by the frequency LSTM."""
        gates = "IO" if self._couple_input_forget_gates else "FIO"
        axes = ("freq",) if self._share_time_frequency_weights else ("freq", "time")
        return {
            (gate, axis + other): get_variable(
                f"W_{gate}_diag_{axis}{other}_{block}", shape=[self._num_units], dtype=dtype
            )
            for axis in axes
            for gate in gates
            for other in "ft"
        }

    def _gates(self, inputs: Any, kernel: Any, bias: Any) -> dict[str, Any]:
        """Returns the sums for the gates I, F and O, and for the new input J."""
        names = "IJO" if self._couple_input_forget_gates else "IJFO"
        sums = ops.bias_add(ops.matmul(inputs, kernel), bias)
        return dict(zip(names, ops.split(value=sums, num_or_size_splits=len(names), axis=1)))

    def _gate(self, gate: str, axis: str, sums: dict, peepholes: dict, memories: tuple) -> Any:
        """Returns a gate of the LSTM along an axis; `memories` are the memories along frequency and time."""
        if self._share_time_frequency_weights:
            axis = "freq"
        total = sums[axis][gate]
        if gate == "F":
            total = total + self._forget_bias
        if peepholes:
            for other, memory in zip("ft", memories):
                total = total + peepholes[gate, axis + other] * memory
        return ops.sigmoid(total)

    def _memory(
        self, axis: str, sums: dict, peepholes: dict, previous_memories: tuple, c: Any
    ) -> Any:
        """Returns the cell state along an axis after a step."""
        take = self._gate("I", axis, sums, peepholes, previous_memories)
        if self._couple_input_forget_gates:
            keep = 1.0 - take
        else:
            keep = self._gate("F", axis, sums, peepholes, previous_memories)
        gates = sums["freq" if self._share_time_frequency_weights else axis]
        c = keep * c + take * ops.tanh(gates["J"])
        if self._cell_clip is not None:
            c = ops.clip_by_value(c, -self._cell_clip, self._cell_clip)
        return c


class BidirectionalGridLSTMCell(GridLSTMCell):
    """Two GridLSTMCells, in the scopes "fwd" and "bwd"; the second processes the windows in reverse.

    Args:
      num_units ... couple_input_forget_gates: as in GridLSTMCell.
      backward_slice_offset: offset of the second cell's windows to the right.
      reuse: True to reuse the scope's existing variables.

    Raises:
      ValueError: as in GridLSTMCell.
    """

    @arguments_of(GridLSTMCell, "state_is_tuple")
    def __init__(
        self,
        num_units: int,
        couple_input_forget_gates: bool,
        backward_slice_offset: int = 0,
        **kwargs: Any,
    ):
        super().__init__(num_units, couple_input_forget_gates=couple_input_forget_gates, **kwargs)
        self._backward_slice_offset = int(backward_slice_offset)
        names = self._state_names("fwd_state") + self._state_names("bwd_state")
        self._state_tuple_type = _tuple_class("BidirectionalGridLSTMStateTuple", names)
        self._state_size = self._state_tuple_type(*[num_units] * len(names))
        self._output_size = num_units * len(names)

    def call(self, inputs: Tensor, state: LSTMStateTuple | Tensor) -> Any:
        """Computes one step; returns (outputs of both cells for all windows, next state)."""
        batch_size = dimension_value(inputs.shape[0]) or ops.shape(inputs)[0]
        blocks = {"fwd": self._make_tf_features(inputs)}
        if self._backward_slice_offset:
            blocks["bwd"] = self._make_tf_features(inputs, self._backward_slice_offset)
        else:
            blocks["bwd"] = blocks["fwd"]
        outputs, states = [], []
        for direction, parts in blocks.items():
            with variable_scope(direction):
                for block, windows in enumerate(parts):
                    if direction == "bwd":
                        windows = windows[::-1]
                    result = self._compute(
                        windows, block, state, batch_size, state_prefix=f"{direction}_state"
                    )
                    outputs += result[0]
                    states += result[1]
        new_state = self._state_tuple_type(*states)
        return ops.concat(outputs, 1), new_state
