"""`tensorflow.python.saved_model.loader`."""

from tfmini.saved_model.loader import load, maybe_saved_model_directory

__all__ = ["load", "maybe_saved_model_directory"]
