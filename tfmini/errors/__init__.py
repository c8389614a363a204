"""Exceptions raised when a graph fails: one class for each of TensorFlow's error codes.

An `OpError` has the message, the code and the failed operation. Its class distinguishes, for example, the end of an
epoch (`OutOfRangeError`) from an invalid value (`InvalidArgumentError`). `tf.errors` is this module.
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
