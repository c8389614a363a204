"""`tf.keras.optimizers`: optimizers whose numbers are variables, so that callbacks can change them.

`base` makes variables and updates; `plain` and `moments` have the rules; `lookup` finds them by name, and takes those
of `tf.train`; `schedules` are learning rates that depend on the step.
"""

from tfmini.keras.optimizers import schedules
from tfmini.keras.optimizers.base import OptimizerV2 as Optimizer
from tfmini.keras.optimizers.lookup import deserialize, get, serialize
from tfmini.keras.optimizers.moments import Adam, Adamax, Nadam, RMSprop
from tfmini.keras.optimizers.plain import SGD, Adadelta, Adagrad, Ftrl
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "SGD",
    "Adadelta",
    "Adagrad",
    "Adam",
    "Adamax",
    "Ftrl",
    "Nadam",
    "Optimizer",
    "RMSprop",
    "deserialize",
    "get",
    "schedules",
    "serialize",
]

_namespace(globals())
