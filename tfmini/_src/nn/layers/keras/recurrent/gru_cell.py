"""GRUCell: one step of a gated recurrent unit, with three gates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.backend import array_functions as k
from tfmini._src.nn.layers.backend.spatial_functions import bias_add
from tfmini._src.nn.layers.keras.recurrent.base_cell import ROLES, GatedCell, apply_gate_masks
from tfmini._src.nn.layers.keras.recurrent.simple_rnn_cell import SimpleRNNCell
from tfmini._src.ops import ops


class GRUCell(GatedCell):
    """One step of a GRU; each weight holds the update gate, reset gate and candidate, in this order.

    Args:
      units: size of output and state.
      reset_after: whether the reset gate applies after the product with the recurrent kernel, which then has a separate
        bias.
      Other arguments are as in `LSTMCell`.

    Example:
      layer = tf.keras.layers.RNN(tf.keras.layers.GRUCell(8))
    """

    _gates = 3
    _in_config = (
        *("units", "activation", "recurrent_activation", "use_bias"),
        *(name for names in ROLES.values() for name in names),
        *("dropout", "recurrent_dropout", "implementation", "reset_after"),
    )
    recurrent_activation: Any

    @arguments_of(SimpleRNNCell)
    def __init__(
        self,
        activation: Any = "tanh",
        recurrent_activation: Any = "hard_sigmoid",
        recurrent_dropout: float = 0.0,
        implementation: int = 1,
        reset_after: bool = False,
        **arguments: Any,
    ):
        super().__init__(**arguments["kwargs"])
        self._set_attributes({**locals(), **arguments})
        self.implementation = implementation
        self.reset_after = reset_after

    def _bias_shape(self) -> tuple[int, ...]:
        return (2, 3 * self.units) if self.reset_after else (3 * self.units,)

    def call(
        self, inputs: Tensor, states: Sequence[Tensor], training: TensorLike | None = None
    ) -> tuple[Any, list[Any]]:
        """Computes one step: maps [batch, size] and a one-state list to [batch, units] and a list of the next state."""
        h = states[0]
        masks = self.get_dropout_mask_for_cell(inputs, training, count=3)
        recurrent_masks = self.get_recurrent_dropout_mask_for_cell(h, training, count=3)
        biases: tuple = (None, None)
        if self.use_bias:
            biases = tuple(ops.unstack(self.bias)) if self.reset_after else (self.bias, None)
        if self.implementation == 1:
            z, candidate = self._matmul_per_gate(inputs, h, masks, recurrent_masks, *biases)
        else:
            if 0.0 < self.dropout < 1.0:
                inputs = inputs * masks[0]
            projected = k.dot(inputs, self.kernel)
            if self.use_bias:
                projected = bias_add(projected, biases[0])
            parts = self._columns(projected)
            if 0.0 < self.recurrent_dropout < 1.0:
                h = h * recurrent_masks[0]
            z, candidate = self._single_matmul(parts, h, biases[1])
        retained = z * h
        h = retained + (1 - z) * candidate
        return h, [h]

    def _columns(self, tensor: Any) -> list:
        """Returns the kernel and bias columns of the three gates."""
        units = self.units
        return [tensor[:, :units], tensor[:, units : units * 2], tensor[:, units * 2 :]]

    def _matmul_per_gate(
        self, inputs: Any, h: Any, masks: Any, recurrent_masks: Any, bias: Any, recurrent_bias: Any
    ) -> tuple:
        units, kernel, weight = self.units, self.kernel, self.recurrent_kernel
        parts = apply_gate_masks(inputs, masks, self.dropout, 3)
        slices = (slice(None, units), slice(units, units * 2), slice(units * 2, None))
        parts = [k.dot(part, kernel[:, gate]) for part, gate in zip(parts, slices)]
        if self.use_bias:
            parts = [bias_add(part, bias[gate]) for part, gate in zip(parts, slices)]
        masked_states = apply_gate_masks(h, recurrent_masks, self.recurrent_dropout, 3)
        z_gate, r_gate = (k.dot(masked_states[n], weight[:, slices[n]]) for n in (0, 1))
        if self.reset_after and self.use_bias:
            z_gate, r_gate = (
                bias_add(product, recurrent_bias[gate])
                for product, gate in zip((z_gate, r_gate), slices)
            )
        z = self.recurrent_activation(parts[0] + z_gate)
        r = self.recurrent_activation(parts[1] + r_gate)
        if self.reset_after:
            candidate_part = k.dot(masked_states[2], weight[:, slices[2]])
            if self.use_bias:
                candidate_part = bias_add(candidate_part, recurrent_bias[slices[2]])
            candidate_part = r * candidate_part
        else:
            candidate_part = k.dot(r * masked_states[2], weight[:, slices[2]])
        return z, self.activation(parts[2] + candidate_part)

    def _single_matmul(self, parts: list, h: Any, recurrent_bias: Any) -> tuple:
        units, weight = self.units, self.recurrent_kernel
        if self.reset_after:
            inner = k.dot(h, weight)
            if self.use_bias:
                inner = bias_add(inner, recurrent_bias)
        else:
            inner = k.dot(h, weight[:, : 2 * units])
        z_gate, r_gate = inner[:, :units], inner[:, units : 2 * units]
        z = self.recurrent_activation(parts[0] + z_gate)
        r = self.recurrent_activation(parts[1] + r_gate)
        if self.reset_after:
            candidate_part = r * inner[:, 2 * units :]
        else:
            candidate_part = k.dot(r * h, weight[:, 2 * units :])
        return z, self.activation(parts[2] + candidate_part)
