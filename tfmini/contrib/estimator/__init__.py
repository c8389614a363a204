"""`tf.contrib.estimator`: heads, more metrics, exports of each mode."""

from tfmini.contrib.estimator.exporting import (
    export_all_saved_models,
    export_saved_model_for_mode,
)
from tfmini.contrib.estimator.heads import (
    binary_classification_head,
    logistic_regression_head,
    multi_class_head,
    multi_head,
    multi_label_head,
    poisson_regression_head,
    regression_head,
)
from tfmini.estimator.canned.linear import linear_logit_fn_builder
from tfmini.estimator.canned.networks import dnn_logit_fn_builder
from tfmini.estimator.export.receivers import (
    build_raw_supervised_input_receiver_fn,
    build_supervised_input_receiver_fn_from_input_fn,
)
from tfmini.estimator.extending import (
    add_metrics,
    call_logit_fn,
    clip_gradients_by_norm,
    forward_features,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "add_metrics",
    "binary_classification_head",
    "build_raw_supervised_input_receiver_fn",
    "build_supervised_input_receiver_fn_from_input_fn",
    "call_logit_fn",
    "clip_gradients_by_norm",
    "dnn_logit_fn_builder",
    "export_all_saved_models",
    "export_saved_model_for_mode",
    "forward_features",
    "linear_logit_fn_builder",
    "logistic_regression_head",
    "multi_class_head",
    "multi_head",
    "multi_label_head",
    "poisson_regression_head",
    "regression_head",
]

_namespace(globals())
