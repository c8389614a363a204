"""A GRU cell whose step is a single op."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.deprecation import deprecated_args
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape, dimension_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.nn.rnn.rnn_cell import LayerRNNCell
from tfmini._src.ops import raw
from tfmini._src.variables.initializers import Constant


class GRUBlockCell(LayerRNNCell):
    """Gated recurrent unit, http://arxiv.org/abs/1406.1078, whose step is a single op, `GRUBlockCell`.

    Inputs are [batch, depth], the state and the output [batch, num_units]. The variables are `w_ru`:
    [depth + num_units, 2 * num_units], `w_c`: [depth + num_units, num_units], and their biases `b_ru`, initially 1, and
    `b_c`, initially 0.

    Args:
      num_units: number of units.
      cell_size: older name of `num_units`.
      reuse: True to reuse the scope's existing variables.
      name: name of the layer and its variable scope.

    Raises:
      ValueError: unless exactly one of `num_units` and `cell_size` is given; on call, if the depth is unknown or the
        state size differs.
    """

    state_size: Any = read_only("num_units.", "_cell_size")
    output_size: Any = read_only("num_units.", "_cell_size")
    _names = ("w_ru", "b_ru", "w_c", "b_c")

    @deprecated_args(None, "cell_size is deprecated, use num_units instead", "cell_size")
    def __init__(
        self,
        num_units: int | None = None,
        cell_size: int | None = None,
        reuse: bool | None = None,
        name: str = "gru_cell",
    ):
        super().__init__(_reuse=reuse, name=name)
        if (cell_size is None) == (num_units is None):
            raise ValueError("Exactly one of num_units or cell_size must be provided.")
        self._cell_size: Any = cell_size if num_units is None else num_units
        self.input_spec = InputSpec(ndim=2)

    def build(self, input_shape: Any) -> None:
        """Creates kernels and biases for inputs [batch, depth]."""
        depth = dimension_value(TensorShape(input_shape)[1])
        if depth is None:
            raise ValueError("Expecting input_size to be set.")
        gates, gates_bias, candidate, candidate_bias = self._names
        rows, units = depth + self._cell_size, self._cell_size
        self._gate_kernel = self.add_variable(gates, [rows, units * 2])
        self._gate_bias = self.add_variable(gates_bias, [units * 2], initializer=Constant(1.0))
        self._candidate_kernel = self.add_variable(candidate, [rows, units])
        self._candidate_bias = self.add_variable(candidate_bias, [units], initializer=Constant(0.0))
        self.built = True

    def call(self, inputs: TensorLike, h_prev: Tensor) -> Any:
        """Computes one step; returns (output, next state)."""
        size = h_prev.shape.with_rank(2)[1]
        if size != self._cell_size:
            raise ValueError(f"Shape of h_prev[1] incorrect: cell_size {self._cell_size} vs {size}")
        step = raw.GRUBlockCell(
            inputs,
            h_prev,
            self._gate_kernel,
            self._candidate_kernel,
            self._gate_bias,
            self._candidate_bias,
        )
        return step.h, step.h


class GRUBlockCellV2(GRUBlockCell):
    """A GRUBlockCell with GRUCell's variable names: `gates/kernel`, `candidate/bias` ..."""

    _names = ("gates/kernel", "gates/bias", "candidate/kernel", "candidate/bias")
