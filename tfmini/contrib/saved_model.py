"""`tf.contrib.saved_model`: models of Keras as SavedModels, under the names of before 1.14."""

from tfmini.keras.exporting.saved_models import export_saved_model as save_keras_model
from tfmini.keras.exporting.saved_models import load_from_saved_model as load_keras_model
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["load_keras_model", "save_keras_model"]

_namespace(globals())
