"""`tf.contrib.kernel_methods`: linear models of features under which distances are those of a kernel."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
