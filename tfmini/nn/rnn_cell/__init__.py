"""`tf.nn.rnn_cell`: cells of recurrent networks, and what is put around them."""

from tfmini.names.namespaces import namespace as _namespace
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

_namespace(globals())
