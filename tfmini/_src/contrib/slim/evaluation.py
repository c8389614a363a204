"""Evaluation in slim: several runs of an op, followed by final values and summaries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import proto
from tfmini._src.contrib.training.evaluate_repeatedly import SummaryAtEndHook, evaluate_repeatedly
from tfmini._src.graph.default_stack import FeedDict
from tfmini._src.ops.summaries.merge_summary import merge_all
from tfmini._src.train.checkpoints.saver import Saver
from tfmini._src.train.monitored import evaluate_once as evaluation
from tfmini._src.train.monitored.evaluate_once import StopAfterNEvalsHook
from tfmini._src.train.monitored.scaffold import Scaffold

_USE_DEFAULT: Any = 0


def evaluate_once(
    master: str,
    checkpoint_path: str | None,
    logdir: str | None,
    num_evals: int = 1,
    initial_op: Any = None,
    initial_op_feed_dict: Any = None,
    eval_op: object = None,
    eval_op_feed_dict: FeedDict | None = None,
    final_op: object = None,
    final_op_feed_dict: FeedDict | None = None,
    summary_op: object = _USE_DEFAULT,
    summary_op_feed_dict: FeedDict | None = None,
    variables_to_restore: Any = None,
    session_config: proto.ConfigProto | None = None,
    hooks: list[Any] | None = None,
) -> Any:
    """Evaluates a checkpoint.

    Args:
      master: session target.
      checkpoint_path: checkpoint path.
      logdir: summary directory.
      num_evals: number of runs of `eval_op`.
      initial_op: initializes variables missing in the checkpoint.
      initial_op_feed_dict: feed dict of `initial_op`.
      eval_op: operation to run, or None.
      eval_op_feed_dict: feed dict of `eval_op`.
      final_op: fetched at the end.
      final_op_feed_dict: feed dict of `final_op`.
      summary_op: summaries written at the end, by default all; None for none.
      summary_op_feed_dict: feed dict of `summary_op`.
      variables_to_restore: variables to restore, by default all.
      session_config: a ConfigProto.
      hooks: list of additional SessionRunHooks.

    Returns:
      The values of `final_op`, or None.

    Example: `slim.evaluation.evaluate_once("", path, "/tmp/log", num_evals=100, eval_op=updates, final_op=accuracy)`.
    """
    hooks = _hooks(num_evals, summary_op, summary_op_feed_dict, logdir, hooks)
    saver = None if variables_to_restore is None else Saver(variables_to_restore)
    return evaluation.evaluate_once(
        checkpoint_path,
        master=master,
        scaffold=Scaffold(init_op=initial_op, init_feed_dict=initial_op_feed_dict, saver=saver),
        eval_ops=eval_op,
        feed_dict=eval_op_feed_dict,
        final_ops=final_op,
        final_ops_feed_dict=final_op_feed_dict,
        hooks=hooks,
        config=session_config,
    )


def evaluation_loop(
    master: str,
    checkpoint_dir: str,
    logdir: str | None,
    num_evals: int = 1,
    initial_op: Any = None,
    initial_op_feed_dict: Any = None,
    init_fn: Callable[..., Any] | None = None,
    eval_op: object = None,
    eval_op_feed_dict: FeedDict | None = None,
    final_op: object = None,
    final_op_feed_dict: FeedDict | None = None,
    summary_op: object = _USE_DEFAULT,
    summary_op_feed_dict: FeedDict | None = None,
    variables_to_restore: Any = None,
    eval_interval_secs: float = 60,
    max_number_of_evaluations: int | None = None,
    session_config: proto.ConfigProto | None = None,
    timeout: float | None = None,
    timeout_fn: Callable[[], Any] | None = None,
    hooks: list[Any] | None = None,
) -> Any:
    """Evaluates each checkpoint of a directory as it appears.

    Args:
      master, logdir, num_evals, initial_op, initial_op_feed_dict, eval_op, eval_op_feed_dict, final_op,
        final_op_feed_dict, summary_op, summary_op_feed_dict, variables_to_restore, session_config, hooks: as for
        `evaluate_once`.
      checkpoint_dir: checkpoint directory.
      init_fn: a function of the Scaffold and the session, called after `initial_op`.
      eval_interval_secs, max_number_of_evaluations, timeout, timeout_fn: as in
        `tf.contrib.training.evaluate_repeatedly`.

    Returns:
      The final values of `final_op`.
    """
    hooks = _hooks(num_evals, summary_op, summary_op_feed_dict, logdir, hooks)
    saver = None if variables_to_restore is None else Saver(variables_to_restore)
    return evaluate_repeatedly(
        checkpoint_dir,
        master=master,
        scaffold=Scaffold(
            init_op=initial_op, init_feed_dict=initial_op_feed_dict, init_fn=init_fn, saver=saver
        ),
        eval_ops=eval_op,
        feed_dict=eval_op_feed_dict,
        final_ops=final_op,
        final_ops_feed_dict=final_op_feed_dict,
        eval_interval_secs=eval_interval_secs,
        hooks=hooks,
        config=session_config,
        max_number_of_evaluations=max_number_of_evaluations,
        timeout=timeout,
        timeout_fn=timeout_fn,
    )


def _hooks(
    num_evals: int, summary_op: Any, feeds: Any, logdir: Any, extra_hooks: list | None
) -> list:
    if summary_op is _USE_DEFAULT:
        summary_op = merge_all()
    hooks: list = [StopAfterNEvalsHook(num_evals)]
    if summary_op is not None:
        hooks.append(SummaryAtEndHook(log_dir=logdir, summary_op=summary_op, feed_dict=feeds))
    return hooks + list(extra_hooks or ())
