"""Cells with elementwise recurrent weights: Li et al. (2018), https://arxiv.org/abs/1803.04831."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.rnn.sru_cell import static_column_count
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.nn.rnn.rnn_cell import LayerRNNCell, LSTMStateTuple
from tfmini._src.ops import ops, raw
from tfmini._src.variables.initializers import Constant, RandomUniform, Zeros


class _IndependentCell(LayerRNNCell):
    """Base class with `num_units`, an activation, and recurrent weight vectors."""

    state_size: Any = read_only("num_units.", "_num_units")
    output_size: int = read_only("num_units.", "_num_units")

    def __init__(
        self,
        num_units: int,
        activation: Callable[..., Any] | None = None,
        reuse: bool | None = None,
        kernel_initializer: Callable[..., Any] | None = None,
        bias_initializer: Callable[..., Any] | None = None,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ):
        super().__init__(_reuse=reuse, name=name, dtype=dtype)
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._activation = activation or ops.tanh
        self._kernel_initializer = kernel_initializer
        self._bias_initializer = bias_initializer

    def _state_weight(self, name: str, columns: int) -> Any:
        uniform = RandomUniform(minval=-1, maxval=1, dtype=self.dtype)
        return self.add_variable(name, shape=[1, columns], initializer=uniform)


class IndRNNCell(_IndependentCell):
    """Independently recurrent cell: output = state = activation(inputs @ kernel_w + state * kernel_u + bias).

    Inputs are [batch, depth], the state and the output [batch, num_units].

    Args:
      num_units: number of units.
      activation: activation function; by default `tf.tanh`.
      reuse: True to reuse the scope's existing variables.
      name: name of the layer and its variable scope.
      dtype: dtype of the weights; by default the dtype of the first inputs.

    Raises:
      ValueError: on call, if the inputs' depth is unknown.
    """

    @arguments_of(_IndependentCell, "kernel_initializer", "bias_initializer")
    def __init__(self, **kwargs: Any):
        super().__init__(**kwargs)

    def build(self, inputs_shape: Any) -> None:
        """Creates the weights for inputs [batch, depth]."""
        depth, units = static_column_count(inputs_shape), self._num_units
        self._kernel_w = self.add_variable("kernel_w", shape=[depth, units])
        self._kernel_u = self._state_weight("kernel_u", units)
        self._bias = self.add_variable("bias", shape=[units], initializer=Zeros(dtype=self.dtype))
        self.built = True

    def call(self, inputs: TensorLike, state: LSTMStateTuple | Tensor) -> Any:
        """Computes one step; returns (output, next state)."""
        sums = ops.matmul(inputs, self._kernel_w) + state * self._kernel_u
        output = self._activation(ops.bias_add(sums, self._bias))
        return output, output


class IndyGRUCell(_IndependentCell):
    """A GRUCell whose products with the state are elementwise, with vectors `kernel_u`.

    Inputs are [batch, depth], the state and the output [batch, num_units].

    Args:
      kernel_initializer, bias_initializer: initializers; for kernels, by default the variable scope's.
      Other arguments and errors are as in `IndRNNCell`.
    """

    def build(self, inputs_shape: Any) -> None:
        """Creates the weights for inputs [batch, depth]."""
        depth, units = static_column_count(inputs_shape), self._num_units
        bias_initializer = self._bias_initializer
        self._gate_kernel_w = self.add_variable(
            "gates/kernel_w", shape=[depth, 2 * units], initializer=self._kernel_initializer
        )
        self._gate_kernel_u = self._state_weight("gates/kernel_u", 2 * units)
        self._gate_bias = self.add_variable(
            "gates/bias",
            shape=[2 * units],
            initializer=Constant(1.0, dtype=self.dtype)
            if bias_initializer is None
            else bias_initializer,
        )
        self._candidate_kernel_w = self.add_variable(
            "candidate/kernel", shape=[depth, units], initializer=self._kernel_initializer
        )
        self._candidate_kernel_u = self._state_weight("candidate/kernel_u", units)
        self._candidate_bias = self.add_variable(
            "candidate/bias",
            shape=[units],
            initializer=Zeros(dtype=self.dtype) if bias_initializer is None else bias_initializer,
        )
        self.built = True

    def call(self, inputs: TensorLike, state: LSTMStateTuple | Tensor) -> Any:
        """Computes one step; returns (output, next state)."""
        sums = ops.matmul(inputs, self._gate_kernel_w) + (
            raw.Tile(state, [1, 2]) * self._gate_kernel_u
        )
        gates = ops.sigmoid(ops.bias_add(sums, self._gate_bias))
        r, u = ops.split(value=gates, num_or_size_splits=2, axis=1)
        reset = r * state
        sums = ops.matmul(inputs, self._candidate_kernel_w) + reset * self._candidate_kernel_u
        c = self._activation(ops.bias_add(sums, self._candidate_bias))
        state = u * state + (1 - u) * c
        return state, state


class IndyLSTMCell(_IndependentCell):
    """A BasicLSTMCell whose products with the state are elementwise, with the vector `kernel_u`.

    Inputs are [batch, depth]; the state is an LSTMStateTuple of c and h, [batch, num_units].

    Args:
      forget_bias: added to the forget gate.
      Other arguments and errors are as in `IndRNNCell` and `IndyGRUCell`.
    """

    @arguments_of(_IndependentCell)
    def __init__(self, num_units: int, forget_bias: float = 1.0, **kwargs: Any):
        super().__init__(num_units, **kwargs)
        self._forget_bias = forget_bias

    @property
    def state_size(self) -> LSTMStateTuple:
        """State sizes of c and h: both are `num_units`."""
        return LSTMStateTuple(self._num_units, self._num_units)

    def build(self, inputs_shape: Any) -> None:
        """Creates the weights for inputs [batch, depth]."""
        depth, units = static_column_count(inputs_shape), self._num_units
        bias_initializer = self._bias_initializer
        self._kernel_w = self.add_variable(
            "kernel_w", shape=[depth, 4 * units], initializer=self._kernel_initializer
        )
        self._kernel_u = self._state_weight("kernel_u", 4 * units)
        self._bias = self.add_variable(
            "bias",
            shape=[4 * units],
            initializer=Zeros(dtype=self.dtype) if bias_initializer is None else bias_initializer,
        )
        self.built = True

    def call(self, inputs: TensorLike, state: LSTMStateTuple | Tensor) -> Any:
        """Computes one step; returns (h, next state)."""
        one = ops.constant(1, dtype=dtypes.int32)
        c, h = state
        sums = ops.matmul(inputs, self._kernel_w)
        sums = sums + raw.Tile(h, [1, 4]) * self._kernel_u
        sums = ops.bias_add(sums, self._bias)
        i, j, f, o = ops.split(value=sums, num_or_size_splits=4, axis=one)
        forget_bias = ops.constant(self._forget_bias, dtype=f.dtype)
        retained = ops.multiply(c, ops.sigmoid(ops.add(f, forget_bias)))
        c = ops.add(retained, ops.multiply(ops.sigmoid(i), self._activation(j)))
        h = ops.multiply(self._activation(c), ops.sigmoid(o))
        return h, LSTMStateTuple(c, h)
