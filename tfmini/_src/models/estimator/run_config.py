"""Estimator configuration: directories, seeds, save and log intervals, and the cluster task."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tfmini._src.base import logs, proto
from tfmini._src.base.read_only import read_only
from tfmini._src.models.estimator.fn_args import parameter_names
from tfmini._src.models.estimator.tf_config import TaskType, cluster_task

if TYPE_CHECKING:
    from tfmini._src.distribute.strategy import Strategy


_DEFAULT: Any = object()
_BOTH_SET_ERROR = "`save_checkpoints_steps` and `save_checkpoints_secs` cannot be both set."
# Properties that `replace` can change, in parameter order.
_REPLACEABLE = [
    *("model_dir", "tf_random_seed", "save_summary_steps", "save_checkpoints_steps"),
    *("save_checkpoints_secs", "session_config", "keep_checkpoint_max"),
    *("keep_checkpoint_every_n_hours", "log_step_count_steps", "train_distribute", "device_fn"),
    *("protocol", "eval_distribute", "experimental_distribute"),
    *("experimental_max_worker_delay_secs", "session_creation_timeout_secs"),
]


def default_session_config() -> Any:
    """Returns the default ConfigProto, with soft placement and one graph rewriting iteration."""
    options = proto.RewriterConfig(meta_optimizer_iterations=proto.RewriterConfig.ONE)
    return proto.ConfigProto(
        allow_soft_placement=True, graph_options=proto.GraphOptions(rewrite_options=options)
    )


# For each property, its condition and error message.
_CHECKS: tuple[tuple[str, Callable[[Any], Any], str], ...] = (
    ("model_dir", bool, "model_dir should be non-empty"),
    ("save_summary_steps", lambda v: v >= 0, "save_summary_steps should be >= 0"),
    ("save_checkpoints_steps", lambda v: v >= 0, "save_checkpoints_steps should be >= 0"),
    ("save_checkpoints_secs", lambda v: v >= 0, "save_checkpoints_secs should be >= 0"),
    (
        "session_config",
        lambda v: isinstance(v, proto.ConfigProto),
        "session_config must be instance of ConfigProto",
    ),
    ("keep_checkpoint_max", lambda v: v >= 0, "keep_checkpoint_max should be >= 0"),
    (
        "keep_checkpoint_every_n_hours",
        lambda v: v > 0,
        "keep_checkpoint_every_n_hours should be > 0",
    ),
    ("log_step_count_steps", lambda v: v > 0, "log_step_count_steps should be > 0"),
    ("tf_random_seed", lambda v: isinstance(v, int), "tf_random_seed must be integer."),
    (
        "experimental_max_worker_delay_secs",
        lambda v: isinstance(v, int),
        "experimental_max_worker_delay_secs must be an integer if set.",
    ),
    (
        "session_creation_timeout_secs",
        lambda v: v > 0,
        "session_creation_timeout_secs should be > 0",
    ),
    (
        "device_fn",
        lambda v: callable(v) and set(parameter_names(v)) == {"op"},
        'device_fn must be callable with exactly one argument "op".',
    ),
    ("protocol", lambda v: v in ("grpc", "grpc+verbs"), "protocol should be grpc or grpc+verbs"),
)


class RunConfig:
    """Run configuration of an Estimator; `replace` returns a modified copy.

    The environment variable TF_CONFIG contains the cluster task as JSON, such as
    `{"cluster": {"chief": [address], "worker": [...], "ps": [...]}, "task": {"type": "worker", "index": 0}}`.

    Args:
      model_dir: directory of checkpoints and event files, by default the Estimator's.
      tf_random_seed: graph-level random seed.
      save_summary_steps: summary interval in steps.
      save_checkpoints_steps, save_checkpoints_secs: checkpoint interval, by default 600 seconds; at most one may
        be given, and None for both disables checkpoints.
      session_config: a ConfigProto.
      keep_checkpoint_max: number of checkpoints to keep; None or 0 for all.
      keep_checkpoint_every_n_hours: interval of permanent checkpoints in hours.
      log_step_count_steps: logging interval of loss and step rate in steps; None for never.
      train_distribute, eval_distribute: `tf.distribute.Strategy` instances or None.
      experimental_distribute: a `tf.contrib.distribute.DistributeConfig` with both strategies.
      device_fn: `device_fn(op)` returns the device of an operation.
      protocol: server protocol: None, "grpc" or "grpc+verbs".
      experimental_max_worker_delay_secs: maximum start delay of a worker in seconds.
      session_creation_timeout_secs: timeout of session creation in seconds.

    Raises:
      ValueError: if both checkpoint intervals are given, a value is out of range, or TF_CONFIG is invalid.
      NotImplementedError: if `experimental_distribute` has a remote cluster.

    Example: `tf.estimator.RunConfig("/tmp/model", save_checkpoints_steps=500)`.
    """

    model_dir: Any = read_only("The directory of checkpoints and event files.")
    tf_random_seed: int | None = read_only("The graph-level random seed.")
    save_summary_steps: int = read_only("Summary interval in steps.")
    save_checkpoints_steps: int | None = read_only("Checkpoint interval in steps.")
    save_checkpoints_secs: float | None = read_only("Checkpoint interval in seconds.")
    session_config: Any = read_only("The ConfigProto of sessions.")
    keep_checkpoint_max: int | None = read_only("Number of recent checkpoints to keep.")
    keep_checkpoint_every_n_hours: float = read_only("Interval of permanent checkpoints in hours.")
    log_step_count_steps: int | None = read_only("Logging interval of loss and step rate in steps.")
    train_distribute: Any = read_only("The training strategy, or None.")
    eval_distribute: Any = read_only("The evaluation strategy, or None.")
    device_fn: Callable | None = read_only("Device function of operations, or None.")
    protocol: str | None = read_only("The server protocol.")
    experimental_max_worker_delay_secs: int | None = read_only(
        "Maximum start delay of a worker in seconds."
    )
    session_creation_timeout_secs: float = read_only("Timeout of session creation in seconds.")
    service: dict | None = read_only("The dict `service` in TF_CONFIG.")
    cluster_spec: Any = read_only("The ClusterSpec; empty for a single process.")
    task_type: str = read_only("The job of this process.")
    task_id: int = read_only("The task index within the job.")
    global_id_in_cluster: int | None = read_only(
        "The global task index: the chief is 0, parameter servers are last; None for an evaluator."
    )
    master: str = read_only("The target of training sessions.")
    evaluation_master: str = read_only("The target of evaluation sessions.")
    is_chief: bool = read_only("Whether this process initializes variables and saves checkpoints.")
    num_ps_replicas: int = read_only("Number of parameter servers.")
    num_worker_replicas: int = read_only("Number of workers, including the chief.")

    _model_dir: Any
    _tf_random_seed: int | None
    _save_summary_steps: int
    _save_checkpoints_steps: int | None
    _save_checkpoints_secs: float | None
    _session_config: Any
    _keep_checkpoint_max: int | None
    _keep_checkpoint_every_n_hours: float
    _log_step_count_steps: int | None
    _train_distribute: Any
    _device_fn: Callable | None
    _protocol: str | None
    _eval_distribute: Any
    _experimental_distribute: Any
    _experimental_max_worker_delay_secs: int | None
    _session_creation_timeout_secs: float

    def __init__(
        self,
        model_dir: str | None = None,
        tf_random_seed: int | None = None,
        save_summary_steps: int = 100,
        save_checkpoints_steps: int = _DEFAULT,
        save_checkpoints_secs: int = _DEFAULT,
        session_config: proto.ConfigProto | None = None,
        keep_checkpoint_max: int = 5,
        keep_checkpoint_every_n_hours: float = 10000,
        log_step_count_steps: int = 100,
        train_distribute: Strategy | None = None,
        device_fn: Callable[..., Any] | None = None,
        protocol: str | None = None,
        eval_distribute: Strategy | None = None,
        experimental_distribute: object = None,
        experimental_max_worker_delay_secs: int | None = None,
        session_creation_timeout_secs: float = 7200,
    ):
        arguments = dict(locals())
        steps, secs = save_checkpoints_steps, save_checkpoints_secs
        if steps is _DEFAULT:
            arguments["save_checkpoints_steps"] = None
        if secs is _DEFAULT:
            arguments["save_checkpoints_secs"] = 600 if steps is _DEFAULT else None
        environment = json.loads(os.environ.get("TF_CONFIG", "{}"))
        if environment:
            logs.info("TF_CONFIG environment variable: %s", environment)
        arguments["model_dir"] = _model_dir(environment, model_dir)
        self._set({name: arguments[name] for name in _REPLACEABLE})
        if experimental_distribute:
            self._take_strategies(experimental_distribute)
        task = cluster_task(environment, self._train_distribute is not None)
        self._service = task.service
        self._cluster_spec = task.cluster_spec
        self._task_type = task.task_type
        self._task_id = task.task_id
        self._global_id_in_cluster = task.global_id_in_cluster
        self._master = task.master
        self._evaluation_master = task.evaluation_master
        self._is_chief = task.is_chief
        self._num_ps_replicas = task.num_ps_replicas
        self._num_worker_replicas = task.num_worker_replicas
        if not self._session_config and self._cluster_spec:
            self._session_config = self._session_config_in_a_cluster()

    def _take_strategies(self, config: Any) -> None:
        """Sets the strategies of a `tf.contrib.distribute.DistributeConfig`."""
        for name in ("train_distribute", "eval_distribute"):
            strategy = getattr(config, name)
            if strategy and getattr(self, f"_{name}"):
                raise ValueError(f"Either `{name}` or`experimental_distribute.{name}` can be set.")
            setattr(self, f"_{name}", strategy or getattr(self, f"_{name}"))
        if config.remote_cluster:
            raise NotImplementedError(
                "tfmini does not support experimental_distribute.remote_cluster: run one script per task with TF_CONFIG"
            )

    def _set(self, values: dict[str, Any]) -> None:
        """Sets and validates property values."""
        for name, value in values.items():
            if name not in _REPLACEABLE:
                raise ValueError(
                    f"Replacing {name} is not supported. Allowed properties are {_REPLACEABLE}."
                )
            setattr(self, "_" + name, value)
        steps, secs = (
            values.get(f"save_checkpoints_{unit}", _DEFAULT) for unit in ("steps", "secs")
        )
        if steps not in (None, _DEFAULT) and secs not in (None, _DEFAULT):
            raise ValueError(_BOTH_SET_ERROR)
        if secs is _DEFAULT and steps not in (None, _DEFAULT):
            self._save_checkpoints_secs = None
        if steps is _DEFAULT and secs not in (None, _DEFAULT):
            self._save_checkpoints_steps = None
        for name, is_right, text in _CHECKS:
            value = getattr(self, "_" + name)
            if value is not None and not is_right(value):
                raise ValueError(text)

    def _session_config_in_a_cluster(self) -> Any:
        """Returns the ConfigProto with device filters for the tasks to communicate with; None for an evaluator."""
        job, task_id = self._task_type, self._task_id
        filters = {
            TaskType.MASTER: ["/job:ps", "/job:master"],
            TaskType.CHIEF: ["/job:ps", "/job:chief"],
            TaskType.WORKER: ["/job:ps", f"/job:worker/task:{task_id}"],
            TaskType.PS: ["/job:ps", "/job:worker", "/job:chief", "/job:master"],
        }.get(job)
        if filters is None:
            return None
        config = default_session_config()
        config.device_filters.extend(filters)
        return config

    def replace(self, **kwargs: Any) -> RunConfig:
        """Returns a copy with other property values.

        Args:
          **kwargs: property values. Setting one checkpoint interval clears the other.

        Returns:
          The copy.

        Raises:
          ValueError: for an unknown property, or a value out of range.
        """
        new_config = copy.deepcopy(self)
        new_config._set(kwargs)
        return new_config


def _model_dir(environment: dict[str, Any], model_dir: Any) -> Any:
    """Returns the model directory, from the argument or TF_CONFIG."""
    model_dir = None if model_dir is None else os.fspath(model_dir)
    if model_dir == "":
        raise ValueError("model_dir should be non-empty.")
    configured = environment.get("model_dir")
    if configured == "":
        raise ValueError("model_dir in TF_CONFIG should be non-empty.")
    if configured:
        if model_dir and configured != model_dir:
            raise ValueError(
                "`model_dir` provided in RunConfig construct, if set, must have the same value as the model_dir in "
                f'TF_CONFIG. model_dir: {model_dir}\nTF_CONFIG["model_dir"]: {configured}.\n'
            )
        logs.info("Using model_dir in TF_CONFIG: %s", configured)
    return model_dir or configured
