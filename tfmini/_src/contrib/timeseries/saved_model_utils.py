"""`tf.contrib.timeseries.saved_model_utils`: runs an exported time series model in a session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tfmini._src.contrib.timeseries.continuation import times_after
from tfmini._src.contrib.timeseries.feature_keys import (
    FilteringResults,
    PredictionFeatures,
    PredictionResults,
    SavedModelLabels,
)
from tfmini._src.contrib.timeseries.series_arrays import canonical
from tfmini._src.contrib.timeseries.states import state_to_dictionary
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.session.base_session import BaseSession


def _run_signature(
    session: Any, signature: Any, features: Any, state: Any = None
) -> dict[str, Any]:
    """Runs a signature on features by name, with a state from an evaluation or filtering result."""
    if state is not None and FilteringResults.STATE_TUPLE in state:
        state = state_to_dictionary(state[FilteringResults.STATE_TUPLE])

    def tensor(info: Any) -> Any:
        return session.graph.as_graph_element(info.name)

    inputs = {key: tensor(info) for key, info in signature.inputs.items()}
    outputs = {key: tensor(info) for key, info in signature.outputs.items()}
    fed = {inputs[key]: value for key, value in (state or {}).items()}
    fed.update({inputs[key]: value for key, value in features.items()})
    return session.run(outputs, feed_dict=fed)


def predict_continuation(
    continue_from: Mapping[str, Any],
    signatures: Any,
    session: BaseSession,
    steps: int | None = None,
    times: TensorLike | None = None,
    exogenous_features: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Returns the predictions of an exported model, continuing from an evaluation or from filtered observations.

    Args:
      continue_from: a dict: the result of `evaluate`, `cold_start_filter` or `filter_continuation`.
      signatures: the MetaGraphDef returned by `tf.saved_model.loader.load`.
      session: the session into which it was loaded.
      steps: number of steps predicted.
      times: alternatively, prediction times, integers [batch, window] after the previous ones; [window] for a batch of
        one.
      exogenous_features: arrays [batch, window, ...] by feature name.

    Returns:
      A dict: "times", integers [batch, window], and the model's predictions, "mean" and "covariance".

    Raises:
      ValueError: if both or neither of `steps` and `times` are given, or the times are invalid.

    Example:
      state = tf.contrib.timeseries.saved_model_utils.cold_start_filter(meta_graph, session, features)
      tf.contrib.timeseries.saved_model_utils.predict_continuation(state, meta_graph, session, steps=10)["mean"]
    """
    features = {
        PredictionFeatures.TIMES: times_after(times, steps, continue_from),
        **(exogenous_features or {}),
    }
    signature = signatures.signature_def[SavedModelLabels.PREDICT]
    output = _run_signature(session, signature, features, continue_from)
    output[PredictionResults.TIMES] = features[PredictionFeatures.TIMES]
    return output


def cold_start_filter(
    signatures: Any, session: BaseSession, features: TensorLike
) -> dict[str, Any]:
    """Returns the state of an exported model after observations, beginning at its start state.

    Args:
      signatures: the MetaGraphDef returned by `tf.saved_model.loader.load`.
      session: the session into which it was loaded.
      features: a dict of arrays: "times", integers, [length] or [batch, length]; "values", with or without a feature
        dimension; exogenous features.

    Returns:
      A dict of the parts of the state, and "times", [batch, length].

    Raises:
      ValueError: if times or values are missing, or shapes are incompatible.
    """
    return _filter(signatures, session, features, SavedModelLabels.COLD_START_FILTER)


def filter_continuation(
    continue_from: Mapping[str, Any], signatures: Any, session: BaseSession, features: TensorLike
) -> dict[str, Any]:
    """Returns the state of an exported model after further observations.

    Args:
      continue_from: a dict: the result of `evaluate`, `cold_start_filter` or this function.
      signatures, session, features: as in `cold_start_filter`.

    Returns:
      A dict of the parts of the state, and "times", [batch, length].

    Raises:
      ValueError: if times or values are missing, or shapes are incompatible.
    """
    return _filter(signatures, session, features, SavedModelLabels.FILTER, continue_from)


def _filter(
    signatures: Any, session: Any, features: Any, label: str, state: Any = None
) -> dict[str, Any]:
    features = canonical(features, require_single_batch=False)
    output = _run_signature(session, signatures.signature_def[label], features, state)
    output[FilteringResults.TIMES] = features[FilteringResults.TIMES]
    return output
