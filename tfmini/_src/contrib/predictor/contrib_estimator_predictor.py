"""Predictors that run the latest checkpoint of a `tf.contrib.learn` Estimator in a session."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.learn.model_fn import ModeKeys, PredictionKey
from tfmini._src.contrib.predictor.saved_model_predictor import SavedModelPredictor
from tfmini._src.graph.graph import Graph
from tfmini._src.models.estimator.estimator import Estimator
from tfmini._src.train.checkpoints.checkpoint_management import latest_checkpoint
from tfmini._src.train.monitored.monitored_session import MonitoredSession
from tfmini._src.train.monitored.session_creator import ChiefSessionCreator

if TYPE_CHECKING:
    from tfmini._src.base import proto


_DEFAULT_INPUT = "default_input_alternative"


class ContribEstimatorPredictor(SavedModelPredictor):
    """Session with an Estimator's model, and the model's input and output tensors."""

    graph: Graph = read_only("The graph in which the model was built.", "_own_graph")

    def __init__(self, graph: Graph, session: Any, feeds: dict, fetches: dict):
        self._own_graph, self._session = graph, session
        self._feed_tensors, self._fetch_tensors = feeds, fetches


def from_contrib_estimator(
    estimator: Any,
    prediction_input_fn: Callable[..., Any],
    input_alternative_key: str | None = None,
    output_alternative_key: str | None = None,
    graph: Graph | None = None,
    config: proto.ConfigProto | None = None,
) -> ContribEstimatorPredictor:
    """Returns the predictor of an Estimator's latest checkpoint, a function from a dict of arrays to a dict of arrays.

    Args:
      estimator: a trained Estimator of `tf.contrib.learn`.
      prediction_input_fn: returns InputFnOps, see `tf.contrib.learn.build_parsing_serving_input_fn`.
      input_alternative_key: must be None, for the default inputs.
      output_alternative_key: key of the output, if there are several.
      graph: graph of the model, by default a new one.
      config: a ConfigProto for the session.

    Raises:
      TypeError: for a `tf.estimator.Estimator`.
      ValueError: if features are missing, the output is unknown, or the key is missing for several outputs.
      KeyError: for an unknown input.

    Example: `predict = tf.contrib.predictor.from_contrib_estimator(model, input_fn)`.
    """
    if isinstance(estimator, Estimator):
        raise TypeError(
            "Expected estimator to be of type tf.contrib.learn.Estimator, but got type "
            "tf.python.estimator.Estimator. You likely want to call from_estimator."
        )
    graph = graph or Graph()
    with graph.as_default():
        features, _, inputs = prediction_input_fn()
        result = estimator._call_model_fn(features, None, ModeKeys.INFER)
        creator = ChiefSessionCreator(
            config=config, checkpoint_filename_with_path=latest_checkpoint(estimator.model_dir)
        )
        session = MonitoredSession(session_creator=creator)
    if not features:
        raise ValueError("Features must be defined.")
    feeds = {_DEFAULT_INPUT: inputs}[input_alternative_key or _DEFAULT_INPUT]
    return ContribEstimatorPredictor(
        graph, session, feeds, _output_tensors(result, output_alternative_key)
    )


def _output_tensors(predictions: Any, key: str | None) -> dict:
    """Returns the tensors of the output with a key, or of the only output."""
    outputs = predictions.output_alternatives
    if not outputs:
        if key:
            raise ValueError(
                f"Requested default_output_alternative: {key}, but available output_alternatives are: []"
            )
        predicted = predictions.predictions
        return predicted if isinstance(predicted, dict) else {PredictionKey.GENERIC: predicted}
    if key:
        if key not in outputs:
            raise ValueError(
                f"Requested default_output_alternative: {key}, but available output_alternatives are: "
                f"{sorted(outputs)}"
            )
        return outputs[key][1]
    if len(outputs) > 1:
        raise ValueError(
            f"Please specify a default_output_alternative.  Available output_alternatives are: {sorted(outputs)}"
        )
    ((_, predicted),) = outputs.values()
    return predicted
