"""Base class of cells with `units`: their arguments, and dropout of inputs and recurrent state."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.backend.learning_phase import in_train_phase
from tfmini._src.nn.layers.backend.random_numbers import dropout
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.keras.recurrent.cell_states import zeros_of_cell
from tfmini._src.nn.layers.layer_arguments import set_objects
from tfmini._src.ops import ops

ROLES = {
    role: tuple(f"{weight}_{role}" for weight in ("kernel", "recurrent", "bias"))
    for role in ("initializer", "regularizer", "constraint")
}


class GatedCell(Layer):
    """Base class of cells with `units`; each weight consists of one block per gate, `_gates` in all."""

    units: int
    use_bias: bool
    activation: Any
    dropout: float
    recurrent_dropout: float
    state_size: Any
    output_size: int
    _gates = 1

    def _set_attributes(self, arguments: dict[str, Any]) -> None:
        """Sets the attributes from `locals()` of `__init__`, its arguments."""
        self.units = self.state_size = self.output_size = arguments["units"]
        self.use_bias = arguments["use_bias"]
        self.dropout, self.recurrent_dropout = (
            min(1.0, max(0.0, arguments[name])) for name in ("dropout", "recurrent_dropout")
        )
        set_objects(self, arguments)
        self.reset_dropout_mask()
        self.reset_recurrent_dropout_mask()

    def build(self, input_shape: Any) -> None:
        """Creates `kernel`, `recurrent_kernel` and `bias`."""
        self.kernel = self._add_role_weight("kernel", (input_shape[-1], self.units * self._gates))
        self.recurrent_kernel = self._add_role_weight(
            "recurrent", (self.units, self.units * self._gates), "recurrent_kernel"
        )
        self.bias = self._add_role_weight("bias", self._bias_shape()) if self.use_bias else None
        self.built = True

    def _bias_shape(self) -> tuple[int, ...]:
        return (self.units * self._gates,)

    def get_initial_state(
        self,
        inputs: Tensor | None = None,
        batch_size: TensorLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> Any:
        """Returns zeros [batch_size, units]; batch size and dtype default to the values of `inputs`.

        Raises:
          ValueError: if either is unknown.
        """
        return zeros_of_cell(self, inputs, batch_size, dtype)

    def reset_dropout_mask(self) -> None:
        """Discards the dropout mask of the inputs; the next step draws a new one."""
        vars(self)["_dropout_mask"] = None

    def reset_recurrent_dropout_mask(self) -> None:
        """Discards the dropout mask of the state; the next step draws a new one."""
        vars(self)["_recurrent_dropout_mask"] = None

    def get_dropout_mask_for_cell(
        self, inputs: Tensor, training: TensorLike, count: int = 1
    ) -> Any:
        """Returns the dropout mask of the inputs, which is the same in all steps.

        Args:
          inputs: a tensor of the shape of the mask.
          training: whether the call is for training; None for the learning phase.
          count: number of masks; more than one are returned as a list.

        Returns:
          The masks; None without dropout.
        """
        return self._mask_for("_dropout_mask", self.dropout, inputs, training, count)

    def get_recurrent_dropout_mask_for_cell(
        self, inputs: Tensor, training: TensorLike, count: int = 1
    ) -> Any:
        """Returns the recurrent state's dropout mask, the same in all steps; see `get_dropout_mask_for_cell`."""
        rate = self.recurrent_dropout
        return self._mask_for("_recurrent_dropout_mask", rate, inputs, training, count)

    def _mask_for(
        self, attribute_name: str, rate: float, inputs: Any, training: Any, count: int
    ) -> Any:
        if rate == 0:
            return None
        if vars(self)[attribute_name] is None:
            dropout_mask = draw_masks(rate, inputs, training, count)
            vars(self)[attribute_name] = dropout_mask if count > 1 else dropout_mask[0]
        return vars(self)[attribute_name]


def draw_masks(rate: float, inputs: Any, training: Any, count: int) -> list:
    """Draws dropout masks of the shape of the inputs; outside training, they are all ones."""
    ones = ops.ones_like(inputs)
    return [
        in_train_phase(lambda: dropout(ones, rate), ones, training=training) for _ in range(count)
    ]


def apply_gate_masks(tensor: Any, masks: Any, rate: float, count: int) -> list:
    """Returns `tensor` multiplied by the dropout mask of each gate, or repeated for each gate without masks."""
    if 0.0 < rate < 1.0:
        return [tensor * masks[n] for n in range(count)]
    return [tensor] * count
