"""LSTMCell: one step of a long short-term memory, with four gates and a carry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.backend import array_functions as k
from tfmini._src.nn.layers.backend.spatial_functions import bias_add
from tfmini._src.nn.layers.keras.recurrent.base_cell import ROLES, GatedCell, apply_gate_masks
from tfmini._src.nn.layers.keras.recurrent.simple_rnn_cell import SimpleRNNCell
from tfmini._src.ops import ops
from tfmini._src.variables.initializers import Ones
from tfmini._src.variables.trackable import NoDependency


class LSTMCell(GatedCell):
    """One step of an LSTM; each weight holds the input gate, forget gate, candidate and output gate, in this order.

    Args:
      units: the size of output, state and carry.
      activation, recurrent_activation: activation functions or their names; the second is for the gates.
      use_bias: whether to add a bias.
      kernel_initializer, recurrent_initializer, bias_initializer: initializers or their names.
      unit_forget_bias: whether to initialize the forget gate's bias with ones.
      kernel_regularizer, recurrent_regularizer, bias_regularizer: functions from a weight to a loss.
      kernel_constraint, recurrent_constraint, bias_constraint: functions applied after each update.
      dropout, recurrent_dropout: fraction of inputs and states to drop in training.
      implementation: 1 for one product per gate, 2 for a single product of all gates.

    Example:
      layer = tf.keras.layers.RNN(tf.keras.layers.LSTMCell(8))
    """

    _gates = 4
    _in_config: tuple[str, ...] = (
        *("units", "activation", "recurrent_activation", "use_bias"),
        *(*ROLES["initializer"], "unit_forget_bias"),
        *(*ROLES["regularizer"], *ROLES["constraint"]),
        *("dropout", "recurrent_dropout", "implementation"),
    )
    recurrent_activation: Any

    @arguments_of(SimpleRNNCell)
    def __init__(
        self,
        units: int,
        activation: Any = "tanh",
        recurrent_activation: Any = "hard_sigmoid",
        bias_initializer: Any = "zeros",
        unit_forget_bias: bool = True,
        recurrent_dropout: float = 0.0,
        implementation: int = 1,
        **arguments: Any,
    ):
        super().__init__(**arguments["kwargs"])
        self._set_attributes({**locals(), **arguments})
        self.state_size: Any = NoDependency([units, units])
        self.unit_forget_bias = unit_forget_bias
        self.implementation = implementation

    def _role_initializer(self, role: str) -> Any:
        bias_initializer = super()._role_initializer(role)
        if role != "bias" or not self.unit_forget_bias:
            return bias_initializer

        def initializer(_: Any, *args: Any, **kwargs: Any) -> Any:
            parts = [
                bias_initializer((self.units,), *args, **kwargs),
                Ones()((self.units,), *args, **kwargs),
                bias_initializer((self.units * 2,), *args, **kwargs),
            ]
            return k.concatenate(parts)

        return initializer

    def get_initial_state(
        self,
        inputs: Tensor | None = None,
        batch_size: TensorLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> Any:
        """Returns zeros for state and carry, [batch_size, units] each; size and dtype default to `inputs`."""
        return list(super().get_initial_state(inputs, batch_size, dtype))

    def call(
        self, inputs: Tensor, states: Sequence[Tensor], training: TensorLike | None = None
    ) -> tuple[Any, list[Any]]:
        """Computes one step: maps [batch, size] and [state, carry] to [batch, units] and the new state and carry."""
        h, c = states[0], states[1]
        masks = self.get_dropout_mask_for_cell(inputs, training, count=4)
        recurrent_masks = self.get_recurrent_dropout_mask_for_cell(h, training, count=4)
        if self.implementation == 1:
            carry, gate = self._matmul_per_gate(inputs, h, c, masks, recurrent_masks)
        else:
            carry, gate = self._single_matmul(inputs, h, c, masks, recurrent_masks)
        h = gate * self.activation(carry)
        return h, [h, carry]

    def _matmul_per_gate(
        self, inputs: Any, h: Any, c: Any, masks: Any, recurrent_masks: Any
    ) -> tuple:
        parts = apply_gate_masks(inputs, masks, self.dropout, 4)
        kernels = ops.split(self.kernel, num_or_size_splits=4, axis=1)
        parts = [k.dot(part, kernel) for part, kernel in zip(parts, kernels)]
        if self.use_bias:
            biases = ops.split(self.bias, num_or_size_splits=4, axis=0)
            parts = [bias_add(part, bias) for part, bias in zip(parts, biases)]
        masked_states = apply_gate_masks(h, recurrent_masks, self.recurrent_dropout, 4)
        units, weight = self.units, self.recurrent_kernel
        i = self._gate("input", parts[0] + k.dot(masked_states[0], weight[:, :units]), c)
        f = self._gate(
            "forget", parts[1] + k.dot(masked_states[1], weight[:, units : units * 2]), c
        )
        retained = f * c
        candidate = self.activation(
            parts[2] + k.dot(masked_states[2], weight[:, units * 2 : units * 3])
        )
        carry = retained + i * candidate
        o = self._gate("output", parts[3] + k.dot(masked_states[3], weight[:, units * 3 :]), carry)
        return carry, o

    def _single_matmul(
        self, inputs: Any, h: Any, c: Any, masks: Any, recurrent_masks: Any
    ) -> tuple:
        if 0.0 < self.dropout < 1.0:
            inputs = inputs * masks[0]
        z = k.dot(inputs, self.kernel)
        if 0.0 < self.recurrent_dropout < 1.0:
            h = h * recurrent_masks[0]
        z += k.dot(h, self.recurrent_kernel)
        if self.use_bias:
            z = bias_add(z, self.bias)
        parts = ops.split(z, num_or_size_splits=4, axis=1)
        i = self._gate("input", parts[0], c)
        f = self._gate("forget", parts[1], c)
        retained = f * c
        carry = retained + i * self.activation(parts[2])
        return carry, self._gate("output", parts[3], carry)

    def _gate(self, name: str, z: Any, carry: Any) -> Any:
        return self.recurrent_activation(z)


class PeepholeLSTMCell(LSTMCell):
    """One step of an LSTM whose gates also depend on the carry, through one weight per unit.

    Used with `tf.keras.layers.RNN`; the arguments are as in `tf.keras.layers.LSTMCell`. For the formulas, see
    Gers and Schmidhuber, "Recurrent Nets that Time and Count" (2000); there are no weights between units.

    Raises:
      TypeError, ValueError: as for `tf.keras.layers.LSTMCell`.

    Example:
      cell = tf.keras.experimental.PeepholeLSTMCell(8)
      outputs = tf.keras.layers.RNN(cell)(tf.keras.Input([10, 4]))  # [batch, 8]
    """

    def build(self, input_shape: ShapeLike) -> None:
        """Creates the weights; the peepholes come last."""
        super().build(input_shape)
        self._peepholes = {
            gate: self.add_weight(
                shape=(self.units,),
                name=f"{gate}_gate_peephole_weights",
                initializer=self._role_initializer("kernel"),
            )
            for gate in ("input", "forget", "output")
        }
        self.input_gate_peephole_weights = self._peepholes["input"]
        self.forget_gate_peephole_weights = self._peepholes["forget"]
        self.output_gate_peephole_weights = self._peepholes["output"]

    def _gate(self, name: str, z: Any, carry: Any) -> Any:
        return super()._gate(name, z + self._peepholes[name] * carry, carry)
