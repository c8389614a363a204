"""A highway connection that bypasses a cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfmini._src.base.nest.structure import assert_same_structure, map_structure
from tfmini._src.contrib.rnn.projection_wrappers import CellWrapper
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import VariableScope, get_variable
from tfmini._src.variables.initializers import Constant

if TYPE_CHECKING:
    from tfmini._src.nn.rnn.rnn_cell import RNNCell


class HighwayWrapper(CellWrapper):
    """Wraps a cell in a highway connection, Srivastava et al. (2015), https://arxiv.org/abs/1505.00387.

        carry = sigmoid(inputs @ carry_w + carry_b)
        outputs = inputs * carry + cell(inputs) * transform, where transform is 1 - carry

    Inputs and outputs must have the same structure and shapes. Variables are created in the calling scope.

    Args:
      cell: the cell.
      couple_carry_transform_gates: whether transform is 1 - carry instead of a separate gate.
      carry_bias_init: initial bias of the carry gate; the transform gate's bias is its negative.
    """

    def __init__(
        self,
        cell: RNNCell,
        couple_carry_transform_gates: bool = True,
        carry_bias_init: float = 1.0,
    ):
        self._cell = cell
        self._couple_carry_transform_gates = couple_carry_transform_gates
        self._carry_bias_init = carry_bias_init

    def __call__(
        self, inputs: TensorLike, state: Any, scope: str | VariableScope | None = None
    ) -> Any:
        """Computes one step and returns (output, next state). `scope` is passed to the cell."""
        outputs, state = self._cell(inputs, state, scope=scope)
        assert_same_structure(inputs, outputs)
        map_structure(lambda x, y: x.shape.assert_is_compatible_with(y.shape), inputs, outputs)
        return map_structure(self._highway, inputs, outputs), state

    def _highway(self, x: Any, y: Any) -> Any:
        size = x.shape.with_rank(2).dims[1].value
        carry = self._gate("carry", x, size, self._carry_bias_init)
        if self._couple_carry_transform_gates:
            transform = 1 - carry
        else:
            transform = self._gate("transform", x, size, -self._carry_bias_init)
        return x * carry + y * transform

    def _gate(self, name: str, x: Any, size: int, bias: float) -> Any:
        weights = get_variable(f"{name}_w", [size, size])
        biases = get_variable(f"{name}_b", [size], initializer=Constant(bias))
        return ops.sigmoid(ops.xw_plus_b(x, weights, biases))
