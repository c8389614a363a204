"""tf.estimator: models that are trained, evaluated, asked and exported by input functions.

    run_config, tasks       how and where: folders, seeds, a place in a cluster
    estimator_spec          what a model function gives, checked
    estimator               train, evaluate, predict
    training_sessions       the watched session of training
    evaluation_events       results as events
    inputs                  input functions of arrays and data frames
    export                  SavedModels

It stands on watched sessions, checkpoints, metrics and datasets; nothing stands on it.
"""

from tfmini.estimator import export, inputs
from tfmini.estimator.estimator import Estimator
from tfmini.estimator.estimator_spec import EstimatorSpec
from tfmini.estimator.mode_keys import ModeKeys
from tfmini.estimator.run_config import RunConfig
from tfmini.estimator.warm_starts import WarmStartSettings
from tfmini.names.namespaces import namespace as _namespace
from tfmini.train.checkpoints.warm_starting import VocabInfo
from tfmini.train.monitored.run_hooks import (
    SessionRunArgs,
    SessionRunContext,
    SessionRunHook,
    SessionRunValues,
)
from tfmini.train.monitored.saving_hooks import CheckpointSaverHook, CheckpointSaverListener
from tfmini.train.monitored.stopping_hooks import (
    GlobalStepWaiterHook,
    NanLossDuringTrainingError,
    NanTensorHook,
    StopAtStepHook,
)
from tfmini.train.monitored.summary_hooks import StepCounterHook, SummarySaverHook
from tfmini.train.monitored.timers import SecondOrStepTimer
from tfmini.train.monitored.value_hooks import FeedFnHook, FinalOpsHook, LoggingTensorHook

__all__ = [
    "CheckpointSaverHook",
    "CheckpointSaverListener",
    "Estimator",
    "EstimatorSpec",
    "FeedFnHook",
    "FinalOpsHook",
    "GlobalStepWaiterHook",
    "LoggingTensorHook",
    "ModeKeys",
    "NanLossDuringTrainingError",
    "NanTensorHook",
    "RunConfig",
    "SecondOrStepTimer",
    "SessionRunArgs",
    "SessionRunContext",
    "SessionRunHook",
    "SessionRunValues",
    "StepCounterHook",
    "StopAtStepHook",
    "SummarySaverHook",
    "VocabInfo",
    "WarmStartSettings",
    "export",
    "inputs",
]

_namespace(globals())
