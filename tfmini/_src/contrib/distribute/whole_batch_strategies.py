"""`tf.contrib.distribute`'s MirroredStrategy and ParameterServerStrategy, with a whole batch per replica."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.distribute.cluster_resolver.cluster_resolver import SimpleClusterResolver
from tfmini._src.distribute.cluster_resolver.tfconfig_cluster_resolver import (
    TFConfigClusterResolver,
)
from tfmini._src.distribute.devices import local_devices
from tfmini._src.distribute.distributed_dataset import DatasetIterator
from tfmini._src.distribute.mirrored_strategy import MirroredExtended
from tfmini._src.distribute.multi_worker_mirrored_strategy import (
    CollectiveCommunication,
    MultiWorkerMirroredExtended,
)
from tfmini._src.distribute.parameter_server_strategy import ParameterServerExtended
from tfmini._src.distribute.several_replicas import SeveralReplicasExtended
from tfmini._src.distribute.strategy import Strategy

if TYPE_CHECKING:
    from tfmini._src.distribute.cross_device_ops import CrossDeviceOps


class _WholeBatches(SeveralReplicasExtended):
    """Mixin that feeds each replica a whole batch instead of a shard."""

    _global_batch_size = False

    def _make_dataset_iterator(self, dataset: Any) -> Any:
        return DatasetIterator(dataset, self._input_workers, self._container_strategy())


class _MirroredExtended(_WholeBatches, MirroredExtended):
    """Implementation of `MirroredStrategy`."""


class _ParameterServer(_WholeBatches, ParameterServerExtended):
    """Implementation of `ParameterServerStrategy`."""


class MirroredStrategy(Strategy):
    """`tf.distribute.MirroredStrategy` whose `make_dataset_iterator` yields whole batches per replica.

    Args:
      devices: device names.
      num_gpus, num_gpus_per_worker: number of GPUs, instead of `devices`; by default all.
      cross_device_ops: implementation of gradient reduction.
      auto_shard_dataset: unused, as there is only one worker.
      cross_tower_ops: older name of `cross_device_ops`.

    Raises:
      ValueError: if both `devices` and a number of GPUs, or both numbers, are given.
    """

    def __init__(
        self,
        devices: Sequence[str] | None = None,
        num_gpus: int | None = None,
        num_gpus_per_worker: int | None = None,
        cross_device_ops: CrossDeviceOps | None = None,
        auto_shard_dataset: bool = False,
        cross_tower_ops: CrossDeviceOps | None = None,
    ):
        assert not (cross_device_ops and cross_tower_ops)
        if num_gpus is not None and num_gpus_per_worker is not None:
            raise ValueError("You cannot specify both `num_gpus` and `num_gpus_per_worker`.")
        gpus = num_gpus_per_worker if num_gpus is None else num_gpus
        if devices is not None and gpus is not None:
            raise ValueError("Must only specify one of `devices` and `num_gpus_per_worker`.")
        if gpus is not None:
            devices = local_devices(gpus)
        super().__init__(_MirroredExtended(self, devices, cross_device_ops or cross_tower_ops))


class ParameterServerStrategy(Strategy):
    """`tf.distribute.experimental.ParameterServerStrategy` for the cluster in TF_CONFIG.

    `make_dataset_iterator` yields whole batches per replica.

    num_gpus_per_worker: number of GPUs, one replica per GPU; 0 for one replica on the CPU.
    """

    def __init__(self, num_gpus_per_worker: int = 0):
        tf_config = TFConfigClusterResolver()
        resolver = SimpleClusterResolver(
            tf_config.cluster_spec(),
            task_type=tf_config.task_type,
            task_id=tf_config.task_id,
            num_accelerators={"GPU": num_gpus_per_worker},
        )
        devices = None if resolver.cluster_spec() else local_devices(num_gpus_per_worker)
        super().__init__(_ParameterServer(self, resolver, devices))


class CollectiveAllReduceStrategy(Strategy):
    """`tf.distribute.experimental.MultiWorkerMirroredStrategy` with a number of GPUs.

    num_gpus_per_worker: number of GPUs; 0 for the CPU.
    communication: as in `MultiWorkerMirroredStrategy`.
    """

    def __init__(
        self,
        num_gpus_per_worker: int = 0,
        communication: CollectiveCommunication = CollectiveCommunication.AUTO,
    ):
        super().__init__(MultiWorkerMirroredExtended(self, communication, num_gpus_per_worker))
