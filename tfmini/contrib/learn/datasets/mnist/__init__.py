"""MNIST: handwritten digits, read from the four published files.

The format of the files (idx) is described at http://yann.lecun.com/exdb/mnist/.
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
