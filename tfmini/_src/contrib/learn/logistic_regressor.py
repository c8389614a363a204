"""`tf.contrib.learn.LogisticRegressor`: an Estimator for a custom binary model, with binary metrics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes
from tfmini._src.contrib.learn.estimator import Estimator
from tfmini._src.contrib.learn.model_fn import ModeKeys, ModelFnOps, ProblemType
from tfmini._src.contrib.metrics.streaming_metrics import (
    streaming_accuracy,
    streaming_auc,
    streaming_mean,
    streaming_precision,
    streaming_recall,
)
from tfmini._src.ops import ops

if TYPE_CHECKING:
    from tfmini._src.contrib.learn.run_config import RunConfig


def LogisticRegressor(
    model_fn: Callable[..., Any],
    thresholds: Sequence[float] | None = None,
    model_dir: str | None = None,
    config: RunConfig | None = None,
    feature_engineering_fn: Callable[..., Any] | None = None,
) -> Estimator:
    """Returns an Estimator for a binary model that returns probabilities.

    Args:
      model_fn: `model_fn(features, labels, mode)` returns (probabilities, loss, train_op).
      thresholds: thresholds of accuracy, precision and recall; by default 0.5.
      model_dir, config, feature_engineering_fn: as in `Estimator`.

    Example: `tf.contrib.learn.LogisticRegressor(model).fit(input_fn=input_fn, steps=100)`.
    """

    def model_fn_with_metrics(features: Any, labels: Any, mode: str, params: dict) -> ModelFnOps:
        predictions, loss, train_op = model_fn(features, labels, mode)
        measures = None
        if mode == ModeKeys.EVAL:
            measures = _measures(labels, predictions, params.get("thresholds") or [0.5])
        outputs = {"head": (ProblemType.LOGISTIC_REGRESSION, {"predictions": predictions})}
        return ModelFnOps(
            mode=mode,
            predictions=predictions,
            loss=loss,
            train_op=train_op,
            eval_metric_ops=measures,
            output_alternatives=outputs,
        )

    return Estimator(
        model_fn=model_fn_with_metrics,
        model_dir=model_dir,
        config=config,
        params={"thresholds": thresholds},
        feature_engineering_fn=feature_engineering_fn,
    )


def _measures(labels: Any, predictions: Any, thresholds: Any) -> dict[str, Any]:
    if isinstance(labels, dict) and len(labels) == 1:
        (labels,) = labels.values()
    measures = {
        "labels/prediction_mean": streaming_mean(predictions),
        "labels/actual_label_mean": streaming_mean(labels),
        "accuracy/baseline_label_mean": streaming_mean(labels),
        "auc": streaming_auc(labels=labels, predictions=predictions),
    }
    for threshold in thresholds:
        above = ops.cast(
            ops.greater_equal(predictions, threshold),
            dtypes.float32,
            name=f"predictions_at_threshold_{threshold:f}",
        )
        values = {"labels": labels, "predictions": above}
        measures[f"accuracy/threshold_{threshold:f}_mean"] = streaming_accuracy(**values)
        measures[f"precision/positive_threshold_{threshold:f}_mean"] = streaming_precision(**values)
        measures[f"recall/positive_threshold_{threshold:f}_mean"] = streaming_recall(**values)
    return measures
