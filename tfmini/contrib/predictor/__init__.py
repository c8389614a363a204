"""`tf.contrib.predictor`: a SavedModel or an Estimator as a function of numpy arrays."""

from tfmini.contrib.predictor.contrib_estimators import from_contrib_estimator
from tfmini.contrib.predictor.estimators import from_estimator
from tfmini.contrib.predictor.saved_models import from_saved_model
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["from_contrib_estimator", "from_estimator", "from_saved_model"]

_namespace(globals())
