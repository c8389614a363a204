"""Variables with one copy per device: mirrored copies, or copies reduced on read."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from tfmini._src.base.read_only import read_only
from tfmini._src.distribute.device_maps import DeviceMap
from tfmini._src.distribute.devices import canonicalize, current
from tfmini._src.distribute.distributed_values import Delegate, DistributedValues, Mirrored
from tfmini._src.distribute.reduce_op import ReduceOp
from tfmini._src.distribute.strategy_context import (
    get_replica_context,
    get_strategy,
    has_strategy,
    in_cross_replica_context,
)
from tfmini._src.graph.convert_to_tensor import (
    internal_convert_to_tensor,
    register_tensor_conversion_function,
)
from tfmini._src.graph.replica_modes import update_device
from tfmini._src.graph.scopes import device
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.variables.copy_modes import VariableAggregation
from tfmini._src.variables.saveable import SaveableObject, SaveSpec
from tfmini._src.variables.trackable import VARIABLE_VALUE_KEY
from tfmini._src.variables.variable import Variable

_NO_AGGREGATION = (
    "You must specify an aggregation method to update a {kind} in Replica Context. You can do so by passing an "
    "explicit value for argument `aggregation` to tf.Variable(..).e.g. `tf.Variable(..., "
    "aggregation=tf.VariableAggregation.SUM)``tf.VariableAggregation` lists the possible aggregation methods.This is "
    "required because {kind} should always be kept in sync. When updating them or assigning to them in a replica "
    "context, we automatically try to aggregate the values before updating the variable. For this aggregation, we "
    "need to know the aggregation method. Another alternative is to not try to update such {kind} in replica context, "
    "but in cross replica context. You can enter cross replica context by calling "
    "`tf.distribute.get_replica_context().merge_call(merge_fn, ..)`.Inside `merge_fn`, you can then update the {kind} "
    "using `tf.distribute.StrategyExtended.update()`."
)


class VariableOp(NamedTuple):
    """Stand-in for the `op` of a variable with one operation per device."""

    name: str
    graph: Any
    traceback: Any
    type: str


@contextmanager
def strategy_scope(strategy: Any) -> Iterator[None]:
    """Context manager that enters the strategy's scope if necessary; raises RuntimeError in another strategy's."""
    if not has_strategy():
        with strategy.scope():
            yield
        return
    if get_strategy() is not strategy:
        raise RuntimeError(
            f"Mixing different tf.distribute.Strategy objects: {get_strategy()} is not {strategy}"
        )
    yield


def aggregate(strategy: Any, value: Any, aggregation: Any, destinations: Any) -> Any:
    """Reduces the values assigned by replicas to a single one."""
    if aggregation == VariableAggregation.ONLY_FIRST_REPLICA:
        first = strategy.experimental_local_results(value)[0]
        return strategy.extended.broadcast_to(first, destinations=destinations)
    reduce_op = ReduceOp.from_variable_aggregation(aggregation)
    return strategy.extended.reduce_to(reduce_op, value, destinations)


def aggregation_error(kind: str) -> ValueError:
    """Returns the error for a replica's write to a variable without aggregation."""
    return ValueError(_NO_AGGREGATION.format(kind=kind))


def first_copy_property(name: str) -> Any:
    """Makes a property of a distributed variable that is taken from its first copy."""
    return property(lambda self: getattr(self.primary, name))


