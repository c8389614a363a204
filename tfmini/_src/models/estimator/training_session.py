"""The training session of an Estimator's model, with the hooks of its config."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import logs
from tfmini._src.graph.collections import add_to_collection, get_collection
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.models.estimator.estimator_spec import EstimatorSpec
from tfmini._src.models.estimator.tf_config import TaskType
from tfmini._src.ops.summaries.scalar_histogram_summary import scalar
from tfmini._src.train.checkpoints.saver import Saver
from tfmini._src.train.global_step import get_global_step
from tfmini._src.train.monitored.checkpoint_saver_hook import CheckpointSaverHook
from tfmini._src.train.monitored.logging_tensor_hook import LoggingTensorHook
from tfmini._src.train.monitored.monitored_training_session import MonitoredTrainingSession
from tfmini._src.train.monitored.start_stop_hooks import NanTensorHook
from tfmini._src.train.monitored.summary_hooks import (
    StepCounterHook,
    SummarySaverHook,
)


def train_with(
    spec: EstimatorSpec, config: Any, session_config: Any, hooks: list, listeners: list
) -> Any:
    """Runs the training step until a hook requests a stop or the input ends.

    Args:
      spec: the EstimatorSpec of the model.
      config: the RunConfig.
      session_config: the ConfigProto.
      hooks: input hooks and the caller's hooks.
      listeners: CheckpointSaverListeners.

    Returns:
      The last loss, or None if no step ran.

    Raises:
      ValueError: if there are listeners, but no hook that saves checkpoints.
    """
    if not any(summary.op.name == "loss" for summary in get_collection(GraphKeys.SUMMARIES)):
        scalar("loss", spec.loss)
    add_to_collection(GraphKeys.LOSSES, spec.loss)
    step_interval = config.log_step_count_steps
    hooks = [*hooks, NanTensorHook(spec.loss)]
    if step_interval is not None:
        values = {"loss": spec.loss, "step": get_global_step()}
        hooks.append(LoggingTensorHook(values, every_n_iter=step_interval))
    hooks.extend(spec.training_hooks)
    if not spec.scaffold.saver:
        add_saver(config)
    chief_hooks = [*_saving_hooks(spec, config, hooks, listeners), *spec.training_chief_hooks]
    summary_steps = config.save_summary_steps
    jobs = config.cluster_spec.jobs
    if TaskType.WORKER in jobs and TaskType.MASTER in jobs:  # a worker writes, the master evaluates
        hooks.extend(_first_worker_hooks(spec, config))
        summary_steps, step_interval = 0, None
    strategy = config.train_distribute
    alone = strategy is not None and strategy.extended._connects_workers
    if alone and not config.is_chief:
        summary_steps, step_interval, chief_hooks = 0, None, []
    with MonitoredTrainingSession(
        master="" if alone else config.master,
        is_chief=alone or config.is_chief,
        checkpoint_dir=config.model_dir,
        scaffold=spec.scaffold,
        hooks=hooks,
        chief_only_hooks=chief_hooks,
        save_checkpoint_secs=0,  # a hook saves
        save_summaries_steps=summary_steps,
        config=session_config,
        max_wait_secs=config.session_creation_timeout_secs,
        log_step_count_steps=step_interval,
    ) as session:
        loss, is_done = None, False
        while not session.should_stop():
            _, loss = session.run([spec.train_op, spec.loss])
            is_done = True
    if not is_done:
        logs.warning(
            "Training with estimator made no steps. Perhaps input is empty or misspecified."
        )
    return loss


def add_saver(config: Any) -> None:
    """Adds a Saver with a RunConfig's settings to the graph's SAVERS collection if the collection is empty."""
    if get_collection(GraphKeys.SAVERS):
        return
    saver = Saver(
        sharded=True,
        max_to_keep=config.keep_checkpoint_max,
        keep_checkpoint_every_n_hours=config.keep_checkpoint_every_n_hours,
        defer_build=True,
        save_relative_paths=True,
    )
    add_to_collection(GraphKeys.SAVERS, saver)


def _saving_hooks(spec: EstimatorSpec, config: Any, hooks: list, listeners: list) -> list:
    """Adds the listeners to the hook that saves checkpoints; returns this hook in a list if it had to be created."""
    saving = [
        hook
        for hook in (*hooks, *spec.training_chief_hooks)
        if isinstance(hook, CheckpointSaverHook)
    ]
    added_hooks = []
    secs, steps = config.save_checkpoints_secs, config.save_checkpoints_steps
    if not saving and (secs or steps):
        hook = CheckpointSaverHook(
            config.model_dir, save_secs=secs, save_steps=steps, scaffold=spec.scaffold
        )
        added_hooks, saving = [hook], [hook]
    if listeners and not saving:
        raise ValueError(
            "There should be a CheckpointSaverHook to use saving_listeners. Please set one of the "
            "RunConfig.save_checkpoints_steps or RunConfig.save_checkpoints_secs."
        )
    for listener in listeners:
        if listener not in saving[0]._listeners:
            saving[0]._listeners.append(listener)
    return added_hooks


def _first_worker_hooks(spec: EstimatorSpec, config: Any) -> list:
    if config.task_type != TaskType.WORKER or config.task_id != 0:
        return []
    hooks: list[Any] = []
    if config.save_summary_steps:
        hooks.append(
            SummarySaverHook(
                save_steps=config.save_summary_steps,
                output_dir=config.model_dir,
                scaffold=spec.scaffold,
            )
        )
    if config.log_step_count_steps:
        hooks.append(
            StepCounterHook(every_n_steps=config.log_step_count_steps, output_dir=config.model_dir)
        )
    return hooks
