"""`tf.contrib.learn.MetricSpec`: a metric, and the predictions and labels it applies to."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.tensor import TensorLike

_NAMES = {
    "labels": {"labels", "label", "targets", "target"},
    "predictions": {"predictions", "prediction", "logits", "logit"},
    "weights": {"weights", "weight"},
}


class MetricSpec:
    """An evaluation metric, with the keys of its predictions, labels and weights.

    Args:
      metric_fn: function of labels and predictions, such as `tf.metrics.accuracy`, in the order of its
        parameter names.
      prediction_key: key in a dict of predictions.
      label_key: key in a dict of labels.
      weight_key: name of the feature with example weights.

    Raises:
      ValueError: if the function lacks an argument that a key requires.

    Example:
      metrics = {"accuracy": tf.contrib.learn.MetricSpec(tf.metrics.accuracy, prediction_key="classes")}
      estimator.evaluate(input_fn=input_fn, steps=1, metrics=metrics)
    """

    prediction_key: str | None = read_only("Key of the predictions, if they are a dict.")
    label_key: str | None = read_only("Key of the labels, if they are a dict.")
    weight_key: str | None = read_only("Name of the weight feature.")
    metric_fn: Callable = read_only(
        "The metric as a function of `labels`, `predictions` and `weights` by name."
    )

    @deprecated(None, "Use tf.estimator.EstimatorSpec.eval_metric_ops.")
    def __init__(
        self,
        metric_fn: Callable[..., Any],
        prediction_key: str | None = None,
        label_key: str | None = None,
        weight_key: str | None = None,
    ):
        self._name = getattr(_unwrap_partial(metric_fn), "__name__", str(metric_fn))
        self._metric_fn = _adapt_metric(
            metric_fn, self._name, label_key is not None, weight_key is not None
        )
        self._prediction_key, self._label_key = prediction_key, label_key
        self._weight_key = weight_key

    def __str__(self) -> str:
        return (
            f"MetricSpec(metric_fn={self._name}, prediction_key={self.prediction_key}, "
            f"label_key={self.label_key}, weight_key={self.weight_key})"
        )

    def create_metric_ops(self, inputs: Any, labels: TensorLike, predictions: TensorLike) -> Any:
        """Returns the metric ops of a batch.

        Args:
          inputs: a dict of features, for weights.
          labels, predictions: a tensor, or a dict of tensors.

        Returns:
          The metric ops: (value, update).

        Raises:
          ValueError: if a key is given for a tensor, or missing for a dict of several.
          KeyError: for an unknown key.
        """
        prediction = _choose_argument("prediction", predictions, self.prediction_key)
        label = _choose_argument("label", labels, self.label_key)
        try:
            weights = inputs[self.weight_key] if self.weight_key else None
            return self.metric_fn(labels=label, predictions=prediction, weights=weights)
        except Exception as error:
            logs.error("Could not create metric ops for %s, %s.", self, error)
            raise


def _unwrap_partial(function: Callable) -> Callable:
    return function.func if isinstance(function, functools.partial) else function


def _argument_names(function: Callable) -> tuple:
    if isinstance(function, functools.partial):
        return tuple(a for a in _argument_names(function.func) if a not in function.keywords)
    return tuple(inspect.getfullargspec(inspect.unwrap(function)).args)


def _matching_argument(name: str, values: tuple, role: str, is_required: bool) -> str | None:
    matches = _NAMES[role].intersection(values)
    if len(matches) > 1:
        raise ValueError(f"Ambiguous arguments {matches}, must provide only one of {_NAMES[role]}.")
    if not matches and is_required:
        raise ValueError(f"{_NAMES[role]} missing from {name}({values}).")
    argument = next(iter(matches), None)
    if argument not in (None, role):
        message = "Canonical arg %s missing from %s(%s), using %s."
        logs.warning(message, role, name, values, argument)
    return argument


def _adapt_metric(
    function: Callable, name: str, takes_labels: bool, takes_weights: bool
) -> Callable:
    arguments = _argument_names(function)
    labels_name = _matching_argument(name, arguments, "labels", takes_labels)
    predictions_name = _matching_argument(name, arguments, "predictions", False)
    weights_name = _matching_argument(name, arguments, "weights", takes_weights)

    def metric(
        _sentinel: Any = None, labels: Any = None, predictions: Any = None, weights: Any = None
    ) -> Any:
        if _sentinel is not None:
            raise ValueError(
                "`metric_fn` requires named args: `labels`, `predictions`, and optionally `weights`."
            )
        weight_kwargs = {} if weights is None else {weights_name or "weights": weights}
        if predictions_name:
            weight_kwargs[predictions_name] = predictions
            if labels_name:
                weight_kwargs[labels_name] = labels
            return function(**weight_kwargs)
        if labels_name and arguments[0] == labels_name:
            return function(labels, predictions, **weight_kwargs)
        if labels_name:
            weight_kwargs[labels_name] = labels
        return function(predictions, **weight_kwargs)

    return metric


def _choose_argument(role: str, arguments: Any, key: str | None) -> Any:
    if key:
        if not isinstance(arguments, dict):
            raise ValueError(
                f"MetricSpec with {role}_key specified requires {role}s dict, got {arguments}.\n"
                f"You must not provide a {role}_key if you only have a single Tensor as {role}s."
            )
        if key not in arguments:
            raise KeyError(f"Key '{key}' missing from {arguments.keys()}.")
        return arguments[key]
    if not isinstance(arguments, dict):
        return arguments
    if len(arguments) != 1:
        raise ValueError(
            f"MetricSpec without specified {role}_key requires {role}s tensor or single element dict, "
            f"got {arguments}"
        )
    return next(iter(arguments.values()))
