"""LSTM cells whose step, or whole sequence, is a single op."""

from __future__ import annotations

import abc
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.base import Layer
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.nn.rnn.rnn_cell import LayerRNNCell, LSTMStateTuple
from tfmini._src.ops import ops, raw
from tfmini._src.variables.initializers import Constant


class LSTMBlockCell(LayerRNNCell):
    """An LSTM cell, http://arxiv.org/abs/1409.2329, whose step is a single op, `LSTMBlockCell`.

    Inputs are [batch, depth], the state is an LSTMStateTuple of c and h, [batch, num_units], the output
    is h. The variables `kernel`: [depth + num_units, 4 * num_units], and `bias`: [4 * num_units], have the names and
    layouts of LSTMCell's.

    Args:
      num_units: number of units.
      forget_bias: added to the forget gate.
      cell_clip: clipping value of |c|; None or a negative number for no clipping.
      use_peephole: whether the gates are connected to the cell state, by `w_i_diag`, `w_f_diag` and `w_o_diag`.
      dtype: dtype of the weights, float32 or float16.
      reuse: True to reuse the scope's existing variables.
      name: name of the layer and its variable scope.

    Raises:
      ValueError: on call, if the depth is unknown, or the state is not a pair.

    Example: `outputs, state = tf.nn.dynamic_rnn(tf.contrib.rnn.LSTMBlockCell(64), x, dtype=tf.float32)`.
    """

    output_size: int = read_only("num_units.", "_num_units")
    _kernel: Any
    _bias: Any

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        cell_clip: float | None = None,
        use_peephole: bool = False,
        dtype: DTypeLike | None = None,
        reuse: bool | None = None,
        name: str = "lstm_cell",
    ):
        super().__init__(_reuse=reuse, dtype=dtype, name=name)
        self._num_units = num_units
        self._forget_bias = forget_bias
        self._use_peephole = use_peephole
        self._cell_clip = cell_clip if cell_clip is not None else -1
        self.input_spec = InputSpec(ndim=2)

    @property
    def state_size(self) -> LSTMStateTuple:
        """State sizes of c and h: both are `num_units`."""
        return LSTMStateTuple(self._num_units, self._num_units)

    def build(self, inputs_shape: Any) -> None:
        """Creates the weights for inputs [batch, depth]."""
        depth = inputs_shape.dims[1].value
        if not depth:
            raise ValueError(f"Expecting inputs_shape[1] to be set: {inputs_shape}")
        _make_weights(self, depth)
        self.built = True

    def call(self, inputs: TensorLike, state: LSTMStateTuple | Tensor) -> Any:
        """Computes one step; returns (h, next state)."""
        if len(state) != 2:
            raise ValueError("Expecting state to be a tuple with length 2.")
        diagonals = _diagonals(self, self.dtype)
        c, h = state
        step = raw.LSTMBlockCell(
            *(inputs, c, h, self._kernel, *diagonals, self._bias),
            forget_bias=self._forget_bias,
            cell_clip=self._cell_clip,
            use_peephole=self._use_peephole,
        )
        return step.h, LSTMStateTuple(step.cs, step.h)


class LSTMBlockWrapper(Layer, metaclass=abc.ABCMeta):
    """Base class of LSTMs over whole sequences: zero states, sequence lengths, input lists.

    Subclasses define `num_units` and `_call_cell`.
    """

    @property
    @abc.abstractmethod
    def num_units(self) -> int:
        """Number of units."""

    @abc.abstractmethod
    def _call_cell(
        self,
        inputs: Any,
        initial_cell_state: Any,
        initial_output: Any,
        dtype: Any,
        sequence_length: Any,
    ) -> Any:
        """Returns the cell states and outputs of all steps, [time, batch, num_units], for inputs [time, batch, depth].

        `sequence_length` is an int vector [batch] or None.
        """

    def call(
        self,
        inputs: Tensor,
        initial_state: tuple[Tensor, Tensor] | None = None,
        dtype: DTypeLike | None = None,
        sequence_length: TensorLike | None = None,
    ) -> Any:
        """Processes all steps of a sequence.

        Args:
          inputs: a tensor [time, batch, depth], or a list of tensors [batch, depth], one per step.
          initial_state: c and h before the first step, [batch, num_units]; by default zeros.
          dtype: dtype of the zero state; required without an initial state.
          sequence_length: an int vector [batch]; by default, all rows have full length. Beyond a row's length, outputs
            are zeros and the state is unchanged.

        Returns:
          The outputs, [time, batch, num_units] or a list like the inputs, and the final state, an LSTMStateTuple.

        Raises:
          ValueError: if the depth is unknown, both state and dtype are missing, or the state is not a pair.
        """
        is_list = isinstance(inputs, list)
        if is_list:
            inputs = ops.stack(inputs)
        shape = inputs.shape.with_rank(3)
        if not shape[2]:
            raise ValueError(f"Expecting inputs_shape[2] to be set: {shape}")
        batch_size = shape.dims[1].value
        if batch_size is None:
            batch_size = ops.shape(inputs)[1]
        time = shape.dims[0].value
        if time is None:
            time = ops.shape(inputs)[0]
        if initial_state is None:
            if dtype is None:
                raise ValueError("Either initial_state or dtype needs to be specified")
            zeros = ops.zeros(ops.stack([batch_size, self.num_units]), dtype=dtype)
            initial_state = zeros, zeros
        else:
            if len(initial_state) != 2:
                raise ValueError("Expecting initial_state to be a tuple with length 2 or None")
            if dtype is None:
                dtype = initial_state[0].dtype
        if sequence_length is not None:
            sequence_length = ops.convert_to_tensor(sequence_length)
        c, h = initial_state
        states, outputs = self._call_cell(inputs, c, h, dtype, sequence_length)
        if sequence_length is None:
            state = LSTMStateTuple(states[-1], outputs[-1])
        else:
            mask = ops.sequence_mask(sequence_length, time, dtype=dtype)
            mask = ops.expand_dims(ops.transpose(mask, [1, 0]), [-1])
            outputs = outputs * ops.tile(mask, [1, 1, self.num_units])
            # With the initial states prepended, a row's length is the index of its final state.
            both = [
                ops.concat([ops.expand_dims(first, [0]), steps], 0)
                for first, steps in ((c, states), (h, outputs))
            ]
            state = LSTMStateTuple(*(_rows_at(x, sequence_length, batch_size) for x in both))
        return ops.unstack(outputs) if is_list else outputs, state


