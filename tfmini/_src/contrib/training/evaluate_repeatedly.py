"""Evaluation of checkpoints as they appear, each followed by summaries."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tfmini._src.base import logs
from tfmini._src.ops import ops
from tfmini._src.ops.summaries.merge_summary import merge_all
from tfmini._src.train.checkpoints.checkpoint_reader import checkpoints_iterator
from tfmini._src.train.events.file_writer import FileWriter, FileWriterCache
from tfmini._src.train.global_step import get_or_create_global_step, global_step
from tfmini._src.train.monitored.evaluate_once import (
    StopAfterNEvalsHook,
    add_eval_update,
    get_or_create_eval_step,
)
from tfmini._src.train.monitored.final_ops_hook import FinalOpsHook
from tfmini._src.train.monitored.monitored_session import MonitoredSession
from tfmini._src.train.monitored.session_creator import ChiefSessionCreator
from tfmini._src.train.monitored.session_run_hook import SessionRunHook

if TYPE_CHECKING:
    from tfmini._src.base import proto
    from tfmini._src.graph.default_stack import FeedDict
    from tfmini._src.graph.tensor import Tensor
    from tfmini._src.session.session import Session
    from tfmini._src.train.input_queues.coordinator import Coordinator
    from tfmini._src.train.monitored.scaffold import Scaffold


class SummaryAtEndHook(SessionRunHook):
    """Writes summaries at the end of a session.

    Args:
      log_dir: directory of the event file.
      summary_writer: alternatively, a FileWriter.
      summary_op: summaries, by default all of the graph's.
      feed_dict: feed dict of the summaries.

    Raises:
      ValueError: if both directory and writer are missing.
    """

    def __init__(
        self,
        log_dir: str | None = None,
        summary_writer: FileWriter | None = None,
        summary_op: Tensor | None = None,
        feed_dict: FeedDict | None = None,
    ):
        self._summary_op = summary_op
        self._replace_summary_op = summary_op is None
        self._feed_dict = feed_dict
        self._summary_writer = summary_writer
        self._log_dir = log_dir
        if log_dir is None and summary_writer is None:
            raise ValueError("One of log_dir or summary_writer should be used.")

    def begin(self) -> None:
        """Determines the summaries and the global step."""
        if self._replace_summary_op:
            self._summary_op = merge_all()
        self._global_step = get_or_create_global_step()

    def after_create_session(self, session: Session, coord: Coordinator) -> None:
        """Opens the event file."""
        if self._summary_writer is None and self._log_dir:
            self._summary_writer = FileWriterCache.get(self._log_dir)

    def end(self, session: Session) -> None:
        """Writes the summaries."""
        if self._summary_op is not None:
            step = global_step(session, self._global_step)
            summary = session.run(self._summary_op, self._feed_dict)
            if self._summary_writer:
                self._summary_writer.add_summary(summary, step)
        if self._summary_writer:
            self._summary_writer.flush()


def evaluate_repeatedly(
    checkpoint_dir: str,
    master: str = "",
    scaffold: Scaffold | None = None,
    eval_ops: object = None,
    feed_dict: FeedDict | None = None,
    final_ops: object = None,
    final_ops_feed_dict: FeedDict | None = None,
    eval_interval_secs: float = 60,
    hooks: list[Any] | None = None,
    config: proto.ConfigProto | None = None,
    max_number_of_evaluations: int | None = None,
    timeout: float | None = None,
    timeout_fn: Callable[[], Any] | None = None,
) -> Any:
    """Evaluates each checkpoint of a directory as it appears.

    Args:
      checkpoint_dir: the directory.
      master, scaffold, eval_ops, feed_dict, final_ops, final_ops_feed_dict, hooks, config: as in `evaluate_once`.
      eval_interval_secs: minimum seconds between the starts of two evaluations.
      max_number_of_evaluations: maximum number of evaluations.
      timeout: maximum seconds to wait for a new checkpoint, None for no timeout.
      timeout_fn: called after the timeout; evaluation continues unless it returns a true value.

    Returns:
      The final values of `final_ops`.
    """
    eval_step = get_or_create_eval_step()
    hooks = hooks or []
    if eval_ops is not None:
        update = ops.assign_add(eval_step, 1)
        for hook in hooks:
            if isinstance(hook, StopAfterNEvalsHook):
                hook._set_evals_completed_tensor(update)
        eval_ops = add_eval_update(eval_ops, update)
    final = FinalOpsHook(final_ops, final_ops_feed_dict)
    hooks.append(final)
    checkpoints = checkpoints_iterator(
        checkpoint_dir,
        min_interval_secs=eval_interval_secs,
        timeout=timeout,
        timeout_fn=timeout_fn,
    )
    for evaluation, path in enumerate(checkpoints, 1):
        creator = ChiefSessionCreator(
            scaffold=scaffold, checkpoint_filename_with_path=path, master=master, config=config
        )
        with MonitoredSession(session_creator=creator, hooks=hooks) as session:
            logs.info("Starting evaluation at " + _now())
            if eval_ops is not None:
                while not session.should_stop():
                    session.run(eval_ops, feed_dict)
            logs.info("Finished evaluation at " + _now())
        if max_number_of_evaluations is not None and evaluation >= max_number_of_evaluations:
            break
    return final.final_ops_values


def _now() -> str:
    return time.strftime("%Y-%m-%d-%H:%M:%S", time.gmtime())
