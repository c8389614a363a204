"""`tf.keras.callbacks`: what is called while a model is trained.

`base` has the class and lists of callbacks; `recording` keeps and shows what happens.
"""

from tfmini.keras.callbacks.base import Callback
from tfmini.keras.callbacks.recording import (
    BaseLogger,
    CSVLogger,
    History,
    ProgbarLogger,
    RemoteMonitor,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["BaseLogger", "CSVLogger", "Callback", "History", "ProgbarLogger", "RemoteMonitor"]

_namespace(globals())