def _rows_at(states: Any, positions: Any, batch_size: Any) -> Any:
    """Returns states[positions[row], row] for each row."""
    return ops.gather_nd(states, ops.stack([positions, ops.range(batch_size)], axis=1))


class LSTMBlockFusedCell(LSTMBlockWrapper):
    """An LSTM over a whole sequence as a single op, `BlockLSTM`, with the weights of LSTMBlockCell.

    Args:
      num_units, forget_bias, cell_clip, use_peephole, reuse, dtype, name: as in `LSTMBlockCell`.

    Example: `outputs, (c, h) = tf.contrib.rnn.LSTMBlockFusedCell(64)(time_major, dtype=tf.float32)`.
    """

    num_units: int = read_only("Number of units.")
    _kernel: Any
    _bias: Any

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        cell_clip: float | None = None,
        use_peephole: bool = False,
        reuse: bool | None = None,
        dtype: DTypeLike | None = None,
        name: str = "lstm_fused_cell",
    ):
        super().__init__(_reuse=reuse, name=name, dtype=dtype)
        self._num_units = num_units
        self._forget_bias = forget_bias
        self._cell_clip = cell_clip if cell_clip is not None else -1
        self._use_peephole = use_peephole
        self.input_spec = InputSpec(ndim=3)

    def build(self, input_shape: Any) -> None:
        """Creates the weights for inputs [time, batch, depth]."""
        _make_weights(self, input_shape.dims[2].value)
        self.built = True

    def _call_cell(
        self,
        inputs: Any,
        initial_cell_state: Any = None,
        initial_output: Any = None,
        dtype: Any = None,
        sequence_length: Any = None,
    ) -> Any:
        steps = inputs.shape.with_rank(3).dims[0].value
        if steps is None:
            steps = ops.shape(inputs)[0]
        diagonals = _diagonals(self, dtype)
        if sequence_length is not None:
            steps = ops.reduce_max(sequence_length)
        all_steps = raw.BlockLSTM(
            *(ops.cast(steps, dtypes.int64), inputs, initial_cell_state, initial_output),
            *(self._kernel, *diagonals, self._bias),
            forget_bias=self._forget_bias,
            cell_clip=self._cell_clip,
            use_peephole=self._use_peephole,
        )
        return all_steps.cs, all_steps.h


def _make_weights(layer: Any, depth: int) -> None:
    units = layer._num_units
    layer._kernel = layer.add_variable("kernel", [depth + units, 4 * units])
    layer._bias = layer.add_variable("bias", [4 * units], initializer=Constant(0.0))
    if layer._use_peephole:
        layer._w_i_diag = layer.add_variable("w_i_diag", [units])
        layer._w_f_diag = layer.add_variable("w_f_diag", [units])
        layer._w_o_diag = layer.add_variable("w_o_diag", [units])


def _diagonals(layer: Any, dtype: Any) -> tuple:
    """Returns the peephole weights wci, wcf and wco; zeros without peepholes."""
    if layer._use_peephole:
        return layer._w_i_diag, layer._w_f_diag, layer._w_o_diag
    return (ops.zeros([layer._num_units], dtype=dtype),) * 3
