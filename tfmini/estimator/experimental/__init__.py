"""tf.estimator.experimental: k-means, training that ends early, evaluations in memory, logit functions."""

from tfmini.estimator.canned.linear import linear_logit_fn_builder
from tfmini.estimator.canned.networks import dnn_logit_fn_builder
from tfmini.estimator.clusters.estimator import SeededKMeansClustering as KMeans
from tfmini.estimator.dual.linear_sdca import LinearSDCA
from tfmini.estimator.export.receivers import build_raw_supervised_input_receiver_fn
from tfmini.estimator.extending import call_logit_fn
from tfmini.estimator.in_memory import InMemoryEvaluatorHook
from tfmini.estimator.stopping import (
    make_early_stopping_hook,
    make_stop_at_checkpoint_step_hook,
    stop_if_higher_hook,
    stop_if_lower_hook,
    stop_if_no_decrease_hook,
    stop_if_no_increase_hook,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "InMemoryEvaluatorHook",
    "KMeans",
    "LinearSDCA",
    "build_raw_supervised_input_receiver_fn",
    "call_logit_fn",
    "dnn_logit_fn_builder",
    "linear_logit_fn_builder",
    "make_early_stopping_hook",
    "make_stop_at_checkpoint_step_hook",
    "stop_if_higher_hook",
    "stop_if_lower_hook",
    "stop_if_no_decrease_hook",
    "stop_if_no_increase_hook",
]

_namespace(globals())