class DistributedVariable(Delegate, Variable):
    """A variable with one copy per device of a map.

    Args:
      strategy: the strategy that created it.
      device_map: the devices.
      values: the copies.
      aggregation: the aggregation of written values, or of the copies.
    """

    is_distributed_variable = _acts_as_resource_variable = True
    distribute_strategy: Any = read_only("The strategy that created the variable.")

    def __init__(
        self,
        strategy: Any,
        device_map: DeviceMap,
        values: Sequence[Any],
        aggregation: Any,
        logical_device: Any = None,
    ):
        self._distribute_strategy = strategy
        DistributedValues.__init__(self, device_map, values, logical_device)
        self._aggregation = aggregation
        for value in self._values:
            value._distributed_container = weakref.ref(self)

    # Properties ----------------------------------------------------------------------------------

    name, dtype, shape, graph, trainable, synchronization, constraint = map(
        first_copy_property,
        ("name", "dtype", "shape", "graph", "trainable", "synchronization", "constraint"),
    )
    _in_graph_mode, _unique_id, _save_slice_info = map(
        first_copy_property, ("_in_graph_mode", "_unique_id", "_save_slice_info")
    )

    @property
    def device(self) -> str:
        return self._closest().device

    @property
    def op(self) -> Any:
        if not in_cross_replica_context():
            return self.get().op
        op = self.primary.op
        return VariableOp(op.name, op.graph, op.traceback, op.type)

    @property
    def handle(self) -> Any:
        """Handle of this replica's copy, or of the copy on the device being updated."""
        where = None
        if get_replica_context() is None:
            where = update_device()
            if where is None:
                raise ValueError(
                    "`handle` is not available outside the replica context or a "
                    "`tf.distribute.Strategy.update()` call."
                )
        return self.get(device=where).handle

    @property
    def initializer(self) -> Any:
        return ops.group(tuple(value.initializer for value in self._values))

    @property
    def initial_value(self) -> Any:
        return self._closest().initial_value

    @property
    def _shared_name(self) -> str:
        return self.primary.name.split(":")[0]

    def _get_save_slice_info(self) -> Any:
        return self.primary._get_save_slice_info()

    def _set_save_slice_info(self, save_slice_info: Any) -> None:
        for value in self._values:
            value._set_save_slice_info(save_slice_info)

    def get_shape(self) -> Any:
        return self.primary.get_shape()

    def to_proto(self, export_scope: str | None = None) -> Any:
        return self.primary.to_proto(export_scope=export_scope)

    def _closest(self) -> Any:
        """Returns the copy of this replica or current device, else the first."""
        replica = get_replica_context()
        if replica is not None:
            return self._device_map.select_for_current_replica(self._values, replica)
        where = update_device()
        if where is None:
            where = canonicalize(current())
        replica_id = self._device_map.replica_for_device(where)
        return self.primary if replica_id is None else self._values[replica_id]

    # Reading -------------------------------------------------------------------------------------

    def value(self) -> Tensor:
        return self._closest().value()

    def read_value(self) -> Tensor:
        with strategy_scope(self._distribute_strategy):
            return ops.identity(self.get())

    def eval(self, session: Any = None) -> Any:
        return self._closest().eval(session)

    def initialized_value(self) -> Tensor:
        return self._closest().initialized_value()

    def is_initialized(self, name: str | None = None) -> Tensor:
        """Whether all copies are initialized: a scalar bool tensor."""
        result = self.primary.is_initialized()
        for value in self._values[1:-1]:
            result = ops.logical_and(result, value.is_initialized())
        return ops.logical_and(result, self._values[-1].is_initialized(), name=name)

    def _dense_var_to_tensor(self, dtype: Any, name: Any, as_ref: bool) -> Any:
        return internal_convert_to_tensor(self.get(), dtype=dtype, name=name, as_ref=as_ref)

    # Writing -------------------------------------------------------------------------------------

    def _write(self, method: str, *args: Any, **kwargs: Any) -> Any:
        """Calls a write method on each copy to be written."""
        raise NotImplementedError

    def assign(self, *args: Any, **kwargs: Any) -> Any:
        return self._write("assign", *args, **kwargs)

    def assign_add(self, *args: Any, **kwargs: Any) -> Any:
        return self._write("assign_add", *args, **kwargs)

    def assign_sub(self, *args: Any, **kwargs: Any) -> Any:
        return self._write("assign_sub", *args, **kwargs)

    def _saveable(self, name: str) -> SaveableObject:
        raise NotImplementedError

    def _gather_saveables_for_checkpoint(self) -> dict[str, Callable]:
        return {VARIABLE_VALUE_KEY: lambda name=self._shared_name: self._saveable(name)}


