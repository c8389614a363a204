"""State managers, which determine the initial state of each batch."""

from __future__ import annotations

import abc
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.contrib.timeseries.feature_keys import FilteringFeatures, State, TrainEvalFeatures
from tfmini._src.contrib.timeseries.model import ModelOutputs
from tfmini._src.contrib.timeseries.state_tables import TupleOfTensorsLookup
from tfmini._src.contrib.timeseries.states import replicate_state
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.estimator.mode_keys import ModeKeys
from tfmini._src.ops import ops

_TIMES = TrainEvalFeatures.TIMES


class PassthroughStateManager:
    """State manager that starts every series at the model's start state."""

    def __init__(self) -> None:
        self._input_statistics: Any = None
        self._graph_initialized = False

    def initialize_graph(self, model: Any, input_statistics: Any = None) -> None:
        """Prepares the manager in the graph, after the model has been initialized.

        Args:
          model: the model whose states it manages.
          input_statistics: the `InputStatistics` of the series, or None.
        """
        self._graph_initialized = True
        self._input_statistics = input_statistics

    def define_loss(self, model: Any, features: Any, mode: str) -> ModelOutputs:
        """Returns the model outputs for a batch.

        Args:
          model: the model.
          features: tensors by name, as in `TimeSeriesModel.define_loss`.
          mode: TRAIN or EVAL of `tf.estimator.ModeKeys`.

        Raises:
          ValueError: if a state is among the features.
        """
        if State.STATE_TUPLE in features:
            raise ValueError("Overriding start state is not supported for this model.")
        return model.define_loss(features, mode)


class _OverridableStateManager(PassthroughStateManager):
    """Base class of managers whose state can be overridden by a state in the evaluation features."""

    @abc.abstractmethod
    def _define_loss_with_saved_state(self, model: Any, features: Any, mode: str) -> ModelOutputs:
        """Returns the model outputs for a batch without a state in its features."""

    def define_loss(self, model: Any, features: Any, mode: str) -> ModelOutputs:
        """Returns the model outputs for a batch, starting from the state in its features, if any.

        Raises:
          ValueError: if features contain a state in training.
        """
        key = FilteringFeatures.STATE_TUPLE
        if key not in features:
            return self._define_loss_with_saved_state(model, features, mode)
        if mode == ModeKeys.TRAIN:
            raise ValueError(
                "Overriding saved state for training is not supported (but a value for feature"
                f" {key} was specified)."
            )
        return model.get_batch_loss(features=features, mode=mode, state=features.pop(key))


class FilteringOnlyStateManager(_OverridableStateManager):
    """State manager for window models such as `ARModel`, which need a state only to continue a series."""

    def _define_loss_with_saved_state(self, model: Any, features: Any, mode: str) -> ModelOutputs:
        return model.define_loss(features, mode)


class ChainingStateManager(_OverridableStateManager):
    """State manager that starts each window at the end state of the preceding window, in any batch.

    States are cached in tables keyed by time, divided by an interval.

    Args:
      state_saving_interval: time between saved states.
      checkpoint_state: whether checkpoints include them.
    """

    def __init__(self, state_saving_interval: int = 20, checkpoint_state: bool = False):
        super().__init__()
        self._state_saving_interval = state_saving_interval
        self._checkpoint_state = checkpoint_state
        self._start_state: Any = None
        self._cached_states: Any = None

    def initialize_graph(self, model: Any, input_statistics: Any = None) -> None:
        """Creates the tables of states; same arguments as in `PassthroughStateManager`."""
        super().initialize_graph(model, input_statistics)
        self._start_state = model.get_start_state()
        self._cached_states = TupleOfTensorsLookup(
            key_dtype=dtypes.int64,
            default_values=self._start_state,
            empty_key=-1,
            deleted_key=-2,
            name="cached_states",
            checkpoint=self._checkpoint_state,
        )

    def _define_loss_with_saved_state(self, model: Any, features: Any, mode: str) -> ModelOutputs:
        if not self._graph_initialized:
            raise ValueError(
                "ChainingStateManager requires initialize_graph() to be called before use."
            )
        times = features[_TIMES]
        start = self._get_cached_states(times[:, 0])
        loss, states, predictions = model.per_step_batch_loss(
            features=features, mode=mode, state=start
        )
        # A window writes to a later chunk than it reads from; of several states of a chunk, the last remains.
        min_steps = self._chunk(times) + 1
        next_times = ops.concat([times[:, 1:], times[:, -1:] + 1], axis=1)
        chunks = ops.maximum(self._chunk(next_times), min_steps)
        saved = self._cached_states.insert(keys=chunks, values=states)
        last_states = [state_part[:, -1] for state_part in flatten(states)]
        with control_dependencies([saved]):
            loss = ops.identity(loss)
        # State of the last window, as a batch of one, from which predictions can continue.
        end = pack_sequence_as(states, [end_part[-1][None] for end_part in last_states])
        predictions["observed"] = features[TrainEvalFeatures.VALUES]
        return ModelOutputs(loss, end, predictions, times)

    def _chunk(self, time: Any) -> Any:
        return time // self._state_saving_interval

    def _get_cached_states(self, times: Tensor) -> Any:
        """Returns cached states before the times, [batch]; in the first chunk, the model's trainable start state."""
        chunks = self._chunk(times)
        cached = tuple(self._cached_states.lookup(ops.cast(chunks, dtypes.int64)))
        first: Any = 0
        if self._input_statistics is not None:
            first = self._input_statistics.start_time
        is_first = ops.equal(chunks, self._chunk(first))
        starts = flatten(replicate_state(self._start_state, ops.shape(times)[0]))
        states = [ops.where(is_first, a, b) for a, b in zip(starts, flatten(cached))]
        return pack_sequence_as(cached, states)
