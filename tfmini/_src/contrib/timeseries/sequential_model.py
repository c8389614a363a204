"""Models that process a series step by step, with a state."""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.contrib.timeseries.feature_keys import PredictionFeatures, TrainEvalFeatures
from tfmini._src.contrib.timeseries.model import ModelOutputs, TimeSeriesModel
from tfmini._src.contrib.timeseries.step_loops import StepLoop
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops

_TIMES, _VALUES = TrainEvalFeatures.TIMES, TrainEvalFeatures.VALUES
_STATE = PredictionFeatures.STATE_TUPLE


class SequentialTimeSeriesModel(TimeSeriesModel):
    """Base class of models that process a series step by step, with a state.

    Subclasses define a step: `_imputation_step` advances the state over a gap, `_exogenous_input_step` applies
    exogenous features, `_prediction_step` predicts the values, and `_filtering_step` updates the state by the
    observed values.

    Args:
      train_output_names: outputs of a filtering step other than the loss, a list.
      predict_output_names: outputs of a prediction step, a list.
      num_features: number of values per time step.
      normalize_features: whether steps receive scaled values, which requires `_scale_back_predictions`.
      dtype: dtype of the values.
      exogenous_feature_columns: feature columns of the exogenous features.
      exogenous_update_condition: a function of `times`, integers [batch], and `features`, a dict of tensors
        [batch, ...], that returns the series to which exogenous features are applied, bools [batch]; None for all.
      static_unrolling_window_size_threshold: maximum length of unrolled windows; None to always use loops.
    """

    def __init__(
        self,
        train_output_names: list[str],
        predict_output_names: list[str],
        num_features: int,
        normalize_features: bool = False,
        dtype: Any = dtypes.float32,
        exogenous_feature_columns: Any = None,
        exogenous_update_condition: Any = None,
        static_unrolling_window_size_threshold: int | None = None,
    ):
        super().__init__(num_features, exogenous_feature_columns, dtype)
        self._exogenous_update_condition = exogenous_update_condition
        self._train_output_names = train_output_names
        self._predict_output_names = predict_output_names
        self._normalize_features = normalize_features
        self._static_unrolling_window_size_threshold = static_unrolling_window_size_threshold

    def _scale_back_predictions(self, predictions: dict[str, Any]) -> dict[str, Any]:
        """Transforms predictions back to the scale of the series."""
        raise NotImplementedError(
            "SequentialTimeSeriesModel normalized input data (normalize_features=True), but no"
            " method was provided to transform the predictions back to the input scale."
        )

    @abc.abstractmethod
    def _filtering_step(
        self, current_times: Tensor, current_values: Tensor, state: Any, predictions: Any
    ) -> tuple[Any, dict[str, Any]]:
        """Returns the state updated by values [batch, features] at times [batch], and outputs with "loss", [batch]."""

    @abc.abstractmethod
    def _prediction_step(self, current_times: Tensor, state: Any) -> tuple[Any, dict[str, Any]]:
        """Returns the state at times, [batch], and predictions, [batch, ...] by name."""

    @abc.abstractmethod
    def _imputation_step(self, current_times: Tensor, state: Any) -> Any:
        """Returns the state advanced to times, [batch]."""

    @abc.abstractmethod
    def _exogenous_input_step(
        self, current_times: Tensor, current_exogenous_regressors: Tensor, state: Any
    ) -> Any:
        """Returns the state updated by exogenous features, vectors [batch, size]."""

    def _loss_additions(self, times: Tensor, values: Tensor, mode: str) -> Any:
        """Returns terms added to the loss of a batch, such as regularization."""
        return 0.0

    def _window_initializer(self, times: Tensor, state: Any) -> None:
        """Prepares data shared by all steps of a window."""

    def get_batch_loss(self, features: Any, mode: str, state: Any) -> ModelOutputs:
        """Returns the model outputs for a batch of series.

        Args:
          features: tensors by name, as in `define_loss`.
          mode: TRAIN or EVAL of `tf.estimator.ModeKeys`.
          state: the state before the first time step, tensors [batch, ...].
        """
        loss, states, outputs = self.per_step_batch_loss(features, mode, state)
        end = pack_sequence_as(states, [state_part[:, -1] for state_part in flatten(states)])
        outputs["observed"] = features[_VALUES]
        return ModelOutputs(loss, end, outputs, features[_TIMES])

    def per_step_batch_loss(
        self, features: Any, mode: str, state: Any
    ) -> tuple[Tensor, Any, dict[str, Any]]:
        """Returns the mean loss of a batch, states after each time, [batch, window, ...], and outputs by name.

        Args:
          features: tensors by name, as in `define_loss`.
          mode: TRAIN or EVAL of `tf.estimator.ModeKeys`.
          state: the state before the first time step, tensors [batch, ...].
        """
        self._check_graph_initialized()
        times = ops.cast(features[_TIMES], dtype=dtypes.int64)
        values = ops.cast(features[_VALUES], dtype=self.dtype)
        if self._normalize_features:
            values = self._scale_data(values)
        exogenous = self._exogenous(times, features, (_TIMES, _VALUES))

        def step(step_index: Tensor, time: Tensor, state: Any) -> tuple[Any, dict[str, Any]]:
            current = values[:, step_index, :]
            state = self._update_by_exogenous(step_index, time, state, features, exogenous)
            state, predictions = self._prediction_step(current_times=time, state=state)
            return self._filtering_step(
                current_times=time, current_values=current, state=state, predictions=predictions
            )

        names = ["loss", *self._train_output_names]
        states, outputs = self._state_update_loop(times, state, step, names)
        losses = outputs.pop("loss")
        losses.set_shape(times.get_shape())
        total = ops.reduce_sum(losses)
        loss = total / ops.cast(ops.reduce_prod(ops.shape(times)), dtype=self.dtype)
        loss += self._loss_additions(times, values, mode)
        if self._normalize_features:
            outputs = self._scale_back_predictions(outputs)
        return loss, states, outputs

    def predict(self, features: Any) -> dict[str, Any]:
        """Returns the predictions from a state, tensors [batch, window, ...] by name.

        Args:
          features: tensors by name: "times", integers [batch, window], after the last time of the state; "start_tuple",
            the state, tensors [batch, ...]; exogenous features [batch, window, ...].
        """
        times = ops.convert_to_tensor(features[_TIMES], dtypes.int64)
        exogenous = self._exogenous(times, features, (_TIMES, _STATE))

        def step(step_index: Tensor, time: Tensor, state: Any) -> tuple[Any, dict[str, Any]]:
            state = self._update_by_exogenous(step_index, time, state, features, exogenous)
            return self._prediction_step(current_times=time, state=state)

        names = self._predict_output_names
        _, predictions = self._state_update_loop(times, features[_STATE], step, names)
        if self._normalize_features:
            predictions = self._scale_back_predictions(predictions)
        return predictions

    def _exogenous(self, times: Tensor, features: Any, own_names: tuple[str, ...]) -> Any:
        """Returns exogenous features as vectors [batch, window, size]; None if the model has none."""
        exogenous = {key: value for key, value in features.items() if key not in own_names}
        return self._process_exogenous_features(times=times, features=exogenous)

    def _update_by_exogenous(
        self, step_index: Tensor, times: Tensor, state: Any, features: Any, exogenous: Any
    ) -> Any:
        """Returns the state updated by a step's exogenous features, in the series where the update condition holds."""
        if exogenous is None:
            return state
        updated = self._exogenous_input_step(
            current_times=times,
            current_exogenous_regressors=exogenous[:, step_index, :],
            state=state,
        )
        if self._exogenous_update_condition is None:
            return updated
        internal_keys = (_STATE, _TIMES, _VALUES)
        current = {
            k: value[:, step_index] for k, value in features.items() if k not in internal_keys
        }
        selected = [
            ops.where(self._exogenous_update_condition(times=times, features=current), new, old)
            for new, old in zip(flatten(updated), flatten(state))
        ]
        return pack_sequence_as(state, selected)

    def _state_update_loop(
        self, times: Any, state: Any, state_update_fn: Callable, outputs: list[str]
    ) -> tuple[Any, dict[str, Any]]:
        """Returns the states and outputs of a step function at each time, [batch, window, ...]."""
        times = ops.convert_to_tensor(times, dtype=dtypes.int64)
        length, max_steps = times.shape.dims[1].value, self._static_unrolling_window_size_threshold
        self._window_initializer(times, state)
        loop = StepLoop(times, state, outputs, self.dtype, self._imputation_step, state_update_fn)
        is_unrolled = max_steps is not None and length is not None and length <= max_steps
        return loop.unroll(length) if is_unrolled else loop.run()
