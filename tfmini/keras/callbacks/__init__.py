"""`tf.keras.callbacks`: what is called while a model is trained.

`base` has the class and lists of callbacks; `recording` keeps and shows what happens, `tensorboard` writes
it, `watching` stops, saves and changes the learning rate.
"""

from tfmini.keras.callbacks.base import Callback
from tfmini.keras.callbacks.recording import (
    BaseLogger,
    CSVLogger,
    History,
    ProgbarLogger,
    RemoteMonitor,
)
from tfmini.keras.callbacks.tensorboard import TensorBoard
from tfmini.keras.callbacks.watching import (
    EarlyStopping,
    LambdaCallback,
    LearningRateScheduler,
    ModelCheckpoint,
    ReduceLROnPlateau,
    TerminateOnNaN,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "BaseLogger",
    "CSVLogger",
    "Callback",
    "EarlyStopping",
    "History",
    "LambdaCallback",
    "LearningRateScheduler",
    "ModelCheckpoint",
    "ProgbarLogger",
    "ReduceLROnPlateau",
    "RemoteMonitor",
    "TensorBoard",
    "TerminateOnNaN",
]

_namespace(globals())
