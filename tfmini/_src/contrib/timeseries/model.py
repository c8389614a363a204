"""Base class of time series models: scaling, exogenous features, and the interface used by heads."""

from __future__ import annotations

import abc
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.timeseries.feature_keys import TrainEvalFeatures
from tfmini._src.contrib.timeseries.states import replicate_state
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.feature_column.input_layer import input_layer
from tfmini._src.models.feature_column.parse_example_spec import make_parse_example_spec
from tfmini._src.ops import ops


class ModelOutputs(NamedTuple):
    """Outputs of a model for a batch.

    Attributes:
      loss: the scalar to minimize.
      end_state: the state after the last time, a nested tuple.
      predictions: tensors [batch, window, ...] by name.
      prediction_times: integers [batch, window].
    """

    loss: Any
    end_state: Any
    predictions: dict[str, Any]
    prediction_times: Any


class TimeSeriesModel(abc.ABC):
    """Base class of time series models, which a `TimeSeriesRegressor` trains.

    Args:
      num_features: number of values per time step.
      exogenous_feature_columns: feature columns of the exogenous features.
      dtype: dtype of the values.
    """

    exogenous_feature_columns: Any = read_only(
        "The feature columns of the exogenous features, a list."
    )

    def __init__(
        self,
        num_features: int,
        exogenous_feature_columns: Iterable[Any] | None = None,
        dtype: DTypeLike = dtypes.float32,
    ):
        self._exogenous_feature_columns = exogenous_feature_columns or []
        self.num_features = num_features
        self.dtype = dtype
        self._input_statistics: Any = None
        self._graph_initialized = False
        self._stats_means: Any = None
        self._stats_sigmas: Any = None

    def generate(
        self,
        number_of_series: int,
        series_length: int,
        model_parameters: object = None,
        seed: int | None = None,
    ) -> Any:
        """Generates series from the model, if it supports that.

        Args:
          number_of_series: number of series.
          series_length: length of each series.
          model_parameters: a dict from parameters to replacement values.
          seed: random seed.

        Returns:
          A dict: "times", integers [number_of_series, series_length], and "values", floats
          [number_of_series, series_length, features].
        """
        raise NotImplementedError("This model does not support generation.")

    def initialize_graph(self, input_statistics: Any = None) -> None:
        """Creates the parameters of the model in the default graph; must be called first.

        Args:
          input_statistics: `InputStatistics` of the series for scaling values; None for no scaling.
        """
        self._graph_initialized = True
        self._input_statistics = input_statistics
        if input_statistics:
            self._stats_means, variances = input_statistics.overall_feature_moments
            self._stats_sigmas = ops.sqrt(variances)

    def _scale_data(self, data: Any) -> Any:
        """Normalizes values to the scale of the model."""
        if self._input_statistics is None:
            return data
        return (data - self._stats_means) / self._stats_sigmas

    def _scale_variance(self, variance: Any) -> Any:
        """Normalizes variances to the scale of the model."""
        if self._input_statistics is None:
            return variance
        return variance / self._input_statistics.overall_feature_moments.variance

    def _scale_back_data(self, data: Any) -> Any:
        """Transforms values back to the scale of the series."""
        if self._input_statistics is None:
            return data
        return (data * self._stats_sigmas) + self._stats_means

    def _scale_back_variance(self, variance: Any) -> Any:
        """Transforms variances back to the scale of the series."""
        if self._input_statistics is None:
            return variance
        return variance * self._input_statistics.overall_feature_moments.variance

    def _check_graph_initialized(self) -> None:
        if not self._graph_initialized:
            raise ValueError(
                "TimeSeriesModels require initialize_graph() to be called before use. This defines"
                " variables and ops in the default graph, and allows Tensor-valued input statistics"
                " to be specified."
            )

    def define_loss(self, features: Mapping[str, Any], mode: str) -> ModelOutputs:
        """Returns the model outputs for a batch of series that all begin at the model's start state.

        Args:
          features: tensors by name: "times", integers [batch, window]; "values", floats [batch, window, features];
            exogenous features [batch, window, ...].
          mode: TRAIN or EVAL of `tf.estimator.ModeKeys`.

        Raises:
          ValueError: if `initialize_graph` was not called.
        """
        self._check_graph_initialized()
        start = self.get_start_state()
        state = replicate_state(start, ops.shape(features[TrainEvalFeatures.TIMES])[0])
        return self.get_batch_loss(features=features, mode=mode, state=state)

    @abc.abstractmethod
    def get_start_state(self) -> Any:
        """Returns the state at the start of a series, a tuple of tensors without a batch dimension."""

    @abc.abstractmethod
    def get_batch_loss(self, features: Mapping[str, Any], mode: str, state: object) -> ModelOutputs:
        """Returns the model outputs for a batch of series.

        Args:
          features: tensors by name, as in `define_loss`.
          mode: TRAIN or EVAL of `tf.estimator.ModeKeys`.
          state: the state before the first time step, tensors [batch, ...].
        """

    @abc.abstractmethod
    def predict(self, features: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the predictions, tensors [batch, window, ...] by name.

        Args:
          features: tensors by name: "times", integers [batch, window], after the last time of the state; "start_tuple",
            the state, tensors [batch, ...]; exogenous features [batch, window, ...].
        """

    def _get_exogenous_embedding_shape(self) -> Any:
        """Returns the shape of the vector that embeds exogenous features, without the batch."""
        if not self._exogenous_feature_columns:
            return (0,)
        with Graph().as_default():
            parsed = ops.parse_example(
                serialized=ops.placeholder(shape=[None], dtype=dtypes.string),
                features=make_parse_example_spec(self._exogenous_feature_columns),
            )
            embedded = input_layer(parsed, self._exogenous_feature_columns)
            return embedded.get_shape().as_list()[1:]

    def _process_exogenous_features(self, times: Tensor, features: Any) -> Any:
        """Returns exogenous features as vectors [batch, window, size]; None if the model has none."""
        if not self._exogenous_feature_columns:
            return None
        merged = {name: _merge_window(name, tensor) for name, tensor in features.items()}
        embedded = input_layer(merged, self._exogenous_feature_columns, trainable=True)
        shape = [ops.shape(times), ops.shape(embedded)[1:]]
        vectors = ops.reshape(embedded, ops.concat(shape, axis=0))
        vectors.set_shape(times.get_shape().concatenate(embedded.get_shape()[1:]))
        return ops.cast(vectors, dtype=self.dtype)


def _merge_window(name: str, tensor: Tensor) -> Tensor:
    """Flattens a feature [batch, window, ...] to [batch * window, ...]; unless a string, its rank is at least 2."""
    if tensor.get_shape().ndims is None:
        raise ValueError(
            "Features with unknown rank are not supported."
            f" Got shape {tensor.get_shape()} for feature {name}."
        )
    shape = ops.shape(tensor)
    tensor = ops.reshape(tensor, ops.concat([[shape[0] * shape[1]], shape[2:]], axis=0))
    if tensor.get_shape().ndims == 1 and tensor.dtype != dtypes.string:
        return tensor[:, None]
    return tensor
