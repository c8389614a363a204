"""`tf.contrib.seq2seq`: step-by-step sequence decoding: decoders, helpers, attention, beam search."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
