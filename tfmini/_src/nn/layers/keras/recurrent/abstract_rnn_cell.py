"""`AbstractRNNCell`: the base class of custom cells."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.keras.recurrent.cell_states import zeros_of_cell


class AbstractRNNCell(Layer):
    """Base class of cells; subclasses define `call`, `state_size` and `output_size`.

    Example:
      class Sum(tf.keras.layers.AbstractRNNCell):
          state_size = output_size = 3

          def call(self, inputs, states):
              total = states[0] + inputs
              return total, [total]
    """

    def call(self, inputs: Any, states: Any) -> Any:
        """Computes the output and new states of a step from its inputs and states; defined by subclasses.

        Raises:
          NotImplementedError: unless overridden.
        """
        raise NotImplementedError("Abstract method")

    @property
    def state_size(self) -> Any:
        """The sizes of the states; raises NotImplementedError unless a subclass defines them."""
        raise NotImplementedError("Abstract method")

    @property
    def output_size(self) -> Any:
        """The size of the output; raises NotImplementedError unless a subclass defines it."""
        raise NotImplementedError("Abstract method")

    def get_initial_state(
        self, inputs: Any = None, batch_size: Any = None, dtype: DTypeLike | None = None
    ) -> Any:
        """Returns zero-valued initial states; batch size and dtype default to the values of `inputs`."""
        return zeros_of_cell(self, inputs, batch_size, dtype)
