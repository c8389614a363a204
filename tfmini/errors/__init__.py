"""The exceptions of a failing graph: one class for each of TensorFlow's error codes.

An `OpError` carries the message, the code, and the operation that failed. Catching by class is the way to tell the end
of an epoch (`OutOfRangeError`) from a bad value (`InvalidArgumentError`). `tf.errors` is this module.
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
