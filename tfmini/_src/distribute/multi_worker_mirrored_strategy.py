"""`MultiWorkerMirroredStrategy`, on the devices of one worker."""

from __future__ import annotations

import enum
from typing import Any

from tfmini._src.cluster.cluster_spec import ClusterSpec
from tfmini._src.distribute.cluster_resolver.tfconfig_cluster_resolver import (
    TFConfigClusterResolver,
)
from tfmini._src.distribute.devices import local_devices
from tfmini._src.distribute.mirrored_strategy import MirroredExtended
from tfmini._src.distribute.strategy import Strategy


class CollectiveCommunication(enum.Enum):
    """Ways of adding gradients up; here they are one: NCCL where it can be used."""

    AUTO = "AUTO"
    RING = "RING"
    NCCL = "NCCL"


class MultiWorkerMirroredStrategy(Strategy):
    """`MirroredStrategy` of all devices of a worker; several workers train together with `horovod.tensorflow`.

    communication: a `CollectiveCommunication`; no effect.

    Raises:
      NotImplementedError: if TF_CONFIG names several workers.
    """

    def __init__(self, communication: CollectiveCommunication = CollectiveCommunication.AUTO):
        super().__init__(MultiWorkerMirroredExtended(self, communication))


class MultiWorkerMirroredExtended(MirroredExtended):
    """Implementation of `MultiWorkerMirroredStrategy`."""

    experimental_between_graph = True

    def __init__(
        self,
        container_strategy: Any,
        communication: CollectiveCommunication,
        gpus: int | None = None,
    ):
        if not isinstance(communication, CollectiveCommunication):
            raise ValueError(
                "`communication` must be an instance of `tf.distribute.experimental.CollectiveCommunication`."
            )
        resolver = TFConfigClusterResolver()
        _refuse_workers(resolver.cluster_spec(), resolver.task_type)
        super().__init__(container_strategy, local_devices(gpus))

    def _configure(
        self,
        session_config: Any = None,
        cluster_spec: Any = None,
        task_type: Any = None,
        task_id: Any = None,
    ) -> None:
        if cluster_spec:
            _refuse_workers(ClusterSpec(cluster_spec), task_type)
        super()._configure(session_config)


def _refuse_workers(cluster: ClusterSpec, task_type: str | None) -> None:
    """Raises NotImplementedError if a task of the cluster would train with others; an evaluator is alone."""
    jobs = cluster.as_dict()
    workers = len(jobs.get("chief", ())) + len(jobs.get("worker", ()))
    if workers > 1 and task_type != "evaluator":
        raise NotImplementedError(
            f"tfmini's MultiWorkerMirroredStrategy has one worker, and TF_CONFIG names {workers}: train with "
            "horovod.tensorflow (`tfmini launch --ranks N`), or with parameter servers"
        )
