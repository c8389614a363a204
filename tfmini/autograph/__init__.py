"""`tf.autograph`: converts Python's `if`, `while` and `for` over tensors to `tf.cond` and `tf.while_loop`."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
