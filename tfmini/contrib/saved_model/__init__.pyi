from tfmini._src.models.keras.export.export_saved_model import load_from_saved_model as _load_keras_model; load_keras_model = _load_keras_model
from tfmini._src.models.keras.export.export_saved_model import export_saved_model as _save_keras_model; save_keras_model = _save_keras_model
