"""`tf.nn.rnn_cell`: cells of recurrent networks, and what is put around them."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
