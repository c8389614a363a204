"""`tf.metrics`: measures of models over many batches, in local variables.

Each function returns the metric as of now and an op that takes a batch in. `state` makes the variables,
`operands` brings labels, predictions and weights to one rank; the other files hold the metrics by what they keep:
`means` a sum and a count, `counts` and `thresholds` rights and wrongs, `curves` what follows from these, `classes`
sums by class, `top_ks` and `average_precision` sets of predicted classes. It imports ops and variables.
"""

from tfmini.metrics.average_precision import (
    average_precision_at_k,
    sparse_average_precision_at_k,
)
from tfmini.metrics.classes import (
    mean_iou,
    mean_per_class_accuracy,
)
from tfmini.metrics.counts import (
    false_negatives,
    false_positives,
    precision,
    recall,
    true_negatives,
    true_positives,
)
from tfmini.metrics.curves import (
    auc,
    sensitivity_at_specificity,
    specificity_at_sensitivity,
)
from tfmini.metrics.means import (
    accuracy,
    mean,
    mean_absolute_error,
    mean_cosine_distance,
    mean_relative_error,
    mean_squared_error,
    mean_tensor,
    percentage_below,
    root_mean_squared_error,
)
from tfmini.metrics.thresholds import (
    false_negatives_at_thresholds,
    false_positives_at_thresholds,
    precision_at_thresholds,
    recall_at_thresholds,
    true_negatives_at_thresholds,
    true_positives_at_thresholds,
)
from tfmini.metrics.top_ks import (
    precision_at_k,
    precision_at_top_k,
    recall_at_k,
    recall_at_top_k,
    sparse_precision_at_k,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "accuracy",
    "auc",
    "average_precision_at_k",
    "false_negatives",
    "false_negatives_at_thresholds",
    "false_positives",
    "false_positives_at_thresholds",
    "mean",
    "mean_absolute_error",
    "mean_cosine_distance",
    "mean_iou",
    "mean_per_class_accuracy",
    "mean_relative_error",
    "mean_squared_error",
    "mean_tensor",
    "percentage_below",
    "precision",
    "precision_at_k",
    "precision_at_thresholds",
    "precision_at_top_k",
    "recall",
    "recall_at_k",
    "recall_at_thresholds",
    "recall_at_top_k",
    "root_mean_squared_error",
    "sensitivity_at_specificity",
    "sparse_average_precision_at_k",
    "sparse_precision_at_k",
    "specificity_at_sensitivity",
    "true_negatives",
    "true_negatives_at_thresholds",
    "true_positives",
    "true_positives_at_thresholds",
]

_namespace(globals())
