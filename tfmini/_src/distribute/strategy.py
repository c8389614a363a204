"""`Strategy`: the public interface, which delegates to `StrategyExtended`."""

from __future__ import annotations

import copy
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes, proto
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import dimension_value
from tfmini._src.distribute import strategy_context
from tfmini._src.distribute.input_contexts import InputReplicationMode
from tfmini._src.distribute.reduce_op import ReduceOp, to_reduce_op
from tfmini._src.graph.autograph_status import Status, conversion_status, convert_if_enabled
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops

if TYPE_CHECKING:
    from tfmini._src.cluster.cluster_spec import ClusterSpec
    from tfmini._src.data.dataset import DatasetV2
    from tfmini._src.session.base_session import BaseSession
    from tfmini._src.variables.variable import Variable


class Strategy:
    """Base class of strategies for training on several devices, such as `MirroredStrategy` and `OneDeviceStrategy`.

    Args:
      extended: the StrategyExtended with the implementation.

    Example:
      strategy = tf.distribute.MirroredStrategy(["/gpu:0", "/gpu:1"])
      iterator = strategy.make_dataset_iterator(dataset)
      with strategy.scope():
          w = tf.get_variable("w", [10])
          losses = strategy.experimental_run(train_step, iterator)
          loss = strategy.reduce(tf.distribute.ReduceOp.MEAN, losses)
    """

    _is_default = False
    extended: Any = read_only("The `tf.distribute.StrategyExtended`, with methods for libraries.")
    num_replicas_in_sync: int = read_only("Number of replicas.", "_extended._num_replicas_in_sync")

    def __init__(self, extended: Any):
        self._extended = extended
        self._scale_loss_for_estimator = False

    @contextmanager
    def _scale_loss_for_estimator_enabled(self) -> Iterator[None]:
        """Context manager in which optimizers divide losses by the number of replicas, as Estimators require."""
        self._scale_loss_for_estimator = True
        try:
            yield
        finally:
            self._scale_loss_for_estimator = False

    def scope(self) -> Any:
        """Context manager in which this strategy is current and creates the variables."""
        return self._extended._scope(self)

    def colocate_vars_with(self, colocate_with_variable: Variable) -> Any:
        """Same as `extended.colocate_vars_with`."""
        return self._extended.colocate_vars_with(colocate_with_variable)

    # Input ---------------------------------------------------------------------------------------

    def make_dataset_iterator(self, dataset: DatasetV2) -> Any:
        """Returns an iterator that splits each batch among the replicas.

        Args:
          dataset: a `tf.data.Dataset` with global batches.

        Returns:
          An iterator: run `iterator.initialize()` first; `get_next()` returns all replicas' values.

        Raises:
          ValueError: if the dataset is not batched.
        """
        return self._extended._make_dataset_iterator(dataset)

    def make_input_fn_iterator(
        self,
        input_fn: Callable[..., Any],
        replication_mode: object = InputReplicationMode.PER_WORKER,
    ) -> Any:
        """Returns an iterator over the result of an input function that creates per-replica batches.

        Args:
          input_fn: `input_fn(input_context)` returns a `tf.data.Dataset`, or a function that returns a replica's input.
          replication_mode: PER_WORKER.

        Raises:
          ValueError: for another mode, or if the function returns anything else.
        """
        if replication_mode != InputReplicationMode.PER_WORKER:
            raise ValueError(f"Input replication mode not supported: {replication_mode!r}")
        with self.scope():
            return self.extended._make_input_fn_iterator(
                input_fn, replication_mode=replication_mode
            )

    def experimental_make_numpy_dataset(
        self, numpy_input: object, session: BaseSession | None = None
    ) -> Any:
        """Returns a dataset over the rows of arrays stored in variables.

        Args:
          numpy_input: a structure of numpy arrays.
          session: the session that sets the variables.
        """
        return self.extended.experimental_make_numpy_dataset(numpy_input, session=session)

    def experimental_distribute_dataset(self, dataset: DatasetV2) -> Any:
        """Returns the dataset for all replicas: its `make_initializable_iterator()` splits each batch among them."""
        return self._extended._experimental_distribute_dataset(dataset)

    def experimental_distribute_datasets_from_function(self, dataset_fn: Callable[..., Any]) -> Any:
        """Returns the dataset for all replicas from `dataset_fn(input_context)`, which creates per-replica batches."""
        return self._extended._experimental_distribute_datasets_from_function(dataset_fn)

    # Replicas ------------------------------------------------------------------------------------

    def experimental_run(self, fn: Callable[..., Any], input_iterator: Any = None) -> Any:
        """Calls `fn(input)` in each replica, with its part of the iterator's next element."""
        with self.scope():
            args = () if input_iterator is None else (input_iterator.get_next(),)
        return self.experimental_run_v2(fn, args=args)

    def experimental_run_v2(
        self,
        fn: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Calls `fn(*args, **kwargs)` in each replica, with the replica's values of the arguments.

        In a `tf.function`, AutoGraph converts `fn`.

        Returns:
          The results of `fn`, with all replicas' values at the leaves.
        """
        status = conversion_status()
        if status is not Status.UNSPECIFIED:
            fn = convert_if_enabled(fn, status)
        with self.scope():
            return self._extended.call_for_each_replica(fn, args=args, kwargs=kwargs)

    def reduce(self, reduce_op: ReduceOp | str, value: TensorLike, axis: int | None = None) -> Any:
        """Reduces the values of all replicas to one tensor.

        Args:
          reduce_op: a `tf.distribute.ReduceOp`, or its name.
          value: the replicas' values, as returned by `experimental_run_v2`.
          axis: an additional axis of the values to reduce, for example the batch axis, or None.

        Raises:
          RuntimeError: in replica context. TypeError: for another operation or axis.
        """
        strategy_context.require_cross_replica(self._extended)
        reduce_op = to_reduce_op(reduce_op)
        if axis is None:
            return self._extended._reduce(reduce_op, value)
        if reduce_op == ReduceOp.SUM:
            value = self.experimental_run_v2(lambda v: ops.reduce_sum(v, axis=axis), args=(value,))
            return self._extended._reduce(reduce_op, value)
        if reduce_op != ReduceOp.MEAN:
            raise TypeError(
                f"Expected `reduce_op` to be a `tf.distribute.ReduceOp`, not: {reduce_op!r}"
            )
        if not isinstance(axis, int):
            raise TypeError(f"Expected `axis` to be an integer not: {axis!r}")
        sums, counts = self.experimental_run_v2(_sum_and_count, args=(value, axis))
        total = self._extended._reduce(ReduceOp.SUM, sums)
        count = ops.cast(self._extended._reduce(ReduceOp.SUM, counts), total.dtype)
        return ops.truediv(total, count)

    def unwrap(self, value: TensorLike) -> Any:
        """Returns the values of this process's replicas, as a tuple; the older name of `experimental_local_results`."""
        return self._extended._local_results(value)

    def experimental_local_results(self, value: TensorLike) -> Any:
        """Returns the values of this process's replicas, as a tuple."""
        return self._extended._local_results(value)

    def group(self, value: TensorLike, name: str | None = None) -> Any:
        """Returns an operation that waits for all replicas' values."""
        return self._extended._group(value, name)

    # Sessions ------------------------------------------------------------------------------------

    def configure(
        self,
        session_config: proto.ConfigProto | None = None,
        cluster_spec: ClusterSpec | proto.ClusterDef | Mapping[str, Any] | None = None,
        task_type: str | None = None,
        task_id: int | None = None,
    ) -> Any:
        """Configures the strategy for a cluster, and sets its required options in a ConfigProto."""
        return self._extended._configure(session_config, cluster_spec, task_type, task_id)

    def update_config_proto(self, config_proto: proto.ConfigProto) -> Any:
        """Returns a copy of a ConfigProto with the strategy's required options."""
        return self._extended._update_config_proto(config_proto)

    def __deepcopy__(self, memo: dict[Any, Any]) -> Any:
        result = type(self).__new__(type(self))
        memo[id(self)] = result
        for name, value in vars(self).items():
            setattr(result, name, copy.deepcopy(value, memo))
        result._extended._container = weakref.ref(result)
        return result

    def __copy__(self) -> Any:
        raise RuntimeError("Must only deepcopy DistributionStrategy.")


def _sum_and_count(value: Any, axis: int) -> tuple[Any, Any]:
    """Returns the sum of a replica's value over an axis, and the axis length."""
    total = ops.reduce_sum(value, axis=axis)
    rank: Any = value.shape.ndims
    if rank is not None:
        if not -rank <= axis < rank:
            raise ValueError(f"`axis` = {axis!r} out of range for `value` with rank {rank}")
        axis %= rank
        size = dimension_value(value.shape[axis])
        if size is not None:
            return total, size
        if rank == 1:
            return total, ops.size(value, out_type=dtypes.int64)
        return total, ops.shape(value, out_type=dtypes.int64)[axis]
    dimension: Any = axis + ops.rank(value) if axis < 0 else axis
    return total, ops.shape(value, out_type=dtypes.int64)[dimension]
