"""`tensorflow.python.saved_model.builder`."""

from tfmini.saved_model.builder import SavedModelBuilder

__all__ = ["SavedModelBuilder"]
