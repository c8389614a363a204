"""`tf.contrib.learn.monitors`: what is called while Estimators train."""

from tfmini.contrib.learn.monitor_steps import (
    BaseMonitor,
    EveryN,
    NanLoss,
    PrintTensor,
    RunHookAdapterForMonitors,
    StopAtStep,
    replace_monitors_with_hooks,
)
from tfmini.contrib.learn.validation_monitor import ValidationMonitor
from tfmini.names.namespaces import namespace as _namespace
from tfmini.train.monitored.stopping_hooks import NanLossDuringTrainingError

__all__ = [
    "BaseMonitor",
    "EveryN",
    "NanLoss",
    "NanLossDuringTrainingError",
    "PrintTensor",
    "RunHookAdapterForMonitors",
    "StopAtStep",
    "ValidationMonitor",
    "replace_monitors_with_hooks",
]

_namespace(globals())
