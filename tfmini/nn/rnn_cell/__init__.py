"""`tf.nn.rnn_cell`: cells of recurrent networks, and what is put around them."""

from tfmini.hints import no_attributes as _no_attributes
from tfmini.rnn.basic import BasicRNNCell
from tfmini.rnn.basic_lstm import BasicLSTMCell
from tfmini.rnn.cell import LSTMStateTuple, RNNCell
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
    "MultiRNNCell",
    "RNNCell",
    "ResidualWrapper",
]

__getattr__ = _no_attributes(__name__, globals())
