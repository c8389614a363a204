"""The keys of features, of states and of results."""

from __future__ import annotations

from tfmini._src.saved_model.signature_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY


class State:
    """The keys of a model's state: as one tuple, and as what its flattened parts are called when it is served."""

    STATE_TUPLE = "start_tuple"
    STATE_PREFIX = "model_state"


class Times:
    """The key of times: increasing integers."""

    TIMES = "times"


class Values:
    """The key of values: for each time one number or several."""

    VALUES = "values"


class TrainEvalFeatures(Times, Values):
    """The keys of the features that training and evaluation need.

    Attributes:
      TIMES: "times", increasing integers [batch, window].
      VALUES: "values", floats [batch, window, features].

    Example:
      keys = tf.contrib.timeseries.TrainEvalFeatures
      reader = tf.contrib.timeseries.NumpyReader({keys.TIMES: np.arange(9), keys.VALUES: np.ones(9)})
    """


class PredictionFeatures(Times, State):
    """The keys of the features that a prediction needs."""


class FilteringFeatures(Times, Values, State):
    """The keys of the features that move a state over observations."""


class PredictionResults(Times):
    """The keys of predictions, beside those of the model."""


class FilteringResults(Times, State):
    """The keys of an evaluation's results that say where it ended.

    Attributes:
      TIMES: "times", integers [batch, window].
      STATE_TUPLE: "start_tuple", the state of the model after the last of them, a nested tuple.
      STATE_PREFIX: "model_state", with which the names of its parts begin where a SavedModel gives them.

    Example: `state = evaluation[tf.contrib.timeseries.FilteringResults.STATE_TUPLE]`.
    """


class SavedModelLabels:
    """The signatures of an exported model."""

    PREDICT = DEFAULT_SERVING_SIGNATURE_DEF_KEY
    FILTER = "filter"
    COLD_START_FILTER = "cold_start_filter"
