"""`tf.contrib.predictor`: a SavedModel as a function of numpy arrays."""

from tfmini.contrib.predictor.saved_models import from_saved_model
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["from_saved_model"]

_namespace(globals())
