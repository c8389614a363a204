"""Predictions that continue after an evaluation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tfmini._src.base.nest.structure import map_structure
from tfmini._src.contrib.timeseries.feature_keys import FilteringResults, PredictionFeatures
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.train.input_queues.input_producer import limit_epochs


def times_after(times: Any, steps: int | None, output: Any) -> np.ndarray:
    """Returns the prediction times, integers [batch, window]: `times`, or `steps` times after an evaluation.

    Args:
      times: integers [batch, window], or [window] for a batch of one, or None.
      steps: number of steps, or None.
      output: the results of the evaluation, a dict.

    Raises:
      ValueError: if both or neither of `times` and `steps` are given, batch sizes differ, or times are too early.
    """
    if steps is not None and times is not None:
        raise ValueError("Only one of `steps` and `times` may be specified.")
    if steps is None and times is None:
        raise ValueError("One of `steps` and `times` must be specified.")
    past_times = output[FilteringResults.TIMES]
    if steps is not None:
        return past_times[:, -1:] + 1 + np.arange(steps)[None, ...]
    times = np.array(times)
    if times.ndim != 2:
        times = times[None, ...]
    if past_times.shape[0] != times.shape[0]:
        raise ValueError(
            "`times` must have a batch dimension matching the previous model output"
            f" (got a batch dimension of {times.shape[0]} for `times`"
            f" and {past_times.shape[0]} for the previous model output)."
        )
    if not (past_times[:, -1] < times[:, 0]).all():
        raise ValueError("Prediction times must be after the corresponding previous model output.")
    return times


def predict_continuation_input_fn(
    evaluation: Mapping[str, Any],
    steps: int | None = None,
    times: TensorLike | None = None,
    exogenous_features: Mapping[str, Any] | None = None,
) -> Callable[[], Any]:
    """Returns an input function for `predict` that continues each series of an evaluation's batch.

    Args:
      evaluation: the result of `evaluate`, a dict.
      steps: number of steps predicted.
      times: alternatively, prediction times, integers [batch, window] after the evaluation times; [window] for a
        batch of one.
      exogenous_features: arrays [batch, window, ...] by feature name.

    Returns:
      A function that returns (features, None).

    Raises:
      ValueError: if both or neither of `steps` and `times` are given, or the times are invalid.

    Example:
      evaluation = estimator.evaluate(tf.contrib.timeseries.WholeDatasetInputFn(reader), steps=1)
      input_fn = tf.contrib.timeseries.predict_continuation_input_fn(evaluation, steps=10)
      (row,) = estimator.predict(input_fn)
    """
    features = {
        PredictionFeatures.STATE_TUPLE: evaluation[FilteringResults.STATE_TUPLE],
        PredictionFeatures.TIMES: times_after(times, steps, evaluation),
        **(exogenous_features or {}),
    }

    def input_fn() -> Any:
        # Yields once: with constants, `predict` would never end.
        first_epoch = {
            key: map_structure(lambda v: limit_epochs(v, 1), v) for key, v in features.items()
        }
        return first_epoch, None

    return input_fn
