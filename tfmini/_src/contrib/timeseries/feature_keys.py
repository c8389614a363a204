"""Keys of features, states and results."""

from __future__ import annotations

from tfmini._src.saved_model.signature_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY


class State:
    """Keys of a model's state: as one tuple, or the prefix of its flattened parts in serving."""

    STATE_TUPLE = "start_tuple"
    STATE_PREFIX = "model_state"


class Times:
    """Key of times: increasing integers."""

    TIMES = "times"


class Values:
    """Key of values: one or more numbers per time."""

    VALUES = "values"


class TrainEvalFeatures(Times, Values):
    """Keys of the features required for training and evaluation.

    Attributes:
      TIMES: "times", increasing integers [batch, window].
      VALUES: "values", floats [batch, window, features].

    Example:
      keys = tf.contrib.timeseries.TrainEvalFeatures
      reader = tf.contrib.timeseries.NumpyReader({keys.TIMES: np.arange(9), keys.VALUES: np.ones(9)})
    """


class PredictionFeatures(Times, State):
    """Keys of the features required for prediction."""


class FilteringFeatures(Times, Values, State):
    """Keys of the features required for filtering observations."""


class PredictionResults(Times):
    """Keys of predictions, in addition to the model's own keys."""


class FilteringResults(Times, State):
    """Keys of the times and the final state in evaluation results.

    Attributes:
      TIMES: "times", integers [batch, window].
      STATE_TUPLE: "start_tuple", the model state after the last time, a nested tuple.
      STATE_PREFIX: "model_state", the name prefix of its parts in a SavedModel.

    Example: `state = evaluation[tf.contrib.timeseries.FilteringResults.STATE_TUPLE]`.
    """


class SavedModelLabels:
    """Signature names of an exported model."""

    PREDICT = DEFAULT_SERVING_SIGNATURE_DEF_KEY
    FILTER = "filter"
    COLD_START_FILTER = "cold_start_filter"
