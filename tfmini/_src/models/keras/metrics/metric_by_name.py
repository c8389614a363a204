"""Metrics by name, and resolution of the metric names passed to `compile`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import tf2
from tfmini._src.models.keras.losses import loss_functions as losses
from tfmini._src.models.keras.losses.loss import LossFunctionWrapper
from tfmini._src.models.keras.losses.loss_classes import (
    BinaryCrossentropy,
    SparseCategoricalCrossentropy,
)
from tfmini._src.models.keras.metrics import (
    accuracy_functions,
    auc,
    mean_iou,
    mean_metrics,
    mean_tensor,
    precision_recall,
    sensitivity_at_specificity,
)
from tfmini._src.models.keras.metrics.reductions import Mean, Sum
from tfmini._src.nn.layers.deserialize import Identifier, deserialize_object, to_config
from tfmini._src.nn.layers.metric import Metric
from tfmini._src.variables.init_scope import init_scope

_NOT_BY_NAME = ("KLD", "cosine", "huber_loss", "kld")  # losses

METRICS: dict[str, Any] = {
    name: value
    for module in (
        *(losses, accuracy_functions, mean_metrics, mean_tensor, auc, mean_iou, precision_recall),
        sensitivity_at_specificity,
    )
    for name, value in vars(module).items()
    if getattr(value, "__module__", "") == module.__name__
    and name[0] != "_"
    and name not in _NOT_BY_NAME
}
METRICS.update(Mean=Mean, Sum=Sum, Metric=Metric)

_ACCURACIES, _ENTROPIES = ("accuracy", "acc"), ("crossentropy", "ce")


def serialize(metric: Callable[..., Any]) -> Any:
    """Returns the name of a function, or the configuration of an object."""
    return to_config(metric)


def deserialize(config: Identifier, custom_objects: dict[str, Any] | None = None) -> Any:
    """Creates a metric from a name or configuration.

    Args:
      config: a name, or {"class_name": ..., "config": ...}.
      custom_objects: additional objects by name.

    Raises:
      ValueError: for an unknown metric.
    """
    return deserialize_object(config, METRICS, custom_objects, "metric function")


def get(identifier: Identifier) -> Any:
    """Returns the metric for a name or configuration; returns functions and metrics unchanged.

    Raises:
      ValueError: for an unknown metric or another type.
    """
    if isinstance(identifier, (str, dict)):
        return deserialize(identifier)
    if callable(identifier):
        return identifier
    raise ValueError(f"Could not interpret metric function identifier: {identifier}")


def clone(metric: Any) -> Any:
    """Returns a metric of the same class with separate state; returns functions and names unchanged."""
    if not isinstance(metric, Metric):
        return metric
    with init_scope():
        return type(metric).from_config(metric.get_config())


def metric_name(metric: Any, weighted: bool) -> str:
    """Returns the history name of a metric passed to `compile`."""
    prefix = "weighted_" if weighted and not tf2.enabled() else ""
    if isinstance(metric, str) and tf2.enabled():
        return metric
    if isinstance(metric, str) and metric in _ACCURACIES:
        return prefix + "acc"
    if isinstance(metric, str) and metric in _ENTROPIES:
        return prefix + "ce"
    resolved = get(metric)
    return prefix + (resolved.name if hasattr(resolved, "name") else resolved.__name__)


def resolve_metric(metric: Any, output_shape: Any, loss: Any) -> Any:
    """Returns a metric passed to `compile`; resolves "accuracy" and "crossentropy" according to output and loss."""
    if not isinstance(metric, str) or metric not in _ACCURACIES + _ENTROPIES:
        return get(metric)
    function = loss.fn if isinstance(loss, LossFunctionWrapper) else None
    binary = isinstance(loss, BinaryCrossentropy) or function is losses.binary_crossentropy
    sparse = function is losses.sparse_categorical_crossentropy
    sparse = sparse or isinstance(loss, SparseCategoricalCrossentropy)
    if output_shape[-1] == 1 or binary:
        prefix = "binary"
    else:
        prefix = "sparse_categorical" if sparse else "categorical"
    return METRICS[prefix + ("_accuracy" if metric in _ACCURACIES else "_crossentropy")]
