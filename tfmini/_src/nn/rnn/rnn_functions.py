"""Functions that apply a cell along time."""

from tfmini._src.nn.rnn.bidirectional_rnn import bidirectional_dynamic_rnn, static_bidirectional_rnn
from tfmini._src.nn.rnn.dynamic_rnn import dynamic_rnn
from tfmini._src.nn.rnn.raw_rnn import raw_rnn
from tfmini._src.nn.rnn.state_saving_rnn import static_state_saving_rnn
from tfmini._src.nn.rnn.static_rnn import static_rnn

__all__ = [
    "bidirectional_dynamic_rnn",
    "dynamic_rnn",
    "raw_rnn",
    "static_bidirectional_rnn",
    "static_rnn",
    "static_state_saving_rnn",
]
