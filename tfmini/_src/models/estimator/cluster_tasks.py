"""`train_and_evaluate` for one task of a cluster: chief, master, worker, parameter server or evaluator."""

from __future__ import annotations

import time
from typing import Any

from tfmini._src.base import logs, proto
from tfmini._src.cluster.server import Server
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.models.estimator.checkpoint_evaluator import STATUS_EVALUATED, CheckpointEvaluator
from tfmini._src.models.estimator.checkpoint_listener import EvaluatesCheckpoints
from tfmini._src.models.estimator.estimator import Estimator
from tfmini._src.models.estimator.run_config import RunConfig
from tfmini._src.models.estimator.tf_config import TaskType
from tfmini._src.models.estimator.training_specs import EvalSpec, TrainSpec

# Start delay in seconds per worker index, and its maximum.
_DELAY_SECS_PER_WORKER, _MAX_DELAY_SECS = 5, 60

_TRAINERS = (TaskType.CHIEF, TaskType.MASTER, TaskType.WORKER)


def run_task(estimator: Estimator, train_spec: TrainSpec, eval_spec: EvalSpec) -> None:
    """Runs the task in the Estimator's config; never returns for a parameter server.

    Raises:
      ValueError: for an unknown task type, or a second evaluator.
      RuntimeError: if the config lacks the address of the task's server.
    """
    config = estimator.config
    task = config.task_type
    if task == TaskType.EVALUATOR:
        if config.task_id > 0:
            raise ValueError(
                "For distributed training, there can only be one `evaluator` task (with task id 0).  Given task id "
                f"{config.task_id}"
            )
        _evaluate_until_trained(estimator, train_spec, eval_spec)
    elif task == TaskType.PS:
        _start_server(config).join()
    elif task in _TRAINERS:
        _train(estimator, train_spec, eval_spec)
    elif not task:
        raise ValueError(
            "`estimator.config` must have task_type set. This usually means TF_CONFIG environment is not set correctly."
        )
    elif task == "local":
        raise ValueError(
            "`task.type` in TF_CONFIG cannot be `local`. Leaving `cluster` and `task` properties in TF_CONFIG absent "
            "triggers train and evaluate `Estimator` locally (non-distributed)."
        )
    else:
        supported = sorted((*_TRAINERS, TaskType.PS, TaskType.EVALUATOR))
        raise ValueError(f"Task type {task} is not supported. Supported task types are {supported}")


def _train(estimator: Estimator, train_spec: TrainSpec, eval_spec: EvalSpec) -> None:
    """Trains as chief, master or worker; a master also evaluates."""
    config = estimator.config
    # Before the delay: others wait for this task's server.
    strategy = config.train_distribute
    if strategy is None or not strategy.extended._connects_workers:
        _start_server(config)
    if config.task_type == TaskType.WORKER and strategy is None:
        max_delay = config.experimental_max_worker_delay_secs
        max_delay = _MAX_DELAY_SECS if max_delay is None else int(max_delay)
        delay = min(max_delay, (config.task_id + 1) * _DELAY_SECS_PER_WORKER)
        if delay > 0:
            logs.info("Waiting %d secs before starting training.", delay)
            time.sleep(delay)
    listeners = []
    if config.task_type == TaskType.MASTER:
        evaluator = CheckpointEvaluator(estimator, eval_spec, train_spec.max_steps)
        listeners.append(EvaluatesCheckpoints(evaluator, eval_spec.throttle_secs))
    estimator.train(
        train_spec.input_fn,
        hooks=train_spec.hooks,
        max_steps=train_spec.max_steps,
        saving_listeners=listeners,
    )


def _start_server(config: RunConfig) -> Any:
    """Starts this task's server until the process ends; None if this is the only task."""
    if not config.master:
        tasks = [
            address for addresses in config.cluster_spec.as_dict().values() for address in addresses
        ]
        if len(tasks) == 1 and config.task_type in _TRAINERS:
            logs.info("Skip starting Tensorflow server as there is only one node in the cluster.")
            return None
        raise RuntimeError(
            "Could not start server; be sure to specify master in RunConfig or set the TF_CONFIG environment variable."
        )
    logs.info("Start Tensorflow server.")
    session_config = proto.ConfigProto(log_device_placement=False)
    if config.session_config is not None:
        session_config.gpu_options.CopyFrom(config.session_config.gpu_options)
    return Server(
        config.cluster_spec,
        job_name=config.task_type,
        task_index=config.task_id,
        config=session_config,
        protocol=config.protocol,
    )


def _evaluate_until_trained(
    estimator: Estimator, train_spec: TrainSpec, eval_spec: EvalSpec
) -> None:
    """Evaluates new checkpoints until the final step, or indefinitely if there is no final step."""
    if eval_spec.start_delay_secs:
        logs.info("Waiting %f secs before starting eval.", eval_spec.start_delay_secs)
        time.sleep(eval_spec.start_delay_secs)
    evaluator = CheckpointEvaluator(estimator, eval_spec, train_spec.max_steps)
    while True:
        begin = time.monotonic()
        status, metrics, _ = evaluator.evaluate_and_export()
        if metrics is not None and evaluator.is_final(metrics):
            logs.info(
                "Exiting evaluation, global_step=%s >= train max_steps=%s",
                metrics[GraphKeys.GLOBAL_STEP],
                train_spec.max_steps,
            )
            return
        remaining = eval_spec.throttle_secs - (time.monotonic() - begin)
        if remaining > 0:
            logs.info("Waiting %f secs before starting next eval run.", remaining)
            time.sleep(remaining)
        elif eval_spec.throttle_secs == 0 and status != STATUS_EVALUATED:
            logs.warning(
                "EvalSpec.throttle_secs is set as 0. This might overload the job before finding (next) new checkpoint. "
                "Please consider to increase it."
            )
