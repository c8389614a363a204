"""`MonitoredTrainingSession`: a monitored session with the standard training hooks."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from tfmini._src.train.monitored.checkpoint_saver_hook import CheckpointSaverHook
from tfmini._src.train.monitored.monitored_session import MonitoredSession
from tfmini._src.train.monitored.progress_hook import ProgressHook, is_progress_shown
from tfmini._src.train.monitored.scaffold import Scaffold
from tfmini._src.train.monitored.session_creator import ChiefSessionCreator, WorkerSessionCreator
from tfmini._src.train.monitored.summary_hooks import (
    StepCounterHook,
    SummarySaverHook,
)

if TYPE_CHECKING:
    from tfmini._src.base import proto


USE_DEFAULT = object()


def MonitoredTrainingSession(
    master: str = "",
    is_chief: bool = True,
    checkpoint_dir: str | None = None,
    scaffold: Scaffold | None = None,
    hooks: list[Any] | None = None,
    chief_only_hooks: list[Any] | None = None,
    save_checkpoint_secs: Any = USE_DEFAULT,
    save_summaries_steps: Any = USE_DEFAULT,
    save_summaries_secs: Any = USE_DEFAULT,
    config: proto.ConfigProto | None = None,
    stop_grace_period_secs: float = 120,
    log_step_count_steps: int | None = 100,
    max_wait_secs: float = 7200,
    save_checkpoint_steps: Any = USE_DEFAULT,
    summary_dir: str | None = None,
) -> MonitoredSession:
    """Returns a MonitoredSession that resumes from the latest checkpoint and writes checkpoints and summaries.

    The hooks are called in the order `chief_only_hooks`, step counter, summaries, checkpoints, `hooks`. On a
    terminal with INFO messages off, the chief displays step, loss and steps per second on a line of standard
    error, unless the environment variable TFMINI_PROGRESS is 0.

    Args:
      master: the session target.
      is_chief: whether this worker initializes variables and writes files; other workers wait for it and use
        only `hooks`.
      checkpoint_dir: the directory of checkpoints, or None.
      scaffold: a Scaffold.
      hooks: a list of SessionRunHooks.
      chief_only_hooks: additional hooks of the chief.
      save_checkpoint_secs: checkpoint interval in seconds, by default 600; None or 0 for none.
      save_summaries_steps: summary interval in steps, by default 100; None or 0 for none.
      save_summaries_secs: summary interval in seconds, instead of steps.
      config: a ConfigProto.
      stop_grace_period_secs: seconds that `close` waits for threads.
      log_step_count_steps: step-rate logging interval in steps.
      max_wait_secs: seconds that a worker waits for the chief.
      save_checkpoint_steps: checkpoint interval in steps, instead of seconds.
      summary_dir: the directory of summaries, by default `checkpoint_dir`.

    Raises:
      ValueError: if an interval is given in both steps and seconds.

    Example:
      stop = tf.train.StopAtStepHook(last_step=1000)
      with tf.train.MonitoredTrainingSession(checkpoint_dir="/tmp/model", hooks=[stop]) as session:
          while not session.should_stop():
              session.run(train)
    """
    save_summaries_steps, save_summaries_secs = _or_default(
        save_summaries_steps, save_summaries_secs, (100, None)
    )
    save_checkpoint_steps, save_checkpoint_secs = _or_default(
        save_checkpoint_steps, save_checkpoint_secs, (None, 600)
    )
    scaffold = scaffold or Scaffold()
    creator: Any
    if not is_chief:
        creator = WorkerSessionCreator(scaffold, master, config, max_wait_secs)
        return MonitoredSession(creator, hooks or [], stop_grace_period_secs)
    all_hooks: list = list(chief_only_hooks or ())
    summary_dir = summary_dir or checkpoint_dir
    if summary_dir and _is_positive(log_step_count_steps):
        all_hooks.append(
            StepCounterHook(output_dir=summary_dir, every_n_steps=log_step_count_steps)
        )
    if summary_dir and (_is_positive(save_summaries_steps) or _is_positive(save_summaries_secs)):
        all_hooks.append(
            SummarySaverHook(
                scaffold=scaffold,
                save_steps=save_summaries_steps,
                save_secs=save_summaries_secs,
                output_dir=summary_dir,
            )
        )
    if checkpoint_dir and (
        _is_positive(save_checkpoint_secs) or _is_positive(save_checkpoint_steps)
    ):
        all_hooks.append(
            CheckpointSaverHook(
                checkpoint_dir,
                save_steps=save_checkpoint_steps,
                save_secs=save_checkpoint_secs,
                scaffold=scaffold,
            )
        )
    all_hooks.extend(hooks or ())
    creator = ChiefSessionCreator(scaffold, master, config, checkpoint_dir)
    if not is_progress_shown():
        return MonitoredSession(creator, all_hooks, stop_grace_period_secs)
    progress = ProgressHook()
    with contextlib.ExitStack() as error_cleanup:
        error_cleanup.callback(progress.close)
        session = MonitoredSession(creator, [*all_hooks, progress], stop_grace_period_secs)
        session._close_stack = error_cleanup.pop_all()
    return session


def _or_default(steps: Any, secs: Any, default: tuple) -> tuple:
    """Returns steps and seconds, with None for a missing one, or the defaults if both are missing."""
    if steps is USE_DEFAULT and secs is USE_DEFAULT:
        return default
    return None if steps is USE_DEFAULT else steps, None if secs is USE_DEFAULT else secs


def _is_positive(value: Any) -> bool:
    return bool(value) and value > 0
