"""Average losses for distributed training, over the global batch of all replicas."""

from __future__ import annotations

from tfmini._src.base import dtypes
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.replica_modes import current_strategy, is_cross_replica
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.math.broadcast_weights import broadcast_weights
from tfmini._src.ops.math.weights_of_rank import weights_of_rank

_RANK = "Invalid value passed for `per_example_loss`. Expected a tensor with at least rank 1"


def _replicas(function: str) -> int:
    """Returns the number of replicas; raises RuntimeError in cross-replica context."""
    if is_cross_replica() and current_strategy() is not None:
        raise RuntimeError(
            f"You are calling `{function}` in cross replica context, while it was expected to be called in replica "
            "context."
        )
    strategy = current_strategy()
    return 1 if strategy is None else strategy.num_replicas_in_sync


def _rank_checks(losses: Tensor) -> list[Operation]:
    """Returns run-time checks that losses are not scalar; empty if their rank is known statically."""
    if losses._dims is not None:
        if not losses._dims:
            raise ValueError(f"{_RANK}, received: {losses}")
        return []
    rank = ops.rank(losses)
    one = ops.cast(1, dtypes.int32)
    return [ops.assert_greater_equal(rank, one, message=f"{_RANK}.")]


def compute_average_loss(
    per_example_loss: TensorLike,
    sample_weight: TensorLike | None = None,
    global_batch_size: TensorLike | None = None,
) -> Tensor:
    """Returns the sum of the losses divided by the global batch size.

    Args:
      per_example_loss: a float tensor [batch, ...].
      sample_weight: weights broadcastable to the losses, apart from a trailing dimension of size 1.
      global_batch_size: the divisor; by default the batch size.

    Returns:
      A scalar of the losses' dtype.

    Raises:
      ValueError: if the losses are a scalar, or the weights are not broadcastable.
    """
    losses = ops.convert_to_tensor(per_example_loss)
    dtype = losses.dtype
    with control_dependencies(_rank_checks(losses)):
        if sample_weight is not None:
            losses = ops.cast(losses, dtypes.float32)
            weights = ops.cast(sample_weight, dtypes.float32)
            weights = weights_of_rank(weights, losses)
            losses = ops.multiply(losses, broadcast_weights(weights, losses))
        losses = ops.cast(losses, dtype)
        if global_batch_size is None:
            global_batch_size = ops.cast(
                ops.shape(losses)[0] * _replicas("compute_average_loss"), dtype
            )
        return ops.reduce_sum(losses) / global_batch_size


def scale_regularization_loss(regularization_loss: TensorLike) -> Tensor:
    """Returns the sum of penalties divided by the number of replicas, a scalar.

    Raises:
      RuntimeError: if called under a strategy in cross-replica context.
    """
    return ops.reduce_sum(regularization_loss) / _replicas("scale_regularization_loss")