class MirroredVariable(DistributedVariable, Mirrored):
    """A variable with equal copies: values written by replicas are aggregated first."""

    _kind = "MirroredVariable"

    def _write(self, method: str, *args: Any, **kwargs: Any) -> Any:
        def write(var: Any, *args: Any, **kwargs: Any) -> Any:
            return getattr(var, method)(*args, **kwargs)

        strategy = self._distribute_strategy
        with strategy_scope(strategy):
            replica = get_replica_context()
            if replica is None:
                where = update_device()
                if where is not None:
                    return write(self.get(device=where), *args, **kwargs)
                return strategy.extended.update(self, write, args=args, kwargs=kwargs)
            if replica.strategy is not strategy:
                raise RuntimeError(
                    "Replica-local variables may only be assigned in a replica context."
                )
            if self._aggregation == VariableAggregation.NONE:
                raise aggregation_error(self._kind)

            def merge(strategy: Any, value: Any, *args: Any, **kwargs: Any) -> Any:
                reduced = aggregate(strategy, value, self._aggregation, self)
                return strategy.extended.update(self, write, args=(reduced, *args), kwargs=kwargs)

            return replica.merge_call(merge, args=args, kwargs=kwargs)

    def _get_cross_replica(self) -> Any:
        return ops.identity(Mirrored._get_cross_replica(self))

    def _as_graph_element(self) -> Any:
        if in_cross_replica_context():
            return self.primary._as_graph_element()
        return self.get()._as_graph_element()

    def _saveable(self, name: str) -> SaveableObject:
        return _MirroredSaveable(self, name)


class SyncOnReadVariable(DistributedVariable):
    """A variable written independently by each replica; a cross-replica read reduces the copies."""

    def _write(self, method: str, *args: Any, **kwargs: Any) -> Any:
        with strategy_scope(self._distribute_strategy):
            if not in_cross_replica_context():
                return getattr(self.get(), method)(*args, **kwargs)
            value = args[0]
            if self._aggregation == VariableAggregation.SUM:
                if method != "assign":
                    raise ValueError(
                        f"SyncOnReadVariable does not support `{method}` in cross-replica context when aggregation is "
                        "set to `tf.VariableAggregation.SUM`."
                    )
                value *= 1.0 / len(self.devices)
            return ops.group(tuple(_on_device(copy, method, value) for copy in self._values))

    def _get_cross_replica(self) -> Any:
        if self._aggregation == VariableAggregation.ONLY_FIRST_REPLICA:
            return self.primary
        with strategy_scope(self._distribute_strategy):
            reduce_op = ReduceOp.from_variable_aggregation(self._aggregation)
            return self._distribute_strategy.reduce(reduce_op, self, axis=None)

    def _as_graph_element(self) -> Any:
        if in_cross_replica_context():  # a fetch, possibly by only one of several workers
            return self._distribute_strategy.extended.read_var(self)
        return self.get()._as_graph_element()

    def _saveable(self, name: str) -> SaveableObject:
        return _SyncOnReadSaveable(self, name)


def _on_device(variable: Any, method: str, value: Any) -> Any:
    with device(variable.device):
        return getattr(variable, method)(value)


class _MirroredSaveable(SaveableObject):
    """Saves the first copy, and restores into all of them."""

    def __init__(self, variable: MirroredVariable, name: str):
        self._variable = variable
        first = variable.primary

        def tensor() -> Tensor:
            with device(first.device):
                value = first.read_value()
                with device("/device:CPU:0"):
                    return ops.identity(value)

        spec = SaveSpec(tensor, "", name, dtype=first.dtype, device=first.device)
        super().__init__(first, [spec], name)

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        (value,) = restored_tensors
        return ops.group(tuple(_on_device(copy, "assign", value) for copy in self._variable.values))


class _SyncOnReadSaveable(SaveableObject):
    """Saves the reduction of the copies."""

    def __init__(self, variable: SyncOnReadVariable, name: str):
        self._variable = variable

        def tensor() -> Tensor:
            return variable._distribute_strategy.extended.read_var(variable)

        where = variable.primary.device
        spec = SaveSpec(tensor, "", name, dtype=variable.dtype, device=where)
        super().__init__(tensor, [spec], name)

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        (value,) = restored_tensors
        return self._variable.assign(value)


def _convert(var: Any, dtype: Any = None, name: Any = None, as_ref: bool = False) -> Any:
    return var._dense_var_to_tensor(dtype, name, as_ref)


register_tensor_conversion_function(DistributedVariable, _convert)
