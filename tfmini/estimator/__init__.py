"""tf.estimator: models that are trained, evaluated, asked and exported by input functions.

    run_config, tasks       how and where: folders, seeds, a place in a cluster
    estimator_spec          what a model function gives, checked
    estimator               train, evaluate, predict
    training_sessions       the watched session of training
    evaluation_events       results as events
    inputs                  input functions of arrays and data frames
    export                  SavedModels
    exporters, training     evaluations and exports while it trains
    heads                   what becomes of logits
    canned                  models of feature columns that are ready
    tpu                     scripts for TPUs, on what is there
    extending, stopping, in_memory    more metrics; training that ends early; evaluations without checkpoints

The newer heads (`tf.estimator.Head` and its like) are `tfmini.keras.heads`, which loads when one is asked for.

It stands on watched sessions, checkpoints, metrics, datasets and feature columns; nothing stands on it.
"""

import typing as _typing

from tfmini.estimator import experimental, export, inputs, tpu
from tfmini.estimator.canned.baseline import (
    BaselineClassifier,
    BaselineEstimator,
    BaselineRegressor,
)
from tfmini.estimator.canned.dnn import DNNClassifier, DNNEstimator, DNNRegressor
from tfmini.estimator.canned.linear import LinearClassifier, LinearEstimator, LinearRegressor
from tfmini.estimator.canned.wide_and_deep import (
    DNNLinearCombinedClassifier,
    DNNLinearCombinedEstimator,
    DNNLinearCombinedRegressor,
)
from tfmini.estimator.estimator import Estimator
from tfmini.estimator.estimator_spec import EstimatorSpec
from tfmini.estimator.exporters import BestExporter, Exporter, FinalExporter, LatestExporter
from tfmini.estimator.extending import add_metrics
from tfmini.estimator.mode_keys import ModeKeys
from tfmini.estimator.parse_specs import (
    classifier_parse_example_spec,
    regressor_parse_example_spec,
)
from tfmini.estimator.run_config import RunConfig
from tfmini.estimator.training import EvalSpec, TrainSpec, train_and_evaluate
from tfmini.estimator.warm_starts import WarmStartSettings
from tfmini.names.later import loader as _loader
from tfmini.names.namespaces import namespace as _namespace
from tfmini.train.checkpoints.warm_starting import VocabInfo
from tfmini.train.monitored.profiler_hook import ProfilerHook
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

if _typing.TYPE_CHECKING:  # what loads at its first use from above, shown to editors
    BinaryClassHead: _typing.Any
    Head: _typing.Any
    LogisticRegressionHead: _typing.Any
    MultiClassHead: _typing.Any
    MultiHead: _typing.Any
    MultiLabelHead: _typing.Any
    PoissonRegressionHead: _typing.Any
    RegressionHead: _typing.Any

__all__ = [
    "RegressionHead",
    "PoissonRegressionHead",
    "MultiLabelHead",
    "MultiHead",
    "MultiClassHead",
    "LogisticRegressionHead",
    "Head",
    "BinaryClassHead",
    "BaselineClassifier",
    "BaselineEstimator",
    "BaselineRegressor",
    "BestExporter",
    "CheckpointSaverHook",
    "CheckpointSaverListener",
    "DNNClassifier",
    "DNNEstimator",
    "DNNLinearCombinedClassifier",
    "DNNLinearCombinedEstimator",
    "DNNLinearCombinedRegressor",
    "DNNRegressor",
    "Estimator",
    "EstimatorSpec",
    "EvalSpec",
    "Exporter",
    "FeedFnHook",
    "FinalExporter",
    "FinalOpsHook",
    "GlobalStepWaiterHook",
    "LatestExporter",
    "LinearClassifier",
    "LinearEstimator",
    "LinearRegressor",
    "LoggingTensorHook",
    "ModeKeys",
    "NanLossDuringTrainingError",
    "NanTensorHook",
    "ProfilerHook",
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
    "add_metrics",
    "classifier_parse_example_spec",
    "experimental",
    "export",
    "inputs",
    "regressor_parse_example_spec",
    "tpu",
    "train_and_evaluate",
]

_namespace(globals(), _loader("tf.estimator"))
