"""RNN cells that each compute one time step of a recursion."""

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
    """Base class of the cells: they have a transition matrix over tags, but no weights."""

    state_size: Any = read_only("The number of tags.", "_num_tags")
    output_size: Any = read_only("The number of tags.", "_num_tags")

    def __init__(self, transition_params: Any):
        self._transition_params = ops.expand_dims(transition_params, 0)
        self._num_tags = dimension_value(transition_params.shape[0])

    def _scores(self, state: Any) -> Any:
        """Returns the scores of all transitions in a step, [batch, previous tag, tag]."""
        return ops.expand_dims(state, 2) + self._transition_params


class CrfForwardRnnCell(_TransitionCell):
    """Forward algorithm cell: computes the log of the sum over all sequences that end with each tag.

    Args:
      transition_params: float tensor [tags, tags], the scores of consecutive tag pairs.
    """

    def __call__(
        self, inputs: TensorLike, state: Tensor, scope: str | VariableScope | None = None
    ) -> Any:
        """Computes one step.

        Args:
          inputs: float [batch, tags], unary scores.
          state: float [batch, tags], logs of the sums so far.
          scope: ignored.

        Returns:
          (new sums, the same as the next state).
        """
        alphas = inputs + ops.reduce_logsumexp(self._scores(state), [1])
        return alphas, alphas


class CrfDecodeForwardRnnCell(_TransitionCell):
    """Viterbi algorithm cell: finds the best sequence that ends with each tag.

    Args:
      transition_params: float tensor [tags, tags], the scores of consecutive tag pairs.
    """

    def __call__(
        self, inputs: TensorLike, state: Tensor, scope: str | VariableScope | None = None
    ) -> Any:
        """Computes one step.

        Args:
          inputs: float [batch, tags], unary scores.
          state: float [batch, tags], best scores so far.
          scope: ignored.

        Returns:
          (backpointers, the previous tag of each tag, int32 [batch, tags]; the new best scores).
        """
        scores = self._scores(state)
        best = inputs + ops.reduce_max(scores, [1])
        backpointers = ops.cast(ops.argmax(scores, 1), dtype=dtypes.int32)
        return backpointers, best


class CrfDecodeBackwardRnnCell(RNNCell):
    """Backtracking cell: follows the backpointers of `CrfDecodeForwardRnnCell` from the last tag to the first.

    Args:
      num_tags: number of tags.
    """

    def __init__(self, num_tags: int):
        self._num_tags = num_tags

    @property
    def state_size(self) -> int:
        """State size: 1, the index of a tag."""
        return 1

    @property
    def output_size(self) -> int:
        """Output size: 1, the index of a tag."""
        return 1

    def __call__(
        self, inputs: TensorLike, state: Tensor, scope: str | VariableScope | None = None
    ) -> Any:
        """Computes one step.

        Args:
          inputs: int32 [batch, tags], backpointers of the next step.
          state: int32 [batch, 1], tag of the next step.
          scope: ignored.

        Returns:
          (tag of this step, int32 [batch, 1]; the same as the next state).
        """
        state = ops.squeeze(state, axis=[1])
        rows = ops.range(ops.shape(inputs)[0])
        positions = ops.stack([rows, state], axis=1)
        tags = ops.expand_dims(raw.GatherNd(inputs, positions), axis=-1)
        return tags, tags
