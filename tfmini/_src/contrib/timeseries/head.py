"""Heads of time series models: training loss, evaluation results, predictions, serving signatures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes
from tfmini._src.base.nest.structure import pack_sequence_as
from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.timeseries import feature_checks
from tfmini._src.contrib.timeseries.feature_keys import (
    FilteringResults,
    PredictionResults,
    SavedModelLabels,
    State,
    TrainEvalFeatures,
)
from tfmini._src.contrib.timeseries.identity_metrics import identity_metric, nested_identity_metric
from tfmini._src.contrib.timeseries.model import ModelOutputs
from tfmini._src.contrib.timeseries.states import state_names, state_to_dictionary
from tfmini._src.graph.convert_to_tensor import convert_to_tensor_or_sparse_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.models.estimator.estimator_spec import EstimatorSpec
from tfmini._src.models.estimator.export.export_output import PredictOutput
from tfmini._src.models.estimator.heads.metrics import LOSS, LOSS_MEAN, metric_key
from tfmini._src.models.estimator.mode_keys import ModeKeys
from tfmini._src.nn.metrics.running_means import mean
from tfmini._src.ops import ops
from tfmini._src.ops.summaries import scalar_histogram_summary as summaries
from tfmini._src.train.global_step import get_global_step
from tfmini._src.variables.variable_scope import variable_scope

if TYPE_CHECKING:
    from tfmini._src.train.optimizers.optimizer import Optimizer


_TIMES, _VALUES = TrainEvalFeatures.TIMES, TrainEvalFeatures.VALUES


class _StatelessOutput(PredictOutput):
    """Export output whose signature omits the state."""

    def as_signature_def(self, receiver_tensors: Any) -> Any:
        inputs = {
            key: value
            for key, value in receiver_tensors.items()
            if not key.startswith(State.STATE_PREFIX)
        }
        return super().as_signature_def(inputs)


class TimeSeriesRegressionHead:
    """Head of a time series model, with `create_estimator_spec` as the model function of an Estimator.

    Args:
      model: the model, a `TimeSeriesModel`.
      state_manager: the source of states, a `PassthroughStateManager`.
      optimizer: minimizes the loss, a `tf.train.Optimizer`.
      input_statistics_generator: computes the statistics that scale values, an `InputStatisticsFromMiniBatch`;
        None for no scaling.
      name: head name.
    """

    name: Any = read_only("Name of the head; None if unnamed.")

    def __init__(
        self,
        model: Any,
        state_manager: Any,
        optimizer: Optimizer,
        input_statistics_generator: Any = None,
        name: str | None = None,
    ):
        self.model = model
        self.state_manager = state_manager
        self.optimizer = optimizer
        self.input_statistics_generator = input_statistics_generator
        self._name = name

    @property
    def logits_dimension(self) -> int:
        """Always 1, as there are no logits."""
        return 1

    def create_loss(
        self, features: Any, mode: str, logits: Any = None, labels: Any = None
    ) -> ModelOutputs:
        """Returns the model outputs for a batch, with a summary of the loss.

        Args:
          features: tensors by name.
          mode: TRAIN or EVAL of `tf.estimator.ModeKeys`.
          logits, labels: unused.
        """
        outputs = self.state_manager.define_loss(self.model, features, mode)
        summaries.scalar(metric_key(self._name, LOSS), outputs.loss)
        return outputs

    def _train_ops(self, features: Any) -> EstimatorSpec:
        mode = ModeKeys.TRAIN
        with variable_scope("model", use_resource=True):
            loss = self.create_loss(features, mode).loss
        train_op = self.optimizer.minimize(loss, global_step=get_global_step())
        return EstimatorSpec(loss=loss, mode=mode, train_op=train_op)

    def _evaluate_ops(self, features: Any) -> EstimatorSpec:
        mode = ModeKeys.EVAL
        with variable_scope("model", use_resource=True):
            outputs = self.create_loss(features, mode)
        measures = {name: identity_metric(name, p) for name, p in outputs.predictions.items()}
        times, state = FilteringResults.TIMES, FilteringResults.STATE_TUPLE
        measures[times] = identity_metric(times, outputs.prediction_times)
        measures[state] = nested_identity_metric(state, outputs.end_state)
        measures[LOSS_MEAN] = mean(outputs.loss, name=LOSS_MEAN)
        return EstimatorSpec(
            loss=outputs.loss,
            mode=mode,
            eval_metric_ops=measures,
            predictions=outputs.predictions,
        )

    def _predict_ops(self, features: Any) -> EstimatorSpec:
        with variable_scope("model", use_resource=True):
            prediction = self.model.predict(features=features)
        prediction[PredictionResults.TIMES] = features[_TIMES]
        return EstimatorSpec(predictions=prediction, mode=ModeKeys.PREDICT)

    def _serving_ops(self, features: Any) -> EstimatorSpec:
        with variable_scope("model", use_resource=True):
            predicted = self.model.predict(features=features)
        with variable_scope("model", reuse=True):
            filtered = self.create_loss(features, ModeKeys.EVAL)
        with variable_scope("model", reuse=True):
            started = self.model.define_loss(features=features, mode=ModeKeys.EVAL)
        outputs = {
            SavedModelLabels.PREDICT: PredictOutput(predicted),
            SavedModelLabels.FILTER: PredictOutput(state_to_dictionary(filtered.end_state)),
            SavedModelLabels.COLD_START_FILTER: _StatelessOutput(
                state_to_dictionary(started.end_state)
            ),
        }
        return EstimatorSpec(mode=ModeKeys.PREDICT, export_outputs=outputs, predictions={})

    def _tensor(self, name: str, value: Any) -> Any:
        """Returns a feature as a tensor of the dtype implied by its name; states are left unchanged."""
        if name == _TIMES:
            return ops.cast(value, dtypes.int64)
        if name == _VALUES:
            return ops.cast(value, self.model.dtype)
        if name == State.STATE_TUPLE:
            return value
        return convert_to_tensor_or_sparse_tensor(value)

    def _gather_state(self, features: Any) -> tuple[Any, bool]:
        """Packs the parts of a state in the features into one tuple; also returns whether any were found."""
        names = state_names(features)
        if not names:
            return features, False
        remaining = {key: value for key, value in features.items() if key not in names}
        remaining[State.STATE_TUPLE] = pack_sequence_as(
            self.model.get_start_state(), [features[name] for name in names]
        )
        return remaining, True

    def _check_predict_features(self, features: Any) -> None:
        feature_checks.check_predict_features(features)

    def create_estimator_spec(self, features: Any, mode: str, labels: Any = None) -> EstimatorSpec:
        """Builds the EstimatorSpec that a model function returns.

        Args:
          features: tensors by name: "times", integers [batch, window]; "values", [batch, window, features]; exogenous
            features, [batch, window, ...]; a state, as "start_tuple" or in parts, for predictions.
          mode: the mode of `tf.estimator.ModeKeys`. With a state in parts, PREDICT builds an export.
          labels: None or {}.

        Raises:
          ValueError: for labels, missing features, wrong feature shapes, or an unknown mode.
        """
        with name_scope(self._name, "head"):
            if labels is not None and labels != {}:
                raise ValueError(
                    "The model received a `labels`, which is not supported."
                    f" Pass '{_TIMES}' and '{_VALUES}' as features."
                )
            features = {name: self._tensor(name, value) for name, value in features.items()}
            statistics = None
            if self.input_statistics_generator is not None:
                statistics = self.input_statistics_generator.initialize_graph(
                    features, update_statistics=mode == ModeKeys.TRAIN
                )
            self.model.initialize_graph(input_statistics=statistics)
            features, is_served = self._gather_state(features)
            if mode in (ModeKeys.TRAIN, ModeKeys.EVAL):
                feature_checks.check_train_eval_features(features, self.model)
            elif mode == ModeKeys.PREDICT:
                self._check_predict_features(features)
            else:
                raise ValueError(f"Unknown mode '{mode}' passed to model_fn.")
            self.state_manager.initialize_graph(model=self.model, input_statistics=statistics)
            if mode == ModeKeys.TRAIN:
                return self._train_ops(features)
            if mode == ModeKeys.EVAL:
                return self._evaluate_ops(features)
            return self._serving_ops(features) if is_served else self._predict_ops(features)


class OneShotPredictionHead(TimeSeriesRegressionHead):
    """Head whose exported model has a single, stateless signature.

    Its inputs are "times", integers [batch, length], "values" for the first times, [batch, shorter, features], and
    exogenous features, [batch, length, ...]. It filters the values from the model's start state and predicts the
    remaining times.

    Args:
      model, state_manager, optimizer, input_statistics_generator, name: as in `TimeSeriesRegressionHead`; supplied by
        the regressor.

    Example:
      head = tf.contrib.timeseries.OneShotPredictionHead
      model = tf.contrib.timeseries.StructuralEnsembleRegressor(24, num_features=1, head_type=head)
      model.export_saved_model(directory, model.build_raw_serving_input_receiver_fn())
    """

    def _check_predict_features(self, features: Any) -> None:
        feature_checks.check_one_shot_features(features)

    def _evaluate_ops(self, features: Any) -> EstimatorSpec:
        spec = super()._evaluate_ops(features)
        del spec.eval_metric_ops[State.STATE_TUPLE]
        return spec

    def _serving_ops(self, features: Any) -> EstimatorSpec:
        with variable_scope("model", use_resource=True):
            past, future = {}, {}
            length = ops.shape(features[_VALUES])[1]
            for key, value in features.items():
                if key == _VALUES:
                    past[key] = value
                elif key != State.STATE_TUPLE:
                    past[key] = value[:, :length]
                    future[key] = value[:, length:]
            filtered = self.model.define_loss(features=past, mode=ModeKeys.EVAL)
            future[State.STATE_TUPLE] = filtered.end_state
        with variable_scope("model", reuse=True):
            predicted = self.model.predict(features=future)
        outputs = {SavedModelLabels.PREDICT: _StatelessOutput(predicted)}
        return EstimatorSpec(mode=ModeKeys.PREDICT, export_outputs=outputs, predictions={})
