"""`tf.contrib.predictor`: a SavedModel as a function of numpy arrays."""

from tfmini.contrib.predictor.saved_models import from_saved_model
from tfmini.hints import no_attributes as _no_attributes

__all__ = ["from_saved_model"]

__getattr__ = _no_attributes(__name__, globals())
