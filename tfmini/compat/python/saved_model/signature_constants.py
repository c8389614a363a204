"""`tensorflow.python.saved_model.signature_constants`."""

from tfmini.saved_model.signature_constants import *  # noqa: F403
from tfmini.saved_model.signature_constants import __all__ as __all__
