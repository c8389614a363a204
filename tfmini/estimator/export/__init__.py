"""tf.estimator.export: what a SavedModel of an Estimator takes and gives.

`receivers` are its inputs, `outputs` its outputs with their signatures, `saved_models` writes it.
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
