"""`tf.contrib.learn.models`: the ends of models as functions, and recurrent nets before them."""

from tfmini.contrib.learn.recurrent_models import bidirectional_rnn, get_rnn_model
from tfmini.contrib.learn.regressions import (
    linear_regression,
    linear_regression_zero_init,
    logistic_regression,
    logistic_regression_zero_init,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "bidirectional_rnn",
    "get_rnn_model",
    "linear_regression",
    "linear_regression_zero_init",
    "logistic_regression",
    "logistic_regression_zero_init",
]

_namespace(globals())
