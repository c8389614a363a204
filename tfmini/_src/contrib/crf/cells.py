"""One step of each recursion over time, as cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import dimension_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.rnn.rnn_cell import RNNCell
from tfmini._src.ops import ops, raw

if TYPE_CHECKING:
    from tfmini._src.variables.get_variable import VariableScope


class _TransitionCell(RNNCell):
    """A cell over the tags of a transition matrix; it has no weights."""

    state_size: Any = read_only("The number of tags.", "_num_tags")
    output_size: Any = read_only("The number of tags.", "_num_tags")

    def __init__(self, transition_params: Any):
        self._transition_params = ops.expand_dims(transition_params, 0)
        self._num_tags = dimension_value(transition_params.shape[0])

    def _scores(self, state: Any) -> Any:
        """Scores [batch, tag before, tag] of a step from each tag to each."""
        return ops.expand_dims(state, 2) + self._transition_params


class CrfForwardRnnCell(_TransitionCell):
    """The forward algorithm: for each tag the log of the sum over all sequences that end with it.

    Args:
      transition_params: float tensor [tags, tags], the scores of consecutive tag pairs.
    """

    def __call__(
        self, inputs: TensorLike, state: Tensor, scope: str | VariableScope | None = None
    ) -> Any:
        """One step.

        Args:
          inputs: float [batch, tags], unary scores.
          state: float [batch, tags], the logs of the sums so far.
          scope: ignored.

        Returns:
          The new sums, twice: as output and as state.
        """
        alphas = inputs + ops.reduce_logsumexp(self._scores(state), [1])
        return alphas, alphas


class CrfDecodeForwardRnnCell(_TransitionCell):
    """The Viterbi algorithm: for each tag the best sequence that ends with it.

    Args:
      transition_params: float tensor [tags, tags], the scores of consecutive tag pairs.
    """

    def __call__(
        self, inputs: TensorLike, state: Tensor, scope: str | VariableScope | None = None
    ) -> Any:
        """One step.

        Args:
          inputs: float [batch, tags], unary scores.
          state: float [batch, tags], the best scores so far.
          scope: ignored.

        Returns:
          int32 [batch, tags], the tag before each tag in the best sequence, and the new best scores.
        """
        scores = self._scores(state)
        best = inputs + ops.reduce_max(scores, [1])
        backpointers = ops.cast(ops.argmax(scores, 1), dtype=dtypes.int32)
        return backpointers, best


class CrfDecodeBackwardRnnCell(RNNCell):
    """Backtracking through the pointers of `CrfDecodeForwardRnnCell`, from the last tag to the first.

    Args:
      num_tags: the number of tags.
    """

    def __init__(self, num_tags: int):
        self._num_tags = num_tags

    @property
    def state_size(self) -> int:
        """1: the index of a tag."""
        return 1

    @property
    def output_size(self) -> int:
        """1: the index of a tag."""
        return 1

    def __call__(
        self, inputs: TensorLike, state: Tensor, scope: str | VariableScope | None = None
    ) -> Any:
        """One step.

        Args:
          inputs: int32 [batch, tags], pointers of the step after this one.
          state: int32 [batch, 1], the tag of the step after this one.
          scope: ignored.

        Returns:
          int32 [batch, 1], the tag of this step, twice: as output and as state.
        """
        state = ops.squeeze(state, axis=[1])
        rows = ops.range(ops.shape(inputs)[0])
        positions = ops.stack([rows, state], axis=1)
        tags = ops.expand_dims(raw.GatherNd(inputs, positions), axis=-1)
        return tags, tags
