"""SimpleRNNCell: a step whose new state is an activation of its inputs and the previous state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.nn.layers.backend import array_functions as k
from tfmini._src.nn.layers.backend.spatial_functions import bias_add
from tfmini._src.nn.layers.keras.recurrent.base_cell import ROLES, GatedCell

if TYPE_CHECKING:
    from tfmini._src.graph.tensor import Tensor, TensorLike
    from tfmini._src.nn.layers.deserialize import Identifier


class SimpleRNNCell(GatedCell):
    """One step whose output and new state are activation(inputs x kernel + bias + state x recurrent_kernel).

    Args:
      units: size of output and state.
      activation: a function or its name.
      use_bias: whether to add a bias.
      kernel_initializer, recurrent_initializer, bias_initializer: initializers or their names.
      kernel_regularizer, recurrent_regularizer, bias_regularizer: functions from a weight to a loss.
      kernel_constraint, recurrent_constraint, bias_constraint: functions applied after each update.
      dropout, recurrent_dropout: fraction of inputs and states to drop in training.

    Example:
      layer = tf.keras.layers.RNN(tf.keras.layers.SimpleRNNCell(8))
    """

    _in_config = (
        *("units", "activation", "use_bias"),
        *(name for names in ROLES.values() for name in names),
        *("dropout", "recurrent_dropout"),
    )

    def __init__(
        self,
        units: int,
        activation: Identifier | None = "tanh",
        use_bias: bool = True,
        kernel_initializer: Identifier | None = "glorot_uniform",
        recurrent_initializer: Identifier | None = "orthogonal",
        bias_initializer: Identifier | None = "zeros",
        kernel_regularizer: Identifier | None = None,
        recurrent_regularizer: Identifier | None = None,
        bias_regularizer: Identifier | None = None,
        kernel_constraint: Identifier | None = None,
        recurrent_constraint: Identifier | None = None,
        bias_constraint: Identifier | None = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self._set_attributes(locals())

    def call(
        self, inputs: Tensor, states: Sequence[Tensor], training: TensorLike | None = None
    ) -> tuple[Any, list[Any]]:
        """Computes one step: maps [batch, size] and a one-state list to [batch, units] and a list of the next state."""
        previous_output = states[0]
        mask = self.get_dropout_mask_for_cell(inputs, training)
        recurrent_mask = self.get_recurrent_dropout_mask_for_cell(previous_output, training)
        h = k.dot(inputs if mask is None else inputs * mask, self.kernel)
        if self.bias is not None:
            h = bias_add(h, self.bias)
        if recurrent_mask is not None:
            previous_output = previous_output * recurrent_mask
        output = h + k.dot(previous_output, self.recurrent_kernel)
        if self.activation is not None:
            output = self.activation(output)
        return output, [output]
