"""`tensorflow.python.ops.rnn_cell_impl`: cells, and what programs use to make their own."""

from tfmini.rnn.basic import BasicRNNCell
from tfmini.rnn.basic_lstm import BasicLSTMCell
from tfmini.rnn.cell import LayerRNNCell, LSTMStateTuple, RNNCell
from tfmini.rnn.checks import check_cell as assert_like_rnncell
from tfmini.rnn.dropout import DropoutWrapper
from tfmini.rnn.gru import GRUCell
from tfmini.rnn.lstm import LSTMCell
from tfmini.rnn.stacked import MultiRNNCell
from tfmini.rnn.wrappers import DeviceWrapper, ResidualWrapper

__all__ = [
    "BasicLSTMCell",
    "BasicRNNCell",
    "DeviceWrapper",
    "DropoutWrapper",
    "GRUCell",
    "LSTMCell",
    "LSTMStateTuple",
    "LayerRNNCell",
    "MultiRNNCell",
    "RNNCell",
    "ResidualWrapper",
    "assert_like_rnncell",
]
