"""The full LSTM cell, with peepholes, projection, clipping and partitioned weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tfmini._src.base import logs
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.read_only import read_only
from tfmini._src.nn.layers.activations import find_activation
from tfmini._src.nn.layers.initializers import find_initializer
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.nn.rnn.basic_lstm_cell import warn_of_joined_state
from tfmini._src.nn.rnn.rnn_cell import (
    LayerRNNCell,
    LSTMStateTuple,
    check_floating,
    check_inputs,
    input_depth,
)
from tfmini._src.ops import ops
from tfmini._src.variables.initializers import Zeros
from tfmini._src.variables.partitioners import fixed_size_partitioner

if TYPE_CHECKING:
    from tfmini._src.graph.tensor import Tensor
    from tfmini._src.nn.layers.deserialize import Identifier


class LSTMCell(LayerRNNCell):
    """The LSTM cell of Gers et al. (1999), with the peepholes and projection of Sak et al. (2014).

        i, j, f, o = [inputs, m] @ kernel + bias
        c = sigmoid(f + forget_bias + w_f_diag * c) * c + sigmoid(i + w_i_diag * c) * activation(j)
        output = m = (sigmoid(o + w_o_diag * c) * activation(c)) @ projection/kernel

    `use_peepholes` enables the products with the diagonals (peepholes), `num_proj` the projection. c and m may
    be clipped. Inputs are [batch, depth], c is [batch, num_units], m and
    the output are [batch, num_proj], or [batch, num_units] without a projection.

    Args:
      num_units, forget_bias, activation, reuse, name, dtype, **kwargs: as in `BasicLSTMCell`.
      use_peepholes: whether to add peepholes from the cell state to the gates.
      cell_clip: clips c to [-cell_clip, cell_clip]; None for no clipping.
      initializer: initializer of all kernels and diagonals, or its name; by default the variable scope's.
      num_proj: the size of the projected output; None for no projection.
      proj_clip: clips the projected output to [-proj_clip, proj_clip]; None for no clipping.
      num_unit_shards, num_proj_shards: number of partitions of kernel and projection; deprecated.
      state_is_tuple: whether the state is an LSTMStateTuple; else c and m are concatenated, which warns.

    Raises:
      ValueError: if the dtype is neither floating-point nor complex; when called, also if the depth is
        not known statically.

    Example: `outputs, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(64), x, dtype=tf.float32)`.
    """

    output_size: int = read_only("num_proj, or num_units without a projection.")
    state_size: Any = read_only(
        "An LSTMStateTuple of num_units and the output's size, or their sum."
    )

    _kept = (
        *("num_units", "use_peepholes", "cell_clip", "initializer", "num_proj", "proj_clip"),
        *(
            "num_unit_shards",
            "num_proj_shards",
            "forget_bias",
            "state_is_tuple",
            "activation",
            "reuse",
        ),
    )

    @deprecated(
        None,
        "This class is equivalent as tf.keras.layers.LSTMCell, and will be replaced by that in "
        "Tensorflow 2.0.",
    )
    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        cell_clip: float | None = None,
        initializer: Callable[..., Any] | None = None,
        num_proj: int | None = None,
        proj_clip: float | None = None,
        num_unit_shards: int | None = None,
        num_proj_shards: int | None = None,
        forget_bias: float = 1.0,
        state_is_tuple: bool = True,
        activation: Identifier | None = None,
        reuse: bool | None = None,
        name: str | None = None,
        dtype: DTypeLike | None = None,
        **kwargs: Any,
    ):
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        check_floating(self.dtype)
        if not state_is_tuple:
            warn_of_joined_state(self)
        if num_unit_shards is not None or num_proj_shards is not None:
            logs.warn(
                "%s: The num_unit_shards and proj_unit_shards parameters are deprecated and will be "
                "removed in Jan 2017.  Use a variable scope with a partitioner instead.",
                self,
            )
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._cell_clip = cell_clip
        self._initializer = find_initializer(initializer)
        self._num_proj = num_proj
        self._proj_clip = proj_clip
        self._num_unit_shards = num_unit_shards
        self._num_proj_shards = num_proj_shards
        self._forget_bias = forget_bias
        self._state_is_tuple = state_is_tuple
        self._activation = find_activation(activation) if activation else ops.tanh
        self._output_size = num_proj or num_units
        sizes = LSTMStateTuple(num_units, self._output_size)
        self._state_size = sizes if state_is_tuple else sum(sizes)

    def build(self, input_shape: Any) -> None:
        """Creates the weights for inputs [batch, depth]."""
        depth = input_depth(input_shape)
        check_floating(self.dtype)
        units, projected = self._num_units, self._num_proj
        initializer = self._initializer
        self._kernel = self.add_variable(
            "kernel",
            shape=[depth + (units if projected is None else projected), 4 * units],
            initializer=initializer,
            partitioner=_partitioner(self._num_unit_shards),
        )
        zeros = Zeros if self.dtype is None else Zeros(dtype=self.dtype)
        self._bias = self.add_variable("bias", shape=[4 * units], initializer=zeros)
        if self._use_peepholes:
            self._w_f_diag = self.add_variable("w_f_diag", shape=[units], initializer=initializer)
            self._w_i_diag = self.add_variable("w_i_diag", shape=[units], initializer=initializer)
            self._w_o_diag = self.add_variable("w_o_diag", shape=[units], initializer=initializer)
        if projected is not None:
            self._proj_kernel = self.add_variable(
                "projection/kernel",
                shape=[units, projected],
                initializer=initializer,
                partitioner=_partitioner(self._num_proj_shards),
            )
        self.built = True

    @property
    def _matmul_weights(self) -> Any:
        """Returns the weight matrix of the gates: the kernel, or a subclass's replacement."""
        return self._kernel

    def call(self, inputs: Tensor, state: LSTMStateTuple | Tensor) -> Any:
        """Computes one step; returns (m, next state)."""
        check_inputs(inputs, state)
        if self._state_is_tuple:
            c, m = state
        else:
            size = self._num_units if self._num_proj is None else self._num_proj
            c = ops.slice(state, [0, 0], [-1, self._num_units])
            m = ops.slice(state, [0, self._num_units], [-1, size])
        if inputs.shape.with_rank(2).dims[1].value is None:
            raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
        sums = ops.matmul(ops.concat([inputs, m], 1), self._matmul_weights)
        sums = ops.bias_add(sums, self._bias)
        i, j, f, o = ops.split(value=sums, num_or_size_splits=4, axis=1)
        sigmoid, activation = ops.sigmoid, self._activation
        if self._use_peepholes:
            retained = sigmoid(f + self._forget_bias + self._w_f_diag * c) * c
            c = retained + sigmoid(i + self._w_i_diag * c) * activation(j)
        else:
            retained = sigmoid(f + self._forget_bias) * c
            c = retained + sigmoid(i) * activation(j)
        if self._cell_clip is not None:
            c = ops.clip_by_value(c, -self._cell_clip, self._cell_clip)
        if self._use_peepholes:
            m = sigmoid(o + self._w_o_diag * c) * activation(c)
        else:
            m = sigmoid(o) * activation(c)
        if self._num_proj is not None:
            m = ops.matmul(m, self._proj_kernel)
            if self._proj_clip is not None:
                m = ops.clip_by_value(m, -self._proj_clip, self._proj_clip)
        return m, LSTMStateTuple(c, m) if self._state_is_tuple else ops.concat([c, m], 1)


def _partitioner(count: int | None) -> Any:
    return None if count is None else fixed_size_partitioner(count)
