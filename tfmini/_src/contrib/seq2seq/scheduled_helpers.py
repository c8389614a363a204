"""Scheduled sampling: sometimes feeds the cell's output instead of the target as the next input.

S. Bengio et al., "Scheduled sampling for sequence prediction with recurrent neural networks" (2015).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.nest.structure import map_structure
from tfmini._src.contrib.seq2seq.decoder import embedding_function
from tfmini._src.contrib.seq2seq.sample_from_logits import draw_bernoulli, draw_categories
from tfmini._src.contrib.seq2seq.training_helper import TrainingHelper, unstack_steps
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.rnn.state_sizes import swap_batch_and_time
from tfmini._src.ops import ops, raw


def _probability(sampling_probability: Any) -> Tensor:
    probability = ops.convert_to_tensor(sampling_probability, name="sampling_probability")
    if probability.get_shape().ndims not in (0, 1):
        raise ValueError(
            "sampling_probability must be either a scalar or a vector. "
            f"saw shape: {probability.get_shape()}"
        )
    return probability


def _scatter(
    positions: Any, rows: Any, other_positions: Any, other_rows: Any, shape: Any
) -> Tensor:
    """Scatters two sets of rows to their positions in one tensor."""
    return ops.scatter_nd(indices=positions, updates=rows, shape=shape) + ops.scatter_nd(
        indices=other_positions, updates=other_rows, shape=shape
    )


class ScheduledEmbeddingTrainingHelper(TrainingHelper):
    """A TrainingHelper whose next input is, with some probability, the embedding of a sample from the outputs.

    Args:
      inputs, sequence_length, time_major, name: as for TrainingHelper.
      embedding: a function from int32 ids to inputs, or parameters for `tf.nn.embedding_lookup`.
      sampling_probability: float scalar or [batch], probability of sampling.
      seed: sampling seed.
      scheduling_seed: seed of the decision to sample.

    Raises:
      ValueError: if `sampling_probability` is neither scalar nor vector.
    """

    def __init__(
        self,
        inputs: TensorLike,
        sequence_length: TensorLike,
        embedding: TensorLike | Callable[..., Any],
        sampling_probability: TensorLike,
        time_major: bool = False,
        seed: int | None = None,
        scheduling_seed: int | None = None,
        name: str | None = None,
    ):
        with name_scope(
            name, "ScheduledEmbeddingSamplingWrapper", [embedding, sampling_probability]
        ):
            self._embedding_fn = embedding_function(embedding)
            self._sampling_probability = _probability(sampling_probability)
            self._seed = seed
            self._scheduling_seed = scheduling_seed
            super().__init__(
                inputs=inputs, sequence_length=sequence_length, time_major=time_major, name=name
            )

    def sample(  # type: ignore[override]
        self, time: Tensor, outputs: Tensor, state: object, name: str | None = None
    ) -> Tensor:
        """Returns int32 samples [batch], -1 where not sampled."""
        with name_scope(name, "ScheduledEmbeddingTrainingHelperSample", [time, outputs, state]):
            is_sampled = draw_bernoulli(
                probs=self._sampling_probability,
                dtype=dtypes.bool,
                sample_shape=self.batch_size,
                seed=self._scheduling_seed,
            )
            draws = draw_categories(outputs, self._seed)
            return ops.where(is_sampled, draws, raw.Fill([self.batch_size], -1))

    def next_inputs(  # type: ignore[override]
        self,
        time: Tensor,
        outputs: Tensor,
        state: object,
        sample_ids: Tensor,
        name: str | None = None,
    ) -> tuple[Any, Any, Any]:
        """Returns (finished, next inputs: targets or embeddings of samples, `state`)."""
        values = [time, outputs, state, sample_ids]
        with name_scope(name, "ScheduledEmbeddingTrainingHelperNextInputs", values):
            finished, next_given, state = super().next_inputs(
                time=time, outputs=outputs, state=state, sample_ids=sample_ids, name=name
            )

            def with_draws() -> Tensor:
                sampled_indices = ops.cast(ops.where(sample_ids > -1), dtypes.int32)
                unsampled = ops.cast(ops.where(sample_ids <= -1), dtypes.int32)
                ids = ops.gather_nd(sample_ids, sampled_indices)
                unchanged = ops.gather_nd(next_given, unsampled)
                embedded = self._embedding_fn(ids)
                return _scatter(
                    sampled_indices, embedded, unsampled, unchanged, ops.shape(next_given)
                )

            next_inputs = ops.cond(ops.reduce_all(finished), lambda: next_given, with_draws)
            return finished, next_inputs, state


class ScheduledOutputTrainingHelper(TrainingHelper):
    """A TrainingHelper whose next input is, with some probability, computed from the outputs themselves.

    Args:
      inputs, sequence_length, time_major, name: as for TrainingHelper.
      sampling_probability: float scalar or [batch], probability of using outputs.
      seed: seed of that decision.
      next_inputs_fn: function from outputs to inputs; by default the identity.
      auxiliary_inputs: tensor [batch, time, ...], concatenated to each input on the last axis.

    Raises:
      ValueError: if `sampling_probability` is neither scalar nor vector.
    """

    def __init__(
        self,
        inputs: TensorLike,
        sequence_length: TensorLike,
        sampling_probability: TensorLike,
        time_major: bool = False,
        seed: int | None = None,
        next_inputs_fn: Callable[..., Any] | None = None,
        auxiliary_inputs: object = None,
        name: str | None = None,
    ):
        with name_scope(
            name, "ScheduledOutputTrainingHelper", [inputs, auxiliary_inputs, sampling_probability]
        ):
            self._sampling_probability = _probability(sampling_probability)
            self._auxiliary_input_tas = None
            if auxiliary_inputs is not None:
                inputs = ops.convert_to_tensor(inputs, name="inputs")
                auxiliary_inputs = ops.convert_to_tensor(auxiliary_inputs, name="auxiliary_inputs")
                inputs = ops.concat((inputs, auxiliary_inputs), -1)
                if not time_major:
                    auxiliary_inputs = swap_batch_and_time(auxiliary_inputs)
                self._auxiliary_input_tas = unstack_steps(auxiliary_inputs)
            self._seed = seed
            self._next_inputs_fn = next_inputs_fn
            super().__init__(
                inputs=inputs, sequence_length=sequence_length, time_major=time_major, name=name
            )

    def sample(  # type: ignore[override]
        self, time: Tensor, outputs: Tensor, state: object, name: str | None = None
    ) -> Tensor:
        """Returns an int32 vector [batch]: 1 where outputs are used, else 0."""
        with name_scope(name, "ScheduledOutputTrainingHelperSample", [time, outputs, state]):
            return draw_bernoulli(
                probs=self._sampling_probability,
                dtype=dtypes.int32,
                sample_shape=self.batch_size,
                seed=self._seed,
            )

    def next_inputs(  # type: ignore[override]
        self,
        time: Tensor,
        outputs: Tensor,
        state: object,
        sample_ids: Tensor,
        name: str | None = None,
    ) -> tuple[Any, Any, Any]:
        """Returns (finished, next inputs: targets or computed from outputs, `state`)."""
        values = [time, outputs, state, sample_ids]
        with name_scope(name, "ScheduledOutputTrainingHelperNextInputs", values):
            finished, next_given, state = super().next_inputs(
                time=time, outputs=outputs, state=state, sample_ids=sample_ids, name=name
            )
            is_sampled = ops.cast(sample_ids, dtypes.bool)

            def with_auxiliary(values: Any, positions: Any = None) -> Any:
                if self._auxiliary_input_tas is None:
                    return values
                extra = self._auxiliary_input_tas.read(time + 1)
                if positions is not None:
                    extra = ops.gather_nd(extra, positions)
                return map_structure(lambda x, y: ops.concat((x, y), -1), values, extra)

            def with_outputs() -> Tensor:
                if self._next_inputs_fn is None:
                    return ops.where(is_sampled, with_auxiliary(outputs), next_given)
                sampled = ops.cast(ops.where(is_sampled), dtypes.int32)
                unsampled = ops.cast(ops.where(ops.logical_not(is_sampled)), dtypes.int32)
                outputs_taken = ops.gather_nd(outputs, sampled)
                unchanged = ops.gather_nd(next_given, unsampled)
                result = with_auxiliary(self._next_inputs_fn(outputs_taken), sampled)
                return _scatter(sampled, result, unsampled, unchanged, ops.shape(next_given))

            all_finished = ops.reduce_all(finished)
            is_none_sampled = ops.logical_not(ops.reduce_any(is_sampled))
            next_inputs = ops.cond(
                ops.logical_or(all_finished, is_none_sampled), lambda: next_given, with_outputs
            )
            return finished, next_inputs, state
