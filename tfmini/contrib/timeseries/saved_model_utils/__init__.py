"""`tf.contrib.timeseries.saved_model_utils`: runs an exported time series model in a session."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
