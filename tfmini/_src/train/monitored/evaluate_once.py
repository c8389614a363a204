"""Evaluates a checkpoint: a number of runs, followed by final values."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes, logs
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.ops import ops
from tfmini._src.train.monitored.final_ops_hook import FinalOpsHook
from tfmini._src.train.monitored.monitored_session import MonitoredSession
from tfmini._src.train.monitored.session_creator import ChiefSessionCreator
from tfmini._src.train.monitored.session_run_hook import (
    SessionRunArgs,
    SessionRunContext,
    SessionRunHook,
    SessionRunValues,
)
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.initializers import Zeros

if TYPE_CHECKING:
    from tfmini._src.base import proto
    from tfmini._src.graph.default_stack import FeedDict
    from tfmini._src.train.monitored.scaffold import Scaffold


class StopAfterNEvalsHook(SessionRunHook):
    """Requests a stop after a number of evaluation runs, and logs progress.

    Args:
      num_evals: number of runs; None for no limit.
      log_progress: whether to log progress after each run or, for many runs, after every tenth of the total.

    Example: `tf.contrib.training.evaluate_once(path, eval_ops=updates, hooks=[StopAfterNEvalsHook(10)])`.
    """

    def __init__(self, num_evals: int | None, log_progress: bool = True):
        self._num_evals = num_evals
        self._evals_completed: Any = None
        self._log_progress = log_progress
        is_short = num_evals is None or num_evals < 20
        self._log_frequency = 1 if is_short else math.floor((num_evals or 0) / 10.0)

    def _set_evals_completed_tensor(self, updated_eval_step: Any) -> None:
        self._evals_completed = updated_eval_step

    def before_run(self, run_context: SessionRunContext) -> Any:
        """Requests the eval step."""
        return SessionRunArgs({"evals_completed": self._evals_completed})

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Logs the eval step, and requests a stop after the last run."""
        evals_completed, total = run_values.results["evals_completed"], self._num_evals
        if self._log_progress:
            if total is None:
                logs.info("Evaluation [%d]", evals_completed)
            elif evals_completed % self._log_frequency == 0 or total == evals_completed:
                logs.info("Evaluation [%d/%d]", evals_completed, total)
        if total is not None and evals_completed >= total:
            run_context.request_stop()


def get_or_create_eval_step() -> Any:
    """Returns the local variable that counts evaluation runs, created if missing.

    Raises:
      ValueError: if the EVAL_STEP collection contains several variables.
    """
    steps = get_default_graph().get_collection(GraphKeys.EVAL_STEP)
    if len(steps) > 1:
        raise ValueError("Multiple tensors added to tf.GraphKeys.EVAL_STEP")
    if steps:
        return steps[0]
    return get_variable(
        "eval_step",
        shape=[],
        dtype=dtypes.int64,
        initializer=Zeros(),
        trainable=False,
        collections=[GraphKeys.LOCAL_VARIABLES, GraphKeys.EVAL_STEP],
    )


def latest_eval_step_value(update_ops: Any) -> Any:
    """Returns the eval step as read after `update_ops`, a list of operations or a dict whose values are operations."""
    if isinstance(update_ops, dict):
        update_ops = list(update_ops.values())
    with control_dependencies(update_ops):
        return ops.identity(get_or_create_eval_step().read_value())


def add_eval_update(eval_ops: Any, update: Any) -> Any:
    """Returns the fetches of the evaluation together with the update of the eval step."""
    if isinstance(eval_ops, dict):
        eval_ops["update_eval_step"] = update
        return eval_ops
    return [*(eval_ops if isinstance(eval_ops, tuple | list) else [eval_ops]), update]


def evaluate_once(
    checkpoint_path: str | None,
    master: str = "",
    scaffold: Scaffold | None = None,
    eval_ops: object = None,
    feed_dict: FeedDict | None = None,
    final_ops: object = None,
    final_ops_feed_dict: FeedDict | None = None,
    hooks: list[Any] | None = None,
    config: proto.ConfigProto | None = None,
) -> Any:
    """Evaluates a checkpoint.

    Args:
      checkpoint_path: the checkpoint; None to initialize the variables instead.
      master: the session target.
      scaffold: a Scaffold.
      eval_ops: operations to run until a hook requests a stop or the input ends, or None.
      feed_dict: the feeds of `eval_ops`.
      final_ops: fetches to evaluate at the end.
      final_ops_feed_dict: the feeds of `final_ops`.
      hooks: a list of SessionRunHooks; a StopAfterNEvalsHook among them counts the runs.
      config: a ConfigProto.

    Returns:
      The values of `final_ops`, or None.

    Example:
      accuracy, update = tf.metrics.accuracy(labels, predictions)
      hooks = [tf.contrib.training.StopAfterNEvalsHook(100)]
      value = tf.contrib.training.evaluate_once(path, eval_ops=update, final_ops=accuracy, hooks=hooks)
    """
    eval_step = get_or_create_eval_step()
    hooks = list(hooks or [])
    if eval_ops is not None:
        eval_ops = add_eval_update(eval_ops, ops.assign_add(eval_step, 1, use_locking=True))
        evals_completed = latest_eval_step_value(eval_ops)
        for hook in hooks:
            if isinstance(hook, StopAfterNEvalsHook):
                hook._set_evals_completed_tensor(evals_completed)
    logs.info("Starting evaluation at " + time.strftime("%Y-%m-%dT%H:%M:%SZ", time.localtime()))
    creator = ChiefSessionCreator(
        scaffold=scaffold,
        checkpoint_filename_with_path=checkpoint_path,
        master=master,
        config=config,
    )
    final = FinalOpsHook(final_ops, final_ops_feed_dict)
    hooks.append(final)
    with MonitoredSession(session_creator=creator, hooks=hooks) as session:
        if eval_ops is not None:
            while not session.should_stop():
                session.run(eval_ops, feed_dict)
    logs.info("Finished evaluation at " + time.strftime("%Y-%m-%d-%H:%M:%S", time.localtime()))
    return final.final_ops_values
