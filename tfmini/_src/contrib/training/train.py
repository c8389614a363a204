"""Training loop in a single call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfmini._src.train.monitored.monitored_training_session import MonitoredTrainingSession

if TYPE_CHECKING:
    from tfmini._src.base import proto
    from tfmini._src.train.monitored.scaffold import Scaffold


def train(
    train_op: object,
    logdir: str | None,
    master: str = "",
    is_chief: bool = True,
    scaffold: Scaffold | None = None,
    hooks: list[Any] | None = None,
    chief_only_hooks: list[Any] | None = None,
    save_checkpoint_secs: float | None = 600,
    save_summaries_steps: int | None = 100,
    config: proto.ConfigProto | None = None,
    max_wait_secs: float = 7200,
    run_metadata: proto.RunMetadata | None = None,
) -> Any:
    """Runs `train_op` in a MonitoredTrainingSession until a hook or the end of the data stops it.

    Args:
      train_op: the operation to run, as in `create_train_op`.
      logdir: directory of checkpoints and summaries, or None.
      master, is_chief, scaffold, hooks, chief_only_hooks, save_checkpoint_secs, save_summaries_steps, config,
        max_wait_secs: as in `tf.train.MonitoredTrainingSession`.
      run_metadata: a RunMetadata filled by each step.

    Returns:
      The result of the last run, or None.

    Raises:
      ValueError: if output is requested without a directory.

    Example: `tf.contrib.training.train(train_op, "/tmp/model", hooks=[tf.train.StopAtStepHook(1000)])`.
    """
    if logdir is None and is_chief:
        if save_summaries_steps:
            raise ValueError("logdir cannot be None when save_summaries_steps is not None")
        if save_checkpoint_secs:
            raise ValueError("logdir cannot be None when save_checkpoint_secs is not None")
    with MonitoredTrainingSession(
        master=master,
        is_chief=is_chief,
        checkpoint_dir=logdir,
        scaffold=scaffold,
        hooks=hooks,
        chief_only_hooks=chief_only_hooks,
        save_checkpoint_secs=save_checkpoint_secs,
        save_summaries_steps=save_summaries_steps,
        config=config,
        max_wait_secs=max_wait_secs,
    ) as session:
        loss = None
        while not session.should_stop():
            loss = session.run(train_op, run_metadata=run_metadata)
    return loss
