"""`tf.contrib.rnn`: functions that apply cells along time."""

from tfmini.contrib.rnn.stacks import stack_bidirectional_dynamic_rnn, stack_bidirectional_rnn
from tfmini.hints import no_attributes as _no_attributes
from tfmini.rnn.sizes import batch_size_of as best_effort_input_batch_size
from tfmini.rnn.sizes import with_batch_first as transpose_batch_time
from tfmini.rnn.unrolling import (
    static_bidirectional_rnn,
    static_rnn,
    static_state_saving_rnn,
)

__all__ = [
    "best_effort_input_batch_size",
    "stack_bidirectional_dynamic_rnn",
    "stack_bidirectional_rnn",
    "static_bidirectional_rnn",
    "static_rnn",
    "static_state_saving_rnn",
    "transpose_batch_time",
]

__getattr__ = _no_attributes(__name__, globals())
