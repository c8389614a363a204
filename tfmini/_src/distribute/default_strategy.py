"""The default strategy, for programs without another one: one replica, no changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.distribute import strategy_context
from tfmini._src.distribute.input_contexts import InputContext
from tfmini._src.distribute.numpy_inputs import numpy_dataset
from tfmini._src.distribute.one_replica import OneReplicaExtended
from tfmini._src.distribute.replica_context import ReplicaContext
from tfmini._src.distribute.strategy import Strategy
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.replica_modes import ReplicaMode
from tfmini._src.graph.scopes import colocate_with
from tfmini._src.ops import ops
from tfmini._src.variables.variable_creator import variable_creator_scope


@contextmanager
def _colocate(variable: Any) -> Iterator[None]:
    with colocate_with(variable):
        yield


class DefaultStrategy(Strategy):
    """One replica on any device; `tf.distribute.get_strategy()` outside of all scopes."""

    _is_default = True

    def __init__(self) -> None:
        super().__init__(DefaultExtended(self))

    def __deepcopy__(self, memo: dict) -> Any:
        raise RuntimeError("Should only create a single instance of _DefaultDistributionStrategy")


class DefaultExtended(OneReplicaExtended):
    """Implementation of the default strategy: one replica without a device."""

    @contextmanager
    def _scope(self, strategy: Any) -> Any:
        def same(next_creator: Callable, **kwargs: Any) -> Any:
            strategy_context.require_scope(strategy)
            return next_creator(**kwargs)

        if strategy_context.has_strategy():
            raise RuntimeError("Must not nest tf.distribute.Strategy scopes.")
        with variable_creator_scope(same):
            yield strategy

    def colocate_vars_with(self, colocate_with_variable: Any) -> Any:
        strategy_context.require_scope(self._container_strategy())
        return _colocate(colocate_with_variable)

    def variable_created_in_scope(self, v: Any) -> bool:
        return v._distribute_strategy is None

    def _experimental_distribute_dataset(self, dataset: Any) -> Any:
        return dataset

    def _experimental_distribute_datasets_from_function(self, dataset_fn: Callable) -> Any:
        return dataset_fn(InputContext())

    def _make_dataset_iterator(self, dataset: Any) -> Any:
        return _InputIterator(dataset)

    def _make_input_fn_iterator(self, input_fn: Callable, replication_mode: Any) -> Any:
        return _InputIterator(input_fn(InputContext()))

    def _experimental_make_numpy_dataset(self, numpy_input: Any, session: Any) -> Any:
        return numpy_dataset(numpy_input, None, session)

    def _broadcast_to(self, tensor: Any, destinations: Any) -> Any:
        if destinations is None:
            return tensor
        raise NotImplementedError("TODO")  # TensorFlow's error message

    def _call_for_each_replica(self, fn: Callable, args: Any, kwargs: Any) -> Any:
        zero = ops.constant(0, dtypes.int32)
        with ReplicaContext(self._container_strategy(), zero):
            return fn(*args, **kwargs)

    def _update_non_slot(
        self, colocate_with: Any, fn: Callable, args: Any, kwargs: Any, group: bool
    ) -> Any:
        return self._update_on(colocate_with, fn, args, kwargs, group)

    @property
    def worker_devices(self) -> tuple[str, ...]:
        raise RuntimeError("worker_devices() method unsupported by default tf.distribute.Strategy.")

    @property
    def parameter_devices(self) -> tuple[str, ...]:
        raise RuntimeError(
            "parameter_devices() method unsupported by default tf.distribute.Strategy."
        )

    def non_slot_devices(self, var_list: Any) -> Any:
        return min(var_list, key=lambda variable: variable.name)


class _InputIterator:
    """Iterator of the default strategy: the dataset's own, already started in eager mode."""

    def __init__(self, dataset: Any):
        self._dataset = dataset
        is_eager = executing_eagerly()
        self._iterator = iter(dataset) if is_eager else dataset.make_initializable_iterator()

    def get_next(self) -> Any:
        return self._iterator.get_next()

    def initialize(self) -> list:
        if not executing_eagerly():
            return [self._iterator.initializer]
        self._iterator = iter(self._dataset)
        return []


default_strategy = DefaultStrategy()
strategy_context.set_default_mode(
    ReplicaMode(default_strategy, ReplicaContext(default_strategy, 0), is_default=True)
)
