"""`tf.contrib.testing`: a FileWriter for tests, and readers of event files."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
