"""tf.estimator.export: what a SavedModel of an Estimator takes and gives.

`receivers` are its inputs, `outputs` its outputs with their signatures, `saved_models` writes it.
"""

from tfmini.estimator.export.outputs import (
    ClassificationOutput,
    ExportOutput,
    PredictOutput,
    RegressionOutput,
)
from tfmini.estimator.export.receivers import (
    ServingInputReceiver,
    TensorServingInputReceiver,
    build_parsing_serving_input_receiver_fn,
    build_raw_serving_input_receiver_fn,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "ClassificationOutput",
    "ExportOutput",
    "PredictOutput",
    "RegressionOutput",
    "ServingInputReceiver",
    "TensorServingInputReceiver",
    "build_parsing_serving_input_receiver_fn",
    "build_raw_serving_input_receiver_fn",
]

_namespace(globals())
