"""`ReplicaContext`: describes a replica to its function, and merges its values with other replicas'."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tfmini._src.base.nest.structure import flatten, map_structure, pack_sequence_as
from tfmini._src.base.read_only import read_only
from tfmini._src.distribute import strategy_context
from tfmini._src.distribute.devices import current
from tfmini._src.distribute.reduce_op import ReduceOp
from tfmini._src.functions.custom_gradient import custom_gradient
from tfmini._src.graph.replica_modes import ReplicaMode, enter_mode, pop_mode, push_mode
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


class ReplicaContext:
    """The replica whose graph is being built; returned by `tf.distribute.get_replica_context()`.

    Args:
      strategy: the strategy.
      replica_id_in_sync_group: the replica's index, an int or a scalar int32 tensor.

    Example:
      def step():
          context = tf.distribute.get_replica_context()
          return context.all_reduce(tf.distribute.ReduceOp.SUM, loss())
      strategy.experimental_run_v2(step)
    """

    num_replicas_in_sync: int = read_only("Number of replicas.", "_strategy.num_replicas_in_sync")
    strategy: Any = read_only("The strategy.")

    def __init__(self, strategy: Any, replica_id_in_sync_group: Any):
        self._strategy = strategy
        self._replica_id_in_sync_group = replica_id_in_sync_group

    def __enter__(self) -> None:
        push_mode(ReplicaMode(self._strategy, self, _is_default(self._strategy)))

    def __exit__(self, *unused: Any) -> None:
        pop_mode()

    def merge_call(
        self,
        merge_fn: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Calls `merge_fn(strategy, *args, **kwargs)` once for all replicas, after each has called this method.

        Args:
          merge_fn: a function called in cross-replica context; each argument contains all replicas' values.
          args, kwargs: this replica's values.

        Returns:
          This replica's part of the result.

        Raises:
          RuntimeError: outside of this replica.
        """
        strategy_context.require_replica(self)
        return self._merge_call(merge_fn, args, {} if kwargs is None else kwargs)

    def _merge_call(self, merge_fn: Callable, args: Any, kwargs: Any) -> Any:
        with enter_mode(ReplicaMode(self._strategy, None, _is_default(self._strategy))):
            return merge_fn(self._strategy, *args, **kwargs)

    @property
    def replica_id_in_sync_group(self) -> Any:
        """This replica's index: an int or a scalar int32 tensor."""
        strategy_context.require_replica(self)
        return self._replica_id_in_sync_group

    @property
    def devices(self) -> tuple[str, ...]:
        """The replica's devices."""
        strategy_context.require_replica(self)
        return (current(),)

    def all_reduce(self, reduce_op: ReduceOp | str, value: TensorLike) -> Any:
        """Reduces the values of all replicas, with the result on each of them.

        Args:
          reduce_op: `tf.distribute.ReduceOp.SUM` or `MEAN`.
          value: a tensor, or a structure of tensors; differentiable.
        """

        def reduce_all(strategy: Any, *values: Any) -> Any:
            pairs = [(v, v.device if isinstance(v, Tensor) else v) for v in values]
            return strategy.extended.batch_reduce_to(reduce_op, pairs)

        flat = flatten(value)
        if reduce_op in (ReduceOp.SUM, ReduceOp.MEAN):
            flat = [ops.convert_to_tensor(tensor) for tensor in flat]
            reduced = self.merge_call(reduce_all, args=flat)  # other replicas may be reading

            @custom_gradient
            def with_gradient(*xs: Any) -> Any:
                return reduced, lambda *dys: self.all_reduce(reduce_op, dys)

            return pack_sequence_as(value, flatten(with_gradient(*flat)))
        reduced = pack_sequence_as(value, self.merge_call(reduce_all, args=flat))
        return map_structure(ops.prevent_gradient, reduced)


def _is_default(strategy: Any) -> bool:
    return getattr(strategy, "_is_default", False)
