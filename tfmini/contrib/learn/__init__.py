"""`tf.contrib.learn`: its data sets and vocabularies, Estimators fitted by arrays, Experiments.

model_functions, heads, several_heads, several_labels   what models are built for, and what they return
run_config, metric_spec, signatures     how and where; what is measured; what inputs are
array_feeding, data_frames, reading     arrays, data frames and files as inputs
estimator, ready, linear, dnn, wide_and_deep, clusters, logistic_regressor      Estimators
experiment, experiment_runs, running     Experiments; tensors run some times
serving_inputs, export_strategies        what exports are fed, and when they are
"""

from tfmini.contrib.learn import (
    datasets,
    graph_actions,
    head,
    io,
    learn_runner,
    models,
    monitors,
    preprocessing,
)
from tfmini.contrib.learn.base_estimator import BaseEstimator, NotFittedError
from tfmini.contrib.learn.clusters import KMeansClustering
from tfmini.contrib.learn.data_frames import (
    extract_pandas_data,
    extract_pandas_labels,
    extract_pandas_matrix,
)
from tfmini.contrib.learn.dnn import DNNClassifier, DNNEstimator, DNNRegressor
from tfmini.contrib.learn.dual_models import SVM
from tfmini.contrib.learn.estimator import Estimator
from tfmini.contrib.learn.experiment import Experiment
from tfmini.contrib.learn.export_strategies import ExportStrategy, make_export_strategy
from tfmini.contrib.learn.graph_evaluation import evaluate
from tfmini.contrib.learn.graph_training import train
from tfmini.contrib.learn.heads import (
    Head,
    multi_class_head,
    no_op_train_fn,
    poisson_regression_head,
    regression_head,
)
from tfmini.contrib.learn.interfaces import Evaluable, Trainable
from tfmini.contrib.learn.linear import LinearClassifier, LinearEstimator, LinearRegressor
from tfmini.contrib.learn.logistic_regressor import LogisticRegressor
from tfmini.contrib.learn.metric_spec import MetricSpec
from tfmini.contrib.learn.model_functions import ModeKeys, ModelFnOps, PredictionKey, ProblemType
from tfmini.contrib.learn.reading import (
    read_batch_examples,
    read_batch_features,
    read_batch_record_features,
    read_keyed_batch_examples,
    read_keyed_batch_features,
)
from tfmini.contrib.learn.run_config import RunConfig, TaskType
from tfmini.contrib.learn.running import infer, run_feeds, run_n
from tfmini.contrib.learn.serving_inputs import InputFnOps, build_parsing_serving_input_fn
from tfmini.contrib.learn.several_heads import multi_head
from tfmini.contrib.learn.several_labels import binary_svm_head, multi_label_head
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
    "KMeansClustering",
    "LinearClassifier",
    "LinearEstimator",
    "LinearRegressor",
    "LogisticRegressor",
    "MetricSpec",
    "ModeKeys",
    "ModelFnOps",
    "NanLossDuringTrainingError",
    "NotFittedError",
    "PredictionKey",
    "ProblemType",
    "RunConfig",
    "SKCompat",
    "SVM",
    "TaskType",
    "Trainable",
    "binary_svm_head",
    "build_parsing_serving_input_fn",
    "datasets",
    "evaluate",
    "extract_pandas_data",
    "extract_pandas_labels",
    "extract_pandas_matrix",
    "graph_actions",
    "head",
    "infer",
    "infer_real_valued_columns_from_input",
    "infer_real_valued_columns_from_input_fn",
    "io",
    "learn_runner",
    "make_export_strategy",
    "models",
    "monitors",
    "multi_class_head",
    "multi_head",
    "multi_label_head",
    "no_op_train_fn",
    "poisson_regression_head",
    "preprocessing",
    "read_batch_examples",
    "read_batch_features",
    "read_batch_record_features",
    "read_keyed_batch_examples",
    "read_keyed_batch_features",
    "regression_head",
    "run_feeds",
    "run_n",
    "train",
]

_namespace(globals())
