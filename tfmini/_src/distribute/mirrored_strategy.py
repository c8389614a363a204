"""`MirroredStrategy`: one replica per device of this machine, with a copy of all variables on each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.read_only import read_only
from tfmini._src.distribute.all_reduce import best_for
from tfmini._src.distribute.cluster_resolver.tfconfig_cluster_resolver import (
    TFConfigClusterResolver,
)
from tfmini._src.distribute.device_maps import ReplicaDeviceMap
from tfmini._src.distribute.devices import are_local, local_devices, resolve
from tfmini._src.distribute.distributed_dataset import InputWorkers
from tfmini._src.distribute.distributed_values import (
    Mirrored,
    is_distributed_variable,
    regroup,
    select_device_mirrored,
    update_regroup,
    value_container,
)
from tfmini._src.distribute.distributed_variable import DistributedVariable, SyncOnReadVariable
from tfmini._src.distribute.mirrored_variables import create_mirrored
from tfmini._src.distribute.multi_steps import run_steps
from tfmini._src.distribute.numpy_inputs import SingleDevice
from tfmini._src.distribute.reduce_op import ReduceOp
from tfmini._src.distribute.several_replicas import SeveralReplicasExtended
from tfmini._src.distribute.strategy import Strategy
from tfmini._src.graph.replica_modes import update_device_scope
from tfmini._src.graph.scopes import device, name_scope
from tfmini._src.ops import ops
from tfmini._src.variables.init_scope import executing_eagerly_outside_functions

if TYPE_CHECKING:
    from tfmini._src.distribute.cross_device_ops import CrossDeviceOps


class MirroredStrategy(Strategy):
    """Trains synchronously on several devices of this machine.

    Each device has a copy of all variables and gets its part of each batch; gradients are summed over all devices.

    Args:
      devices: device names, by default all GPUs, or the CPU without GPUs.
      cross_device_ops: the `tf.distribute.CrossDeviceOps` for reducing gradients; by default NCCL on GPUs.

    Raises:
      ValueError: for devices of a cluster, where each worker needs its own strategy.

    Example:
      strategy = tf.distribute.MirroredStrategy(["/gpu:0", "/gpu:1"])
      config = tf.estimator.RunConfig(train_distribute=strategy)
      tf.estimator.Estimator(model_fn, config=config).train(input_fn)
    """

    def __init__(
        self, devices: Sequence[str] | None = None, cross_device_ops: CrossDeviceOps | None = None
    ):
        super().__init__(MirroredExtended(self, devices, cross_device_ops))


class MirroredExtended(SeveralReplicasExtended):
    """Implementation of `MirroredStrategy`."""

    _has_copies = True
    parameter_devices: tuple[str, ...] = read_only(attribute="_device_map.all_devices")

    def __init__(
        self,
        container_strategy: Any,
        devices: Sequence[str] | None = None,
        cross_device_ops: Any = None,
    ):
        super().__init__(container_strategy)
        if not devices:
            if TFConfigClusterResolver().cluster_spec().as_dict():
                _raise_cluster_error()
            devices = local_devices()
        assert devices, "Got an empty `devices` list and unable to recognize any local devices."
        names = tuple(resolve(name) for name in devices)
        assert len(set(names)) == len(names), (
            f"No duplicates allowed in `devices` argument: {names}"
        )
        if not are_local(names):
            _raise_cluster_error()
        self._device_map = ReplicaDeviceMap(names)
        self._input_workers = InputWorkers(self._device_map)
        self._cross_device_ops = cross_device_ops or best_for(names)
        self._host = SingleDevice("/cpu:0")
        # Whether only some replicas get the last elements, and the others get batches of size 0.
        self.experimental_enable_get_next_as_optional = executing_eagerly_outside_functions()

    # Variables -----------------------------------------------------------------------------------

    def _create_variable(self, next_creator: Callable, **kwargs: Any) -> Any:
        colocation = kwargs.pop("colocate_with", None)
        if isinstance(colocation, SingleDevice):
            with device(colocation.device):
                return next_creator(**kwargs)
        device_map = self._device_map if colocation is None else colocation.device_map
        return create_mirrored(self._container_strategy(), device_map, next_creator, **kwargs)

    def _check_colocation(self, variable: Any) -> None:
        if not is_distributed_variable(variable):
            raise ValueError(
                "`colocate_vars_with` must only be passed a variable created in this tf.distribute.Strategy.scope(), "
                f"not: {variable!r}"
            )
        super()._check_colocation(variable)

    def read_var(self, v: Any) -> Any:
        if isinstance(v, SyncOnReadVariable):
            return v._get_cross_replica()
        assert isinstance(v, Mirrored)
        return ops.identity(v.get())

    # Replicas ------------------------------------------------------------------------------------

    def _experimental_run_steps_on_iterator(
        self, fn: Callable, iterator: Any, iterations: Any, initial_loop_values: Any
    ) -> Any:
        def wrap(value: Any, reduce_op: Any) -> Any:
            if reduce_op is None:
                return regroup(self._device_map, value)
            assert len(value) == 1
            return value[0]

        return run_steps(fn, iterator, iterations, initial_loop_values, self._local_results, wrap)

    def _reduce_to(self, reduce_op: Any, value: Any, destinations: Any) -> Any:
        if isinstance(value, Mirrored) and reduce_op == ReduceOp.MEAN:
            return value
        assert not isinstance(value, Mirrored)
        return super()._reduce_to(reduce_op, value, destinations)

    # Updates -------------------------------------------------------------------------------------

    def _update(self, var: Any, fn: Callable, args: Any, kwargs: Any, group: bool) -> Any:
        assert isinstance(var, DistributedVariable)
        indices = [(where, (copy,)) for where, copy in zip(var.devices, var.values)]
        return self._update_devices(indices, fn, args, kwargs, group)

    def _update_non_slot(
        self, colocate_with: Any, fn: Callable, args: Any, kwargs: Any, group: bool
    ) -> Any:
        assert isinstance(colocate_with, tuple)
        indices: list = [(where, ()) for where in colocate_with]
        return self._update_devices(indices, fn, args, kwargs, group)

    def _update_devices(
        self, positions: Sequence, fn: Callable, args: Any, kwargs: Any, group: bool
    ) -> Any:
        """Calls `fn` on each device with the leading arguments of its position, and regroups the results."""
        updates = []
        for index, (where, first) in enumerate(positions):
            with device(where), update_device_scope(where), name_scope(f"update_{index}"):
                local_args = select_device_mirrored(where, args)
                updates.append(fn(*first, *local_args, **select_device_mirrored(where, kwargs)))
        return update_regroup(self, self._device_map, updates, group)

    def non_slot_devices(self, var_list: Any) -> Any:
        return self._device_map.logical_to_actual_devices(0)

    # Values and settings -------------------------------------------------------------------------

    def value_container(self, value: Any) -> Any:
        return value_container(value)

    @arguments_of(SeveralReplicasExtended._configure)
    def _configure(
        self, session_config: Any, cluster_spec: Any, task_type: Any, task_id: Any
    ) -> None:
        if session_config:
            session_config.CopyFrom(self._update_config_proto(session_config))
        if cluster_spec:
            _raise_cluster_error()

    def _update_config_proto(self, config_proto: Any) -> Any:
        updated = super()._update_config_proto(config_proto)
        updated.isolate_session_state = True
        return updated

    experimental_should_init = should_checkpoint = should_save_summary = True
    experimental_between_graph = False


def _raise_cluster_error() -> None:
    raise ValueError(
        "In-graph multi-worker training with `MirroredStrategy` is not supported.\n"
        "On several workers, each with a session of its own: tf.distribute.experimental.MultiWorkerMirroredStrategy"
    )
