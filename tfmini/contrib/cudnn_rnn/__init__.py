"""`tf.contrib.cudnn_rnn`: cuDNN recurrent layers, which require a GPU, and equivalent cells for any device."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
