"""`tf.keras.estimator`: models as Estimators."""

from tfmini.keras.exporting.estimators import model_to_estimator
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["model_to_estimator"]

_namespace(globals())
