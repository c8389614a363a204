"""The functions that apply a cell along time."""

from tfmini.rnn.bidirectional import bidirectional_dynamic_rnn, static_bidirectional_rnn
from tfmini.rnn.dynamic import dynamic_rnn
from tfmini.rnn.raw import raw_rnn
from tfmini.rnn.state_saving import static_state_saving_rnn
from tfmini.rnn.static import static_rnn

__all__ = [
    "bidirectional_dynamic_rnn",
    "dynamic_rnn",
    "raw_rnn",
    "static_bidirectional_rnn",
    "static_rnn",
    "static_state_saving_rnn",
]
