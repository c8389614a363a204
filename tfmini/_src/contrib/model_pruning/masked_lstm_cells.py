"""LSTM cells whose weights are multiplied by a mask."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.model_pruning.masks import MASKED_NAME, collect, is_known
from tfmini._src.nn.rnn.basic_lstm_cell import BasicLSTMCell
from tfmini._src.nn.rnn.lstm_cell import LSTMCell
from tfmini._src.ops import ops
from tfmini._src.variables.initializers import Ones, Zeros


class _MaskMixin:
    """Mixin that replaces a cell's kernel with a masked kernel."""

    _matmul_weights: Any = read_only(attribute="_masked_kernel")

    def build(self: Any, inputs_shape: Any) -> None:
        """Creates the weights for inputs [batch, depth], their mask and its threshold."""
        super().build(inputs_shape)  # type: ignore[misc]
        self.built = False
        depth, units = inputs_shape.dims[1].value, self._num_units
        self._mask = self.add_variable(
            name="mask",
            shape=[depth + units, 4 * units],
            initializer=Ones(),
            trainable=False,
            dtype=self.dtype,
        )
        self._threshold = self.add_variable(
            name="threshold", shape=[], initializer=Zeros(), trainable=False, dtype=self.dtype
        )
        self._masked_kernel = ops.multiply(self._mask, self._kernel, MASKED_NAME)
        if not is_known(self._mask):
            collect(self._mask, self._masked_kernel, self._threshold, self._kernel)
        self.built = True


class MaskedBasicLSTMCell(_MaskMixin, BasicLSTMCell):
    """`tf.nn.rnn_cell.BasicLSTMCell` with weights masked by `Pruning`.

    Args:
      num_units, forget_bias, state_is_tuple, activation, reuse, name: as in `BasicLSTMCell`.

    Example: `tf.nn.dynamic_rnn(tf.contrib.model_pruning.MaskedBasicLSTMCell(64), x, dtype=tf.float32)`.
    """

    @arguments_of(BasicLSTMCell, "dtype", "kwargs")
    def __init__(self, *args: Any):
        super().__init__(*args)


class MaskedLSTMCell(_MaskMixin, LSTMCell):
    """`tf.nn.rnn_cell.LSTMCell` with weights masked by `Pruning`.

    Args:
      num_units, use_peepholes, cell_clip, initializer, num_proj, proj_clip, num_unit_shards, num_proj_shards,
        forget_bias, state_is_tuple, activation, reuse: as in `LSTMCell`.
    """

    @arguments_of(LSTMCell, "name", "dtype", "kwargs")
    def __init__(self, *args: Any):
        super().__init__(*args)
