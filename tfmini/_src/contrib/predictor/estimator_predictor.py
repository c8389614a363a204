"""Predictors that run the latest checkpoint of an Estimator in a session."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.learn.estimator import Estimator as ContribEstimator
from tfmini._src.contrib.predictor.saved_model_predictor import SavedModelPredictor
from tfmini._src.graph.graph import Graph
from tfmini._src.models.estimator.mode_keys import ModeKeys
from tfmini._src.saved_model.signature_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY
from tfmini._src.train.monitored.monitored_session import MonitoredSession
from tfmini._src.train.monitored.session_creator import ChiefSessionCreator

if TYPE_CHECKING:
    from tfmini._src.base import proto
    from tfmini._src.models.estimator.estimator import Estimator


class EstimatorPredictor(SavedModelPredictor):
    """Session with an Estimator's model, and the model's input and output tensors."""

    graph: Graph = read_only("The graph in which the model was built.", "_own_graph")

    def __init__(self, graph: Graph, session: Any, signature: Any):
        self._own_graph, self._session = graph, session
        find = graph.get_tensor_by_name
        self._feed_tensors = {key: find(info.name) for key, info in signature.inputs.items()}
        self._fetch_tensors = {key: find(info.name) for key, info in signature.outputs.items()}


def from_estimator(
    estimator: Estimator,
    serving_input_receiver_fn: Callable[..., Any],
    output_key: str | None = None,
    graph: Graph | None = None,
    config: proto.ConfigProto | None = None,
) -> EstimatorPredictor:
    """Returns the predictor of an Estimator's latest checkpoint, a function from a dict of arrays to a dict of arrays.

    Args:
      estimator: a trained Estimator.
      serving_input_receiver_fn: returns a ServingInputReceiver, see `tf.estimator.export`.
      output_key: key of the export output, by default "serving_default".
      graph: graph of the model, by default a new one.
      config: a ConfigProto for the session.

    Raises:
      TypeError: for a `tf.contrib.learn` Estimator.
      KeyError: for an unknown output.

    Example:
      predict = tf.contrib.predictor.from_estimator(estimator, receiver)
      predict({"x": np.ones([1, 4])})["probabilities"]
    """
    if isinstance(estimator, ContribEstimator):
        raise TypeError(
            "Expected estimator to be of type tf.python.estimator.Estimator, but got type "
            "tf.contrib.learn.Estimator. You likely want to call from_contrib_estimator."
        )
    graph = graph or Graph()
    with graph.as_default():
        receiver = serving_input_receiver_fn()
        spec = estimator._call_model_fn(receiver.features, None, ModeKeys.PREDICT, estimator.config)
        outputs, key = spec.export_outputs, output_key or DEFAULT_SERVING_SIGNATURE_DEF_KEY
        if key not in outputs:
            raise KeyError(f"output_key must be one of {outputs.keys()}; got {key}")
        signature = outputs[key].as_signature_def(receiver.receiver_tensors)
        creator = ChiefSessionCreator(config=config, checkpoint_dir=estimator.model_dir)
        session = MonitoredSession(session_creator=creator)
    return EstimatorPredictor(graph, session, signature)
