"""`tf.contrib.tfprof.model_analyzer`: `print_model_analysis` and its options."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
