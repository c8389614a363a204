"""Recurrent networks over whole sequences, as objects: an adaptor for cells, and time reversal."""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, Any

from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.rnn.dynamic_rnn import dynamic_rnn
from tfmini._src.nn.rnn.static_rnn import static_rnn
from tfmini._src.ops import ops

if TYPE_CHECKING:
    from tfmini._src.nn.rnn.rnn_cell import RNNCell
    from tfmini._src.variables.get_variable import VariableScope


class FusedRNNCell(metaclass=abc.ABCMeta):
    """Interface of recurrent networks that process all steps of a sequence in one call."""

    @abc.abstractmethod
    def __call__(
        self,
        inputs: TensorLike,
        initial_state: Any = None,
        dtype: DTypeLike | None = None,
        sequence_length: TensorLike | None = None,
        scope: str | VariableScope | None = None,
    ) -> Any:
        """Processes all steps of a sequence.

        Args:
          inputs: a tensor [time, batch, depth], or a list of tensors [batch, depth], one per step.
          initial_state: the state before the first step; by default zeros.
          dtype: dtype of the zero state; required without an initial state.
          sequence_length: an int vector [batch]; by default all rows have full length.
          scope: a variable scope, or its name.

        Returns:
          The outputs, [time, batch, size] or a list like the inputs, and the final state.
        """


class FusedRNNCellAdaptor(FusedRNNCell):
    """Adapts a cell to a FusedRNNCell.

    Args:
      cell: the cell.
      use_dynamic_rnn: whether to use a loop instead of unrolling the steps.
    """

    def __init__(self, cell: RNNCell, use_dynamic_rnn: bool = False):
        self._cell = cell
        self._use_dynamic_rnn = use_dynamic_rnn

    @arguments_of(FusedRNNCell.__call__)
    def __call__(self, inputs: TensorLike, **options: Any) -> Any:
        """Processes all steps of a sequence; see FusedRNNCell."""
        is_list = isinstance(inputs, list)
        if self._use_dynamic_rnn:
            steps = ops.stack(inputs) if is_list else inputs
            outputs, state = dynamic_rnn(self._cell, steps, time_major=True, **options)
            return ops.unstack(outputs) if is_list else outputs, state
        steps = inputs if is_list else ops.unstack(inputs)
        outputs, state = static_rnn(self._cell, steps, **options)
        return outputs if is_list else ops.stack(outputs), state


class TimeReversedFusedRNN(FusedRNNCell):
    """A FusedRNNCell that runs from the last step to the first; outputs are in input order.

    Args:
      cell: a FusedRNNCell, or an equivalent callable.
    """

    def __init__(self, cell: RNNCell):
        self._cell = cell

    @arguments_of(FusedRNNCell.__call__)
    def __call__(self, inputs: TensorLike, **options: Any) -> Any:
        """Processes all steps of a sequence; see FusedRNNCell."""
        lengths = options["sequence_length"]
        outputs, state = self._cell(_reverse_steps(inputs, lengths), **options)
        return _reverse_steps(outputs, lengths), state


def _reverse_steps(steps: Any, lengths: Any) -> Any:
    """Reverses the steps; for a tensor, each row up to its length."""
    if isinstance(steps, list):
        return list(reversed(steps))
    if lengths is None:
        return ops.reverse(steps, [0])
    return ops.reverse_sequence(steps, lengths, 0, 1)
