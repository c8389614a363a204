"""`StrategyExtended`: a strategy's implementation, for libraries such as optimizers and Estimators."""

from __future__ import annotations

import copy
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.nest.structure import flatten, map_structure
from tfmini._src.distribute import strategy_context
from tfmini._src.distribute.devices import current
from tfmini._src.distribute.reduce_op import ReduceOp, to_reduce_op
from tfmini._src.graph.replica_modes import ReplicaMode, pop_mode, push_mode, update_device_scope
from tfmini._src.graph.scopes import device
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.session.base_session import BaseSession
from tfmini._src.variables.get_variable import get_variable_scope
from tfmini._src.variables.variable import Variable
from tfmini._src.variables.variable_creator import variable_creator_scope
from tfmini._src.variables.variable_scope import variable_scope


class Scope:
    """The context manager `strategy.scope()`; re-entering it has no effect.

    Args:
      strategy: the strategy.
      blocks: functions that create its inner context managers: variable creators, a device.
    """

    def __init__(self, strategy: Any, blocks: list[Callable[..., Any]]):
        self._strategy = strategy
        self._blocks = blocks
        self._opened: list[ExitStack | None] = []

    def __enter__(self) -> Any:
        if strategy_context.has_strategy():
            strategy_context.require_cross_replica(self._strategy.extended)
            self._opened.append(None)
            return self._strategy
        with ExitStack() as stack:
            push_mode(ReplicaMode(self._strategy))
            stack.callback(pop_mode)
            for block in self._blocks:
                stack.enter_context(block())
            self._opened.append(stack.pop_all())
        return self._strategy

    def __exit__(self, *error: Any) -> None:
        opened = self._opened.pop()
        if opened is not None:
            opened.__exit__(*error)


