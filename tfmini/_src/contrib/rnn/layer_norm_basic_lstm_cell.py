"""An LSTM cell with layer normalization, and dropout of its new input."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.rnn.layer_norm import layer_normalized
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.rnn.rnn_cell import LSTMStateTuple, RNNCell
from tfmini._src.ops import ops
from tfmini._src.ops.math.exponentials import tanh
from tfmini._src.variables.get_variable import get_variable


class LayerNormBasicLSTMCell(RNNCell):
    """An LSTM cell with normalized gates, new input and cell state, https://arxiv.org/abs/1607.06450.

        i, j, f, o = norm([inputs, h] @ kernel), each with its own gamma and beta
        c = norm(c * sigmoid(f + forget_bias) + sigmoid(i) * dropout(activation(j)))
        output = h = activation(c) * sigmoid(o)

    The dropout follows Semeniuta et al. (2016), https://arxiv.org/abs/1603.05118. Inputs are [batch,
    depth], c, h and the output [batch, num_units].

    Args:
      num_units: number of units.
      forget_bias: added to the forget gate.
      input_size: ignored, with a warning.
      activation: activation function.
      layer_norm: whether to apply layer normalization instead of a bias.
      norm_gain, norm_shift: initial gammas and betas.
      dropout_keep_prob: probability of keeping elements of the new input, a number or scalar tensor; 1 disables
        dropout.
      dropout_prob_seed: dropout seed.
      reuse: True to reuse the scope's existing variables.
    """

    output_size: int = read_only("num_units.", "_num_units")

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        input_size: int | None = None,
        activation: Callable[..., Any] = tanh,
        layer_norm: bool = True,
        norm_gain: float = 1.0,
        norm_shift: float = 0.0,
        dropout_keep_prob: TensorLike = 1.0,
        dropout_prob_seed: int | None = None,
        reuse: bool | None = None,
    ):
        super().__init__(_reuse=reuse)
        if input_size is not None:
            logs.warn("%s: The input_size parameter is deprecated.", self)
        self._num_units = num_units
        self._activation = activation
        self._forget_bias = forget_bias
        self._keep_prob = dropout_keep_prob
        self._seed = dropout_prob_seed
        self._layer_norm = layer_norm
        self._norm_gain = norm_gain
        self._norm_shift = norm_shift
        self._reuse = reuse

    @property
    def state_size(self) -> LSTMStateTuple:
        """State sizes of c and h: both are `num_units`."""
        return LSTMStateTuple(self._num_units, self._num_units)

    def _norm(self, x: Any, scope: str, dtype: Any) -> Any:
        if not self._layer_norm:
            return x
        return layer_normalized(x, scope, self._norm_gain, self._norm_shift, dtype)

    def call(self, inputs: TensorLike, state: Any) -> Any:
        """Computes one step; returns (h, next state)."""
        c, h = state
        args = ops.concat([inputs, h], 1)
        dtype = args.dtype
        size = 4 * self._num_units
        sums = ops.matmul(args, get_variable("kernel", [args.shape[-1], size], dtype=dtype))
        if not self._layer_norm:
            sums = ops.bias_add(sums, get_variable("bias", [size], dtype=dtype))
        i, j, f, o = ops.split(value=sums, num_or_size_splits=4, axis=1)
        i = self._norm(i, "input", dtype)
        j = self._norm(j, "transform", dtype)
        f = self._norm(f, "forget", dtype)
        o = self._norm(o, "output", dtype)
        g = self._activation(j)
        if not isinstance(self._keep_prob, float) or self._keep_prob < 1:
            g = ops.dropout(g, self._keep_prob, seed=self._seed)
        c = c * ops.sigmoid(f + self._forget_bias) + ops.sigmoid(i) * g
        c = self._norm(c, "state", dtype)
        h = self._activation(c) * ops.sigmoid(o)
        return h, LSTMStateTuple(c, h)
