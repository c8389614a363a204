"""AttentionWrapper: a cell whose input includes the last attention, and whose output is the next query."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.nest.structure import flatten, map_structure
from tfmini._src.base.shapes import TensorShape, dimension_value
from tfmini._src.contrib.seq2seq.attention_mechanism import AttentionMechanism
from tfmini._src.contrib.seq2seq.attention_wrapper_state import AttentionWrapperState
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.dense import Dense
from tfmini._src.nn.rnn.checks import check_cell
from tfmini._src.nn.rnn.rnn_cell import RNNCell, _zero_state_tensors
from tfmini._src.ops import ops
from tfmini._src.ops.lists.tensor_array import TensorArray

if TYPE_CHECKING:
    from tfmini._src.nn.layers.base_layer import Layer


def compute_attention(
    attention_mechanism: Any, cell_output: Tensor, attention_state: Any, attention_layer: Any
) -> tuple[Tensor, Tensor, Any]:
    """Returns the attention of a cell's output to the memory: (attention [batch, size], alignments, next state)."""
    alignments, next_state = attention_mechanism(cell_output, state=attention_state)
    attention = ops.matmul(ops.expand_dims(alignments, 1), attention_mechanism.values)
    attention = ops.squeeze(attention, [1])
    if attention_layer is not None:
        attention = attention_layer(ops.concat([cell_output, attention], 1))
    return attention, alignments, next_state


def _check_mechanisms(attention_mechanism: Any) -> tuple:
    """Returns the mechanisms as a tuple."""
    if isinstance(attention_mechanism, list | tuple):
        for mechanism in attention_mechanism:
            if not isinstance(mechanism, AttentionMechanism):
                raise TypeError(
                    "attention_mechanism must contain only instances of AttentionMechanism, "
                    f"saw type: {type(mechanism).__name__}"
                )
        return tuple(attention_mechanism)
    if not isinstance(attention_mechanism, AttentionMechanism):
        raise TypeError(
            "attention_mechanism must be an AttentionMechanism or list of multiple "
            f"AttentionMechanism instances, saw type: {type(attention_mechanism).__name__}"
        )
    return (attention_mechanism,)


def _as_tuple(value: Any, count: int, argument: str, item_name: str) -> tuple:
    values = tuple(value) if isinstance(value, list | tuple) else (value,)
    if len(values) != count:
        raise ValueError(
            f"If provided, {argument} must contain exactly one {item_name} per attention_mechanism, "
            f"saw: {len(values)} vs {count}"
        )
    return values