class StrategyExtended:
    """Base class of strategy implementations; each strategy has a subclass.

    Args:
      container_strategy: the strategy.
    """

    _allows_partitions = _has_copies = False
    _connects_workers = False  # each worker has its own session

    def __init__(self, container_strategy: Any):
        self._container = weakref.ref(container_strategy)
        self._default_device: str | None = None

    def _container_strategy(self) -> Any:
        strategy = self._container()
        assert strategy is not None
        return strategy

    # Variables -----------------------------------------------------------------------------------

    def _scope(self, strategy: Any) -> Any:
        def create(next_creator: Callable, **kwargs: Any) -> Any:
            strategy_context.require_scope(strategy)
            kwargs.update(use_resource=True, distribute_strategy=strategy)
            return self._create_variable(next_creator, **kwargs)

        def get(getter: Callable, *args: Any, **kwargs: Any) -> Any:
            if not self._allows_partitions and kwargs.pop("partitioner", None) is not None:
                logs.log_first_n(
                    logs.WARN,
                    "Partitioned variables are disabled when using current tf.distribute.Strategy.",
                    1,
                )
            return getter(*args, **kwargs)

        blocks: list[Callable] = [
            lambda: variable_scope(get_variable_scope(), custom_getter=get),
            lambda: variable_creator_scope(create),
        ]
        if self._default_device:
            blocks.append(lambda: device(self._default_device))
        return Scope(strategy, blocks)

    def _create_variable(self, next_creator: Callable, **kwargs: Any) -> Any:
        raise NotImplementedError("must be implemented in descendants")

    def variable_created_in_scope(self, v: Any) -> bool:
        """Whether a variable was created in this strategy's scope."""
        return v._distribute_strategy == self._container()

    def colocate_vars_with(self, colocate_with_variable: Variable) -> Any:
        """Context manager that colocates new variables, such as an optimizer's slots, with another variable."""

        def create(next_creator: Callable, **kwargs: Any) -> Any:
            strategy_context.require_scope(self._container_strategy())
            kwargs.update(use_resource=True, colocate_with=colocate_with_variable)
            return next_creator(**kwargs)

        strategy_context.require_scope(self._container_strategy())
        self._check_colocation(colocate_with_variable)
        return variable_creator_scope(create)

    def _check_colocation(self, variable: Any) -> None:
        strategy = getattr(variable, "_distribute_strategy", self)
        if strategy is self:
            raise ValueError(
                "`colocate_vars_with` must only be passed a variable created in this tf.distribute.Strategy.scope(), "
                f"not: {variable!r}"
            )
        if getattr(strategy, "extended", None) is not self:
            raise ValueError(
                "`colocate_vars_with` must only be passed a variable created in this tf.distribute.Strategy.scope(), "
                f"not {variable} created in scope: {strategy}"
            )

    # Input ---------------------------------------------------------------------------------------

    def _make_dataset_iterator(self, dataset: Any) -> Any:
        raise NotImplementedError("must be implemented in descendants")

    def _make_input_fn_iterator(self, input_fn: Callable, replication_mode: Any) -> Any:
        raise NotImplementedError("must be implemented in descendants")

    def _experimental_distribute_dataset(self, dataset: Any) -> Any:
        raise NotImplementedError("must be implemented in descendants")

    def _experimental_distribute_datasets_from_function(self, dataset_fn: Callable) -> Any:
        raise NotImplementedError("must be implemented in descendants")

    def experimental_make_numpy_dataset(
        self, numpy_input: object, session: BaseSession | None = None
    ) -> Any:
        """Same as `Strategy.experimental_make_numpy_dataset`."""
        strategy_context.require_cross_replica(self)
        return self._experimental_make_numpy_dataset(numpy_input, session=session)

    def _experimental_make_numpy_dataset(self, numpy_input: Any, session: Any) -> Any:
        raise NotImplementedError("must be implemented in descendants")

    # Replicas ------------------------------------------------------------------------------------

    def call_for_each_replica(
        self,
        fn: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Calls `fn(*args, **kwargs)` in each replica.

        Returns:
          The results of `fn`, with all replicas' values at the leaves.

        Raises:
          RuntimeError: in replica context.
        """
        strategy_context.require_cross_replica(self)
        with self._container_strategy().scope():
            return self._call_for_each_replica(fn, args, {} if kwargs is None else kwargs)

    def _call_for_each_replica(self, fn: Callable, args: Any, kwargs: Any) -> Any:
        raise NotImplementedError("must be implemented in descendants")

    def experimental_run_steps_on_iterator(
        self,
        fn: Callable[..., Any],
        iterator: object,
        iterations: int = 1,
        initial_loop_values: object = None,
    ) -> Any:
        """Builds an in-graph loop that calls `fn(context, element)` the given number of times.

        Args:
          fn: returns an operation; `context.set_last_step_output(name, value, reduce_op)` retains a value.
          iterator: an iterator of this strategy.
          iterations: number of iterations, an int or a scalar int32 tensor.
          initial_loop_values: initial retained values.

        Returns:
          The context: `run_op` runs the loop, `last_step_outputs` contains the last step's retained values.
        """
        strategy_context.require_cross_replica(self)
        with self._container_strategy().scope():
            return self._experimental_run_steps_on_iterator(
                fn, iterator, iterations, initial_loop_values
            )

    def _experimental_run_steps_on_iterator(
        self, fn: Callable, iterator: Any, iterations: Any, initial_loop_values: Any
    ) -> Any:
        raise NotImplementedError("must be implemented in descendants")

    def broadcast_to(self, tensor: TensorLike, destinations: Any) -> Any:
        """Copies a tensor to all devices of `destinations`, a variable or device."""
        assert destinations is not None
        strategy_context.require_cross_replica(self)
        assert not isinstance(destinations, (list, tuple))
        return self._broadcast_to(tensor, destinations)

    def _broadcast_to(self, tensor: Any, destinations: Any) -> Any:
        raise NotImplementedError("must be implemented in descendants")

    def _reduce(self, reduce_op: Any, value: Any) -> Any:
        where = current() or "/device:CPU:0"
        return self._local_results(self._reduce_to(reduce_op, value, where))[0]

    def reduce_to(self, reduce_op: ReduceOp | str, value: TensorLike, destinations: Any) -> Any:
        """Reduces the values of all replicas, onto the devices of `destinations`, a variable or device."""
        strategy_context.require_cross_replica(self)
        assert not isinstance(destinations, (list, tuple))
        reduce_op = to_reduce_op(reduce_op)
        assert reduce_op in (ReduceOp.SUM, ReduceOp.MEAN)
        return self._reduce_to(reduce_op, value, destinations)

    def _reduce_to(self, reduce_op: Any, value: Any, destinations: Any) -> Any:
        raise NotImplementedError("must be implemented in descendants")

    def batch_reduce_to(
        self, reduce_op: ReduceOp | str, value_destination_pairs: Sequence[tuple[Any, Any]]
    ) -> list[Any]:
        """Applies `reduce_to` to several pairs (value, destinations)."""
        strategy_context.require_cross_replica(self)
        return self._batch_reduce_to(to_reduce_op(reduce_op), value_destination_pairs)

    def _batch_reduce_to(self, reduce_op: Any, value_destination_pairs: Any) -> list:
        return [self.reduce_to(reduce_op, t, destinations=v) for t, v in value_destination_pairs]

    # Updates -------------------------------------------------------------------------------------

    def update(
        self,
        var: object,
        fn: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
        group: bool = True,
    ) -> Any:
        """Calls `fn(copy, *args, **kwargs)` for each copy of a variable, on its device.

        Args:
          var: a variable of this strategy.
          fn: updates a copy, and returns an operation or tensor.
          args, kwargs: further arguments; for mirrored values, the device's value is passed.
          group: whether to group the results into one operation, instead of returning a list.
        """
        strategy_context.require_cross_replica(self)
        with self._container_strategy().scope():
            return self._update(var, fn, args, {} if kwargs is None else kwargs, group)

    def _update(self, var: Any, fn: Callable, args: Any, kwargs: Any, group: bool) -> Any:
        raise NotImplementedError("must be implemented in descendants")

    def update_non_slot(
        self,
        colocate_with: object,
        fn: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
        group: bool = True,
    ) -> Any:
        """Calls `fn(*args, **kwargs)` on each of the devices from `non_slot_devices`."""
        strategy_context.require_cross_replica(self)
        with self._container_strategy().scope():
            return self._update_non_slot(
                colocate_with, fn, args, {} if kwargs is None else kwargs, group
            )

    def _update_non_slot(
        self, colocate_with: Any, fn: Callable, args: Any, kwargs: Any, group: bool
    ) -> Any:
        raise NotImplementedError("must be implemented in descendants")

    def _update_on(self, where: Any, fn: Callable, args: Any, kwargs: Any, group: bool) -> Any:
        """Returns the result of an update on one device."""
        with update_device_scope(where):
            result = fn(*args, **kwargs)
        return result if group else map_structure(self._local_results, result)

    def non_slot_devices(self, var_list: Sequence[Any] | None) -> Any:
        """Returns the devices for optimizer state that belongs to no particular variable."""
        raise NotImplementedError("must be implemented in descendants")

    # Values --------------------------------------------------------------------------------------

    def read_var(self, v: TensorLike) -> Any:
        """Returns a variable's value in cross-replica context."""
        raise NotImplementedError("must be implemented in descendants")

    def _local_results(self, distributed_value: Any) -> tuple:
        raise NotImplementedError("must be implemented in descendants")

    def value_container(self, value: TensorLike) -> Any:
        """Returns a variable copy's distributed variable; any other value itself."""
        raise NotImplementedError("must be implemented in descendants")

    def _group(self, value: Any, name: str | None = None) -> Any:
        values = flatten(self._local_results(value))
        if len(values) != 1 or name is not None:
            return ops.group(values, name=name)
        return getattr(values[0], "op", values[0])

    # Properties ----------------------------------------------------------------------------------

    @property
    def experimental_require_static_shapes(self) -> bool:
        """Always False: static shapes are not required."""
        return False

    @property
    def _num_replicas_in_sync(self) -> int:
        raise NotImplementedError("must be implemented in descendants")

    @property
    def worker_devices(self) -> tuple[str, ...]:
        """The replicas' devices."""
        raise NotImplementedError("must be implemented in descendants")

    @property
    def parameter_devices(self) -> tuple[str, ...]:
        """The variables' devices."""
        raise NotImplementedError("must be implemented in descendants")

    @property
    def experimental_between_graph(self) -> bool:
        """Whether each worker builds its own graph."""
        raise NotImplementedError("must be implemented in descendants")

    @property
    def experimental_should_init(self) -> bool:
        """Whether this process initializes variables."""
        raise NotImplementedError("must be implemented in descendants")

    @property
    def should_checkpoint(self) -> bool:
        """Whether this process saves checkpoints."""
        raise NotImplementedError("must be implemented in descendants")

    @property
    def should_save_summary(self) -> bool:
        """Whether this process writes summaries."""
        raise NotImplementedError("must be implemented in descendants")

    def _configure(
        self,
        session_config: Any = None,
        cluster_spec: Any = None,
        task_type: Any = None,
        task_id: Any = None,
    ) -> None:
        """Does nothing by default."""

    def _update_config_proto(self, config_proto: Any) -> Any:
        return copy.deepcopy(config_proto)

    def __deepcopy__(self, memo: dict[Any, Any]) -> Any:
        result = type(self).__new__(type(self))
        memo[id(self)] = result
        for name, value in vars(self).items():
            is_reference = isinstance(value, weakref.ref)  # the copied strategy sets its own
            setattr(result, name, value if is_reference else copy.deepcopy(value, memo))
        return result
