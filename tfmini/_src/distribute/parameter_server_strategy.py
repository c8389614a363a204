"""`ParameterServerStrategy`, `CentralStorageStrategy`: replicas sharing variables that have one copy each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base import logs
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.nest.structure import map_structure
from tfmini._src.base.read_only import read_only
from tfmini._src.cluster.cluster_spec import ClusterSpec
from tfmini._src.cluster.device_setter import replica_device_setter
from tfmini._src.distribute.aggregating_variable import AggregatingVariable, create_aggregating
from tfmini._src.distribute.cluster_resolver.tfconfig_cluster_resolver import (
    TFConfigClusterResolver,
)
from tfmini._src.distribute.cross_device_ops import ReductionToOneDevice, destination_devices
from tfmini._src.distribute.device_maps import ReplicaDeviceMap
from tfmini._src.distribute.devices import canonicalize, count_local_gpus, local_devices
from tfmini._src.distribute.distributed_dataset import InputWorkers
from tfmini._src.distribute.distributed_values import DistributedValues, Mirrored
from tfmini._src.distribute.input_contexts import InputContext
from tfmini._src.distribute.numpy_inputs import SingleDevice
from tfmini._src.distribute.several_replicas import SeveralReplicasExtended
from tfmini._src.distribute.strategy import Strategy
from tfmini._src.graph.device_spec import DeviceSpec
from tfmini._src.graph.scopes import colocate_with, device
from tfmini._src.ops import ops
from tfmini._src.variables.resource_variable import BaseResourceVariable

if TYPE_CHECKING:
    from tfmini._src.distribute.cluster_resolver.cluster_resolver import ClusterResolver


_CPU = "/device:CPU:0"


class ParameterServerStrategy(Strategy):
    """Trains asynchronously: each worker of a cluster updates variables on parameter servers.

    Each GPU of a worker has a replica; their gradients are summed before an update. Without a cluster, everything is on
    this machine.

    Args:
      cluster_resolver: a `tf.distribute.cluster_resolver.ClusterResolver`; by default TF_CONFIG's, once an Estimator
        configures the strategy.

    Raises:
      ValueError: if the cluster has no job `ps`, or this process's task is unknown.

    Example:
      strategy = tf.distribute.experimental.ParameterServerStrategy()
      config = tf.estimator.RunConfig(train_distribute=strategy)
      tf.estimator.train_and_evaluate(tf.estimator.Estimator(model_fn, config=config), train_spec, eval_spec)
    """

    def __init__(self, cluster_resolver: ClusterResolver | None = None):
        super().__init__(ParameterServerExtended(self, cluster_resolver))


class CentralStorageStrategy(Strategy):
    """Trains synchronously on several devices of this machine, with all variables on one of them.

    Args:
      compute_devices: the replicas' devices, by default all GPUs, or the CPU without GPUs.
      parameter_device: the variables' device, by default the CPU, or the only compute device.

    Example: `strategy = tf.distribute.experimental.CentralStorageStrategy()`.
    """

    def __init__(
        self, compute_devices: Sequence[str] | None = None, parameter_device: str | None = None
    ):
        extended = ParameterServerExtended(self, None, compute_devices, parameter_device)
        super().__init__(extended)


class ParameterServerExtended(SeveralReplicasExtended):
    """Implementation of both strategies."""

    _allows_partitions = True
    experimental_between_graph = experimental_should_init = True
    should_checkpoint = should_save_summary = True
    parameter_devices: tuple[str, ...] = read_only()

    def __init__(
        self,
        container_strategy: Any,
        cluster_resolver: Any = None,
        compute_devices: Sequence[str] | None = None,
        parameter_device: str | None = None,
    ):
        super().__init__(container_strategy)
        self._cross_device_ops = ReductionToOneDevice(_CPU)
        if cluster_resolver is not None and cluster_resolver.cluster_spec():
            self._gpus = (
                count_local_gpus()
                if isinstance(cluster_resolver, TFConfigClusterResolver)
                else cluster_resolver.num_accelerators().get("GPU", 0)
            )
            self._place_in_cluster(
                cluster_resolver.cluster_spec(),
                cluster_resolver.task_type,
                cluster_resolver.task_id,
            )
        else:
            self._place_locally(compute_devices, parameter_device)

    # Placement -----------------------------------------------------------------------------------

    def _place_locally(
        self, compute_devices: Sequence[str] | None, parameter_device: str | None
    ) -> None:
        host = canonicalize(_CPU)
        self._gpus = count_local_gpus() if compute_devices is None else 0
        devices = local_devices(self._gpus) if compute_devices is None else tuple(compute_devices)
        self._assign(host, devices)
        if parameter_device is None:
            parameter_device = devices[0] if len(devices) == 1 else _CPU
        self._variable_device: Any = parameter_device
        self._parameter_devices: tuple[str, ...] = (parameter_device,)
        self._is_to_write(True)
        self._cluster: ClusterSpec | None = None
        self._task: tuple[str, int] = ("", 0)
        logs.info(
            "ParameterServerStrategy with compute_devices = %r, variable_device = %r",
            devices if compute_devices is None else compute_devices,
            parameter_device,
        )

    def _place_in_cluster(self, cluster: Any, task_type: Any, task_id: Any) -> None:
        if not task_type or task_id is None:
            raise ValueError(
                "When `cluster_spec` is given, you must also specify `task_type` and `task_id`"
            )
        cluster = ClusterSpec(cluster)
        servers = len(cluster.as_dict().get("ps", ()))
        worker = f"/job:{task_type}/task:{task_id}"
        self._assign(worker, [f"{worker}/device:GPU:{n}" for n in range(self._gpus)] or [worker])
        if not servers:
            raise ValueError("The cluster spec needs to have `ps` jobs.")
        self._variable_device = replica_device_setter(
            servers, worker_device=worker, merge_devices=True, cluster=cluster
        )
        self._parameter_devices = tuple(f"/job:ps/task:{index}" for index in range(servers))
        self._default_device = worker
        is_first = task_type == "worker" and task_id == 0 and "chief" not in cluster.jobs
        is_chief = task_type in ("chief", "evaluator") or is_first
        self._is_to_write(is_chief)
        self._cluster, self._task = cluster, (task_type, task_id)
        logs.info(
            "Multi-worker ParameterServerStrategy with cluster_spec = %r, task_type = %r, task_id = %r, "
            "num_ps_replicas = %r, is_chief = %r, device_map = %r, variable_device = %r",
            *(cluster.as_dict(), task_type, task_id, servers),
            *(is_chief, self._device_map, self._variable_device),
        )

    def _is_to_write(self, value: bool) -> None:
        self.experimental_should_init = self.should_checkpoint = self.should_save_summary = value

    def _assign(self, host: str, devices: Sequence[str]) -> None:
        self._device_map = ReplicaDeviceMap(tuple(devices))
        self._input_workers = InputWorkers(self._device_map, [(host, tuple(devices))])
        self._host = SingleDevice(host)

    def _input_contexts(self) -> list[InputContext]:
        """Returns the input contexts, one pipeline per worker of the cluster."""
        pipeline_id, pipelines = 0, 1
        if self._cluster is not None:
            jobs, (job, task) = self._cluster.as_dict(), self._task
            chiefs = len(jobs.get("chief", ()))
            pipeline_id = task + (chiefs if job == "worker" else 0)
            is_evaluator = job == "evaluator"
            pipelines = len(jobs[job]) if is_evaluator else chiefs + len(jobs.get("worker", ()))
        return [InputContext(pipelines, pipeline_id, self._num_replicas_in_sync)]

    @arguments_of(SeveralReplicasExtended._configure)
    def _configure(
        self, session_config: Any, cluster_spec: Any, task_type: Any, task_id: Any
    ) -> None:
        if cluster_spec:
            self._place_in_cluster(cluster_spec, task_type, task_id)
        if session_config:
            session_config.CopyFrom(self._update_config_proto(session_config))

    def _update_config_proto(self, config_proto: Any) -> Any:
        updated = super()._update_config_proto(config_proto)
        updated.isolate_session_state = self._cluster is None
        if self._cluster is not None:
            job, task = self._task
            task_filter = [f"/job:{job}/task:{task}"]
            with_servers = [*task_filter, "/job:ps"]
            filters = {"chief": with_servers, "worker": with_servers, "evaluator": task_filter}
            del updated.device_filters[:]
            updated.device_filters.extend(filters.get(job, []))
        return updated

    # Variables -----------------------------------------------------------------------------------

    def _create_variable(self, next_creator: Callable, **kwargs: Any) -> Any:
        if self._num_replicas_in_sync > 1:
            create = create_aggregating(self._container_strategy(), next_creator)
        else:
            create = next_creator
        colocation = kwargs.pop("colocate_with", None)
        if colocation is not None:
            if isinstance(colocation, SingleDevice):
                with device(colocation.device):
                    return create(**kwargs)
            with device(None), colocate_with(colocation):
                return create(**kwargs)
        with colocate_with(None, ignore_existing=True), device(self._variable_device):
            return create(**kwargs)

    def read_var(self, v: Any) -> Any:
        return ops.identity(v)

    def value_container(self, value: Any) -> Any:
        container = getattr(value, "_aggregating_container", None)
        aggregating_variable = None if container is None else container()
        return value if aggregating_variable is None else aggregating_variable

    # Replicas ------------------------------------------------------------------------------------

    def _reduce_to(self, reduce_op: Any, value: Any, destinations: Any) -> Any:
        self._check_worker(destinations)
        return super()._reduce_to(reduce_op, value, destinations)

    def _batch_reduce_to(self, reduce_op: Any, value_destination_pairs: Any) -> list:
        for _, destinations in value_destination_pairs:
            self._check_worker(destinations)
        return super()._batch_reduce_to(reduce_op, value_destination_pairs)

    def _check_worker(self, destinations: Any) -> None:
        """Raises ValueError for a destination on another worker."""
        if self._cluster is None or destinations is None:
            return
        for where in destination_devices(destinations):
            spec = DeviceSpec.from_string(where)
            if spec.job == self._task[0] and spec.task != self._task[1]:
                raise ValueError(
                    f"Cannot reduce to another worker: {where!r}, current worker is {self._host.device!r}"
                )

    def _update(self, var: Any, fn: Callable, args: Any, kwargs: Any, group: bool) -> Any:
        if isinstance(var, AggregatingVariable):
            var = var.get()
        if not isinstance(var, BaseResourceVariable):
            raise ValueError(f"You can not update `var` {var!r}. It must be a Variable.")
        options = (var, *_unwrap_single_copies(args)), _unwrap_single_copies(kwargs)
        with colocate_with(var):
            return self._update_on(var.device, fn, *options, group)

    def _update_non_slot(
        self, colocate_with: Any, fn: Callable, args: Any, kwargs: Any, group: bool
    ) -> Any:
        with device(colocate_with.device):
            return self._update_on(colocate_with, fn, args, kwargs, group)

    def non_slot_devices(self, var_list: Any) -> Any:
        return min(var_list, key=lambda variable: variable.name)


def _unwrap_single_copies(structured: Any) -> Any:
    """Returns the structure with single-copy values replaced by that copy; raises ValueError for others."""

    def select(value: Any) -> Any:
        if not isinstance(value, DistributedValues):
            return value
        if isinstance(value, Mirrored) and len(value.devices) == 1:
            return value.primary
        class_name = "Mirrored" if isinstance(value, Mirrored) else "PerReplica"
        components = " with multiple components" if class_name == "Mirrored" else ""
        raise ValueError(
            f"You cannot update variable with a {class_name} object{components} {value!r} when using "
            "ParameterServerStrategy. You must specify a single value or a Mirrored with a single value"
        )

    return map_structure(select, structured)
