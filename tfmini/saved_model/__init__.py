"""`tf.saved_model`: exports a graph with its variable values and asset files to a folder, for serving."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
