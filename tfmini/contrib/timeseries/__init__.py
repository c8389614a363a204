"""`tf.contrib.timeseries`: models of series, trained by Estimators.

`readers` and `file_readers` give a series as tensors, `input_functions` cut it into windows. A model (`model`) says
what it makes of a window: `ar_model` predicts its end from its beginning by a network, those of `state_space` go
through it step by step (`sequential_model`). `input_statistics` has the means that values are scaled by,
`state_managers` the states that windows begin at; a `head` makes of them what an Estimator of `regressors` runs.
"""

from tfmini.contrib.timeseries import saved_model_utils
from tfmini.contrib.timeseries.ar_model import ARModel
from tfmini.contrib.timeseries.continuation import predict_continuation_input_fn
from tfmini.contrib.timeseries.feature_keys import FilteringResults, TrainEvalFeatures
from tfmini.contrib.timeseries.file_readers import CSVReader
from tfmini.contrib.timeseries.head import OneShotPredictionHead
from tfmini.contrib.timeseries.input_functions import RandomWindowInputFn, WholeDatasetInputFn
from tfmini.contrib.timeseries.readers import NumpyReader
from tfmini.contrib.timeseries.regressors import ARRegressor, TimeSeriesRegressor
from tfmini.contrib.timeseries.state_space.regressors import StructuralEnsembleRegressor
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "ARModel",
    "ARRegressor",
    "CSVReader",
    "FilteringResults",
    "NumpyReader",
    "OneShotPredictionHead",
    "RandomWindowInputFn",
    "StructuralEnsembleRegressor",
    "TimeSeriesRegressor",
    "TrainEvalFeatures",
    "WholeDatasetInputFn",
    "predict_continuation_input_fn",
    "saved_model_utils",
]

_namespace(globals())
