"""`tf.contrib.learn`: its data sets and vocabularies, Estimators fitted by arrays, Experiments.

model_functions, heads      what models are built for, and what they return
run_config, metric_spec, signatures     how and where; what is measured; what inputs are
array_feeding, data_frames  arrays and data frames as inputs
estimator, ready, linear, dnn, wide_and_deep    Estimators
experiment, experiment_runs, running     Experiments; tensors run some times
serving_inputs              what exports are fed
"""

from tfmini.contrib.learn import datasets, learn_runner, monitors, preprocessing
from tfmini.contrib.learn.base_estimator import BaseEstimator, NotFittedError
from tfmini.contrib.learn.data_frames import (
    extract_pandas_data,
    extract_pandas_labels,
    extract_pandas_matrix,
)
from tfmini.contrib.learn.dnn import DNNClassifier, DNNEstimator, DNNRegressor
from tfmini.contrib.learn.estimator import Estimator
from tfmini.contrib.learn.experiment import Experiment
from tfmini.contrib.learn.export_strategies import ExportStrategy, make_export_strategy
from tfmini.contrib.learn.heads import (
    Head,
    multi_class_head,
    no_op_train_fn,
    poisson_regression_head,
    regression_head,
)
from tfmini.contrib.learn.interfaces import Evaluable, Trainable
from tfmini.contrib.learn.linear import LinearClassifier, LinearEstimator, LinearRegressor
from tfmini.contrib.learn.metric_spec import MetricSpec
from tfmini.contrib.learn.model_functions import ModeKeys, ModelFnOps, PredictionKey, ProblemType
from tfmini.contrib.learn.run_config import RunConfig, TaskType
from tfmini.contrib.learn.running import infer, run_feeds, run_n
from tfmini.contrib.learn.serving_inputs import InputFnOps, build_parsing_serving_input_fn
from tfmini.contrib.learn.sk_compat import (
    SKCompat,
    infer_real_valued_columns_from_input,
    infer_real_valued_columns_from_input_fn,
)
from tfmini.contrib.learn.wide_and_deep import (
    DNNLinearCombinedClassifier,
    DNNLinearCombinedEstimator,
    DNNLinearCombinedRegressor,
)
from tfmini.names.namespaces import namespace as _namespace
from tfmini.train.monitored.stopping_hooks import NanLossDuringTrainingError

__all__ = [
    "BaseEstimator",
    "DNNClassifier",
    "DNNEstimator",
    "DNNLinearCombinedClassifier",
    "DNNLinearCombinedEstimator",
    "DNNLinearCombinedRegressor",
    "DNNRegressor",
    "Estimator",
    "Evaluable",
    "Experiment",
    "ExportStrategy",
    "Head",
    "InputFnOps",
    "LinearClassifier",
    "LinearEstimator",
    "LinearRegressor",
    "MetricSpec",
    "ModeKeys",
    "ModelFnOps",
    "NanLossDuringTrainingError",
    "NotFittedError",
    "PredictionKey",
    "ProblemType",
    "RunConfig",
    "SKCompat",
    "TaskType",
    "Trainable",
    "build_parsing_serving_input_fn",
    "datasets",
    "extract_pandas_data",
    "extract_pandas_labels",
    "extract_pandas_matrix",
    "infer",
    "infer_real_valued_columns_from_input",
    "infer_real_valued_columns_from_input_fn",
    "learn_runner",
    "make_export_strategy",
    "monitors",
    "multi_class_head",
    "no_op_train_fn",
    "poisson_regression_head",
    "preprocessing",
    "regression_head",
    "run_feeds",
    "run_n",
]

_namespace(globals())
