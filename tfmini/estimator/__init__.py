"""tf.estimator: models that are trained, evaluated, asked and exported by input functions.

    run_config, tasks       how and where: folders, seeds, a place in a cluster
    estimator_spec          what a model function gives, checked
    estimator               train, evaluate, predict
    training_sessions       the watched session of training
    evaluation_events       results as events
    inputs                  input functions of arrays and data frames
    export                  SavedModels
    exporters, training     evaluations and exports while it trains

It stands on watched sessions, checkpoints, metrics and datasets; nothing stands on it.
"""

from tfmini.estimator import export, inputs
from tfmini.estimator.estimator import Estimator
from tfmini.estimator.estimator_spec import EstimatorSpec
from tfmini.estimator.exporters import BestExporter, Exporter, FinalExporter, LatestExporter
from tfmini.estimator.mode_keys import ModeKeys
from tfmini.estimator.run_config import RunConfig
from tfmini.estimator.training import EvalSpec, TrainSpec, train_and_evaluate
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
    "BestExporter",
    "CheckpointSaverHook",
    "CheckpointSaverListener",
    "Estimator",
    "EstimatorSpec",
    "EvalSpec",
    "Exporter",
    "FeedFnHook",
    "FinalExporter",
    "FinalOpsHook",
    "GlobalStepWaiterHook",
    "LatestExporter",
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
    "TrainSpec",
    "VocabInfo",
    "WarmStartSettings",
    "export",
    "inputs",
    "train_and_evaluate",
]

_namespace(globals())
