"""Run configuration of a TPUEstimator."""

from __future__ import annotations

import enum
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from tfmini._src.base.errors import UnimplementedError
from tfmini._src.base.read_only import read_only
from tfmini._src.models.estimator.run_config import RunConfig
from tfmini._src.models.estimator.tf_config import TaskType

if TYPE_CHECKING:
    from tfmini._src.distribute.cluster_resolver.cluster_resolver import ClusterResolver


_PER_LOOP_PATTERN = re.compile(r"([1-9]\d*)([smh]?)")
_SECONDS = {"s": 1, "m": 60, "h": 3600}


class ExportSavedModelApiVersion(enum.Enum):
    """Versions of the TPU graph export."""

    V1 = 1
    V2 = 2


class InputPipelineConfig:
    """Granularity of input function calls on TPUs."""

    PER_SHARD_V1 = 1
    PER_HOST_V1 = 2
    PER_HOST_V2 = 3
    BROADCAST = 4
    SLICED = 5


def check_positive(value: Any, name: str) -> None:
    """Raises TypeError or ValueError unless the value is a positive int."""
    if not isinstance(value, int):
        raise TypeError(f"{name} must be int, got {type(value)}")
    if value <= 0:
        raise ValueError(f"{name} must be positive, got {value}")


def steps_per_loop(iterations: Any) -> tuple[int, str]:
    """Parses the length of a TPU loop to (number, "count" or "seconds"); raises ValueError for other values."""
    match = _PER_LOOP_PATTERN.fullmatch(str(iterations))
    if not match:
        raise ValueError(
            "Invalid TPUConfig `iterations_per_loop` value. Value must be positive integer value or "
            "time-based value `<N><s|m|h>` where <N> is anypositive integer and `s`, `m`, `h` are unit of "
            "time in seconds, minutes, hours respectively. Examples of valid values: `3600s`, `60m`, `1h`."
        )
    length, unit = int(match[1]), match[2]
    return (length * _SECONDS[unit], "seconds") if unit else (length, "count")


class _TPUFields(NamedTuple):
    iterations_per_loop: Any
    num_shards: int | None
    num_cores_per_replica: int | None
    per_host_input_for_training: Any
    tpu_job_name: str | None
    initial_infeed_sleep_secs: int | None
    input_partition_dims: Any
    eval_training_input_configuration: int
    experimental_host_call_every_n_steps: int


class TPUConfig(_TPUFields):
    """TPU settings of a TPUEstimator; without TPUs, they affect only the logging interval.

    Args:
      iterations_per_loop: number of steps, or duration ("60s"), of one TPU loop.
      num_shards, num_cores_per_replica, per_host_input_for_training, tpu_job_name: used by TPUs only.
      initial_infeed_sleep_secs, input_partition_dims, eval_training_input_configuration: used by TPUs only.
      experimental_host_call_every_n_steps: used by TPUs only.

    Raises:
      TypeError, ValueError: for nonpositive numbers or conflicting arguments.
    """

    def __new__(
        cls,
        iterations_per_loop: Any = 2,
        num_shards: int | None = None,
        num_cores_per_replica: int | None = None,
        per_host_input_for_training: Any = True,
        tpu_job_name: str | None = None,
        initial_infeed_sleep_secs: int | None = None,
        input_partition_dims: Any = None,
        eval_training_input_configuration: int = InputPipelineConfig.PER_HOST_V1,
        experimental_host_call_every_n_steps: int = 1,
    ) -> TPUConfig:
        steps_per_loop(iterations_per_loop)
        if num_shards is not None:
            check_positive(num_shards, "TPUConfig num_shards")
        if input_partition_dims is not None:
            _check_partition(
                input_partition_dims, per_host_input_for_training, num_cores_per_replica
            )
        if num_cores_per_replica not in (None, 1, 2, 4, 8, 16, 32, 64, 128):
            raise ValueError(
                "num_cores_per_replica must be 1, 2, 4, 8, 16, 32, 64, 128; "
                f"got {num_cores_per_replica}"
            )
        evaluated = eval_training_input_configuration
        if evaluated not in (InputPipelineConfig.PER_HOST_V1, InputPipelineConfig.SLICED):
            raise ValueError(
                f"eval_training_input_configuration must be PER_HOST_V1 or SLICED; got {evaluated}"
            )
        if isinstance(per_host_input_for_training, bool):
            per_host_input_for_training = (
                InputPipelineConfig.PER_HOST_V1
                if per_host_input_for_training
                else InputPipelineConfig.PER_SHARD_V1
            )
        if initial_infeed_sleep_secs:
            check_positive(initial_infeed_sleep_secs, "TPUConfig initial_infeed_sleep_secs")
        return super().__new__(
            cls,
            iterations_per_loop,
            num_shards,
            num_cores_per_replica,
            per_host_input_for_training,
            tpu_job_name,
            initial_infeed_sleep_secs,
            input_partition_dims,
            evaluated,
            experimental_host_call_every_n_steps,
        )


def _check_partition(dims: Any, per_host: Any, cores: int | None) -> None:
    if len(dims) not in (1, 2):
        raise ValueError("input_partition_dims must be a list/tuple with one or two elements.")
    if per_host is not InputPipelineConfig.PER_HOST_V2:
        raise ValueError("input_partition_dims is only supported in PER_HOST_V2 mode.")
    if cores is None:
        raise ValueError("input_partition_dims requires setting num_cores_per_replica.")


class TPURunConfig(RunConfig):
    """A RunConfig with a TPUConfig.

    Args:
      tpu_config: a TPUConfig.
      evaluation_master, master: server addresses, "" for this process.
      cluster: must be None: TPUs are unsupported.
      **kwargs: as in `tf.estimator.RunConfig`.

    Raises:
      UnimplementedError: if a cluster is given.
    """

    evaluation_master: str = read_only("The evaluation server address.")
    master: str = read_only("The server address.")
    tpu_config: TPUConfig = read_only("The TPUConfig.")
    cluster: None = read_only("Always None: TPUs are unsupported.")

    def __init__(
        self,
        tpu_config: TPUConfig | None = None,
        evaluation_master: str | None = None,
        master: str | None = None,
        cluster: ClusterResolver | None = None,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        if cluster is not None:
            if master is not None:
                raise ValueError("Both master and cluster are set.")
            raise UnimplementedError(
                None, None, "tfmini does not support TPUs: omit cluster and pass use_tpu=False"
            )
        self._tpu_config = tpu_config or TPUConfig()
        self._cluster = cluster
        if master is not None:
            self._master = master
        if evaluation_master is not None:
            self._evaluation_master = evaluation_master
        elif not self._evaluation_master and self.task_type != TaskType.EVALUATOR:
            self._evaluation_master = self._master

    def _session_config_in_a_cluster(self) -> Any:
        return None

    def replace(self, **kwargs: Any) -> TPURunConfig:
        """Returns a copy with other property values, including `tpu_config`."""
        tpu_config = kwargs.pop("tpu_config", self._tpu_config)
        new_config: Any = super().replace(**kwargs)
        new_config._tpu_config = tpu_config
        return new_config


TPURunConfig.__name__ = TPURunConfig.__qualname__ = "RunConfig"
