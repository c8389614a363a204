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
from tfmini.contrib.learn.saving_monitors import CheckpointSaver, StepCounter, SummarySaver
from tfmini.contrib.learn.validation_monitor import ValidationMonitor
from tfmini.contrib.learn.watching_monitors import (
    CaptureVariable,
    GraphDump,
    LoggingTrainable,
    get_default_monitors,
)
from tfmini.names.namespaces import namespace as _namespace
from tfmini.train.monitored.stopping_hooks import NanLossDuringTrainingError

__all__ = [
    "BaseMonitor",
    "CaptureVariable",
    "CheckpointSaver",
    "EveryN",
    "GraphDump",
    "LoggingTrainable",
    "NanLoss",
    "NanLossDuringTrainingError",
    "PrintTensor",
    "RunHookAdapterForMonitors",
    "StepCounter",
    "StopAtStep",
    "SummarySaver",
    "ValidationMonitor",
    "get_default_monitors",
    "replace_monitors_with_hooks",
]

_namespace(globals())