class AttentionWrapper(RNNCell):
    """Wraps a cell: concatenates the last attention to its input, and queries the memory with its output.

    For a BeamSearchDecoder, apply `tile_batch` to memory, lengths and encoder state, and call `zero_state` with the
    batch size times the beam width.

    Args:
      cell: an RNNCell.
      attention_mechanism: an AttentionMechanism, or a list of them.
      attention_layer_size: size of a Dense layer without bias that computes the attention from the cell's output and
        the context; a list for several mechanisms. By default the context is the attention.
      alignment_history: whether the state records all steps' alignments, in a TensorArray.
      cell_input_fn: function from inputs and attention to the cell's input; by default concatenation on the last axis.
      output_attention: whether the output is the attention (Luong) instead of the cell's output (Bahdanau).
      initial_cell_state: cell state in `zero_state`; by default zeros.
      name: layer name.
      attention_layer: a layer, or a list of layers, instead of `attention_layer_size`.
      attention_fn: function from a mechanism, the cell's output, the mechanism's state and its layer to (attention,
        alignments, next state), replacing this computation.
      dtype: dtype of the cell.

    Raises:
      TypeError: for arguments of the wrong type.
      ValueError: if both sizes and layers are given, or they differ in number from the mechanisms.

    Example:
      attention = tf.contrib.seq2seq.LuongAttention(32, encoder_outputs)
      cell = tf.contrib.seq2seq.AttentionWrapper(cell, attention, attention_layer_size=32)
      state = cell.zero_state(batch_size, tf.float32).clone(cell_state=encoder_state)
    """

    def __init__(
        self,
        cell: RNNCell,
        attention_mechanism: AttentionMechanism | Sequence[AttentionMechanism],
        attention_layer_size: int | Sequence[int] | None = None,
        alignment_history: bool = False,
        cell_input_fn: Callable[..., Any] | None = None,
        output_attention: bool = True,
        initial_cell_state: object = None,
        name: str | None = None,
        attention_layer: Layer | None = None,
        attention_fn: Callable[..., Any] | None = None,
        dtype: DTypeLike | None = None,
    ):
        super().__init__(name=name, dtype=dtype)
        check_cell("cell", cell)
        self._attention_mechanisms = _check_mechanisms(attention_mechanism)
        self._is_multi = isinstance(attention_mechanism, list | tuple)
        if cell_input_fn is None:
            cell_input_fn = _concat_attention
        elif not callable(cell_input_fn):
            raise TypeError(
                f"cell_input_fn must be callable, saw type: {type(cell_input_fn).__name__}"
            )
        if attention_layer_size is not None and attention_layer is not None:
            raise ValueError("Only one of attention_layer_size and attention_layer should be set")
        self._cell = cell
        self._attention_layers: Any = None
        self._attention_layer_size = self._add_layers(attention_layer_size, attention_layer)
        self._attention_fn = attention_fn or compute_attention
        self._cell_input_fn = cell_input_fn
        self._output_attention = output_attention
        self._alignment_history = alignment_history
        with name_scope(name, "AttentionWrapperInit"):
            self._initial_cell_state = None
            if initial_cell_state is not None:
                self._initial_cell_state = self._checked_state(initial_cell_state)

    def _add_layers(self, sizes: Any, layers: Any) -> int:
        """Creates layers from sizes, or uses the given layers; returns the total attention size of all mechanisms."""
        mechanisms = self._attention_mechanisms
        depths = [dimension_value(m.values.shape[-1]) for m in mechanisms]
        if sizes is not None:
            sizes = _as_tuple(sizes, len(mechanisms), "attention_layer_size", "integer")
            self._attention_layers = tuple(
                Dense(size, name="attention_layer", use_bias=False, dtype=mechanism.dtype)
                for size, mechanism in zip(sizes, mechanisms)
            )
            return sum(sizes)
        if layers is None:
            return sum(depths)
        self._attention_layers = _as_tuple(layers, len(mechanisms), "attention_layer", "layer")
        shapes = [
            layer.compute_output_shape([None, self._cell.output_size + depth])
            for layer, depth in zip(self._attention_layers, depths)
        ]
        return sum(dimension_value(shape[-1]) for shape in shapes)

    def _checked_state(self, state: Any) -> Any:
        last = flatten(state)[-1]
        rows = dimension_value(last.shape[0]) or ops.shape(last)[0]
        message = (
            f"When constructing AttentionWrapper {self._base_name}: Non-matching batch sizes between "
            "the memory (encoder output) and initial_cell_state.  Are you using the "
            "BeamSearchDecoder?  You may need to tile your initial state via the "
            "tf.contrib.seq2seq.tile_batch function with argument multiple=beam_width."
        )
        with control_dependencies(self._batch_size_checks(rows, message)):
            return map_structure(lambda s: ops.identity(s, name="check_initial_cell_state"), state)

    def _batch_size_checks(self, batch_size: Any, message: str) -> list:
        return [
            ops.assert_equal(batch_size, mechanism.batch_size, message=message)
            for mechanism in self._attention_mechanisms
        ]

    def _item_or_tuple(self, items: Any) -> Any:
        items = tuple(items)
        return items if self._is_multi else items[0]

    @property
    def output_size(self) -> Any:
        """Size of the attention, or of the cell's output."""
        return self._attention_layer_size if self._output_attention else self._cell.output_size

    @property
    def state_size(self) -> AttentionWrapperState:
        """Sizes of the state's fields."""
        sizes = [mechanism.alignments_size for mechanism in self._attention_mechanisms]
        return AttentionWrapperState(
            cell_state=self._cell.state_size,
            time=TensorShape([]),
            attention=self._attention_layer_size,
            alignments=self._item_or_tuple(sizes),
            attention_state=self._item_or_tuple(m.state_size for m in self._attention_mechanisms),
            alignment_history=self._item_or_tuple(
                size if self._alignment_history else () for size in sizes
            ),
        )

    def zero_state(self, batch_size: TensorLike, dtype: DTypeLike) -> AttentionWrapperState:
        """Returns the state before the first step.

        Args:
          batch_size: an int or int32 scalar, equal to the memory's.
          dtype: dtype of the state.

        Raises:
          ValueError, InvalidArgumentError (at run time): if the memory's batch size differs.
        """
        with name_scope(f"{type(self).__name__}ZeroState", values=[batch_size]):
            cell_state = self._initial_cell_state
            if cell_state is None:
                cell_state = self._cell.get_initial_state(batch_size=batch_size, dtype=dtype)
            message = (
                f"When calling zero_state of AttentionWrapper {self._base_name}: Non-matching batch "
                "sizes between the memory (encoder output) and the requested batch size.  Are you "
                "using the BeamSearchDecoder?  If so, make sure your encoder output has been tiled "
                "to beam_width via tf.contrib.seq2seq.tile_batch, and the batch_size= argument "
                "passed to zero_state is batch_size * beam_width."
            )
            with control_dependencies(self._batch_size_checks(batch_size, message)):
                cell_state = map_structure(
                    lambda s: ops.identity(s, name="checked_cell_state"), cell_state
                )
            alignments = [
                mechanism.initial_alignments(batch_size, dtype)
                for mechanism in self._attention_mechanisms
            ]
            return AttentionWrapperState(
                cell_state=cell_state,
                time=ops.zeros([], dtype=dtypes.int32),
                attention=_zero_state_tensors(self._attention_layer_size, batch_size, dtype),
                alignments=self._item_or_tuple(alignments),
                attention_state=self._item_or_tuple(
                    mechanism.initial_state(batch_size, dtype)
                    for mechanism in self._attention_mechanisms
                ),
                alignment_history=self._item_or_tuple(
                    self._history(alignment.shape, dtype) for alignment in alignments
                ),
            )

    def _history(self, shape: Any, dtype: Any) -> Any:
        if not self._alignment_history:
            return ()
        return TensorArray(dtype, size=0, dynamic_size=True, element_shape=shape)

    def call(self, inputs: TensorLike, state: Any) -> tuple[Any, AttentionWrapperState]:
        """Computes one step: applies the cell to inputs and attention, then each mechanism to the cell's output.

        Args:
          inputs: this step's inputs.
          state: an AttentionWrapperState.

        Returns:
          (attention or the cell's output, next state).

        Raises:
          TypeError: if the state has the wrong type.
          ValueError, InvalidArgumentError (at run time): if the memory's batch size differs.
        """
        if not isinstance(state, AttentionWrapperState):
            raise TypeError(
                "Expected state to be instance of AttentionWrapperState. "
                f"Received type {type(state)} instead."
            )
        cell_inputs = self._cell_input_fn(inputs, state.attention)
        cell_output, cell_state = self._cell(cell_inputs, state.cell_state)
        rows = dimension_value(cell_output.shape[0]) or ops.shape(cell_output)[0]
        message = (
            f"When applying AttentionWrapper {self.name}: Non-matching batch sizes between the "
            "memory (encoder output) and the query (decoder output).  Are you using the "
            "BeamSearchDecoder?  You may need to tile your memory input via the "
            "tf.contrib.seq2seq.tile_batch function with argument multiple=beam_width."
        )
        with control_dependencies(self._batch_size_checks(rows, message)):
            cell_output = ops.identity(cell_output, name="checked_cell_output")
        states, histories = state.attention_state, state.alignment_history
        if not self._is_multi:
            states, histories = [states], [histories]
        layers = self._attention_layers or [None] * len(self._attention_mechanisms)
        attentions, alignments, next_states, next_histories = [], [], [], []
        for i, mechanism in enumerate(self._attention_mechanisms):
            attention, alignment, next_state = self._attention_fn(
                mechanism, cell_output, states[i], layers[i]
            )
            history = histories[i].write(state.time, alignment) if self._alignment_history else ()
            attentions.append(attention)
            alignments.append(alignment)
            next_states.append(next_state)
            next_histories.append(history)
        attention = ops.concat(attentions, 1)
        next_state = AttentionWrapperState(
            time=state.time + 1,
            cell_state=cell_state,
            attention=attention,
            attention_state=self._item_or_tuple(next_states),
            alignments=self._item_or_tuple(alignments),
            alignment_history=self._item_or_tuple(next_histories),
        )
        return (attention if self._output_attention else cell_output), next_state


def _concat_attention(inputs: Any, attention: Any) -> Tensor:
    return ops.concat([inputs, attention], -1)
