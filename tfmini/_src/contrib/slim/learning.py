"""Training in slim with a Supervisor and a step function."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any

from tfmini._src.base import logs, proto
from tfmini._src.base.errors import AbortedError, OutOfRangeError
from tfmini._src.formats.gfile import FileIO
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.default_stack import FeedDict
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.lookup.tables_initializer import tables_initializer
from tfmini._src.ops.summaries.merge_summary import merge_all
from tfmini._src.session.base_session import BaseSession
from tfmini._src.session.timeline import Timeline
from tfmini._src.train.checkpoints.saver import Saver
from tfmini._src.train.global_step import get_or_create_global_step, global_step as value_of_step
from tfmini._src.train.monitored.supervisor import Supervisor
from tfmini._src.variables.collections import (
    global_variables_initializer,
    local_variables_initializer,
    report_uninitialized_variables,
)

_USE_DEFAULT: Any = 0


def train_step(
    sess: BaseSession,
    train_op: object,
    global_step: TensorLike,
    train_step_kwargs: dict[Any, Any],
) -> tuple[Any, Any]:
    """Runs one training step; the default step function of `train`.

    Args:
      sess: the session.
      train_op: operation to run, whose value is the loss.
      global_step: the global step.
      train_step_kwargs: a dict with the optional tensors `should_stop`, `should_log`, and `should_trace`, which
        requires `logdir`.

    Returns:
      (loss, whether to stop).
    """
    start = time.time()
    options = metadata = None
    if "should_trace" in train_step_kwargs:
        if "logdir" not in train_step_kwargs:
            raise ValueError(
                "logdir must be present in train_step_kwargs when should_trace is present"
            )
        if sess.run(train_step_kwargs["should_trace"]):
            options = proto.RunOptions(trace_level=proto.RunOptions.FULL_TRACE)
            metadata = proto.RunMetadata()
    loss, step = sess.run([train_op, global_step], options=options, run_metadata=metadata)
    elapsed = time.time() - start
    if metadata is not None:
        _write_trace(metadata, step, train_step_kwargs)
    if "should_log" in train_step_kwargs and sess.run(train_step_kwargs["should_log"]):
        logs.info("global step %d: loss = %.4f (%.3f sec/step)", step, loss, elapsed)
    if "should_stop" in train_step_kwargs:
        return loss, sess.run(train_step_kwargs["should_stop"])
    return loss, False


def train(
    train_op: object,
    logdir: str | None,
    train_step_fn: Callable[..., Any] = train_step,
    train_step_kwargs: dict[str, Any] = _USE_DEFAULT,
    log_every_n_steps: int = 1,
    graph: Graph | None = None,
    master: str = "",
    is_chief: bool = True,
    global_step: TensorLike | None = None,
    number_of_steps: int | None = None,
    init_op: Any = _USE_DEFAULT,
    init_feed_dict: FeedDict | None = None,
    local_init_op: Any = _USE_DEFAULT,
    init_fn: Callable[..., Any] | None = None,
    ready_op: Any = _USE_DEFAULT,
    summary_op: Any = _USE_DEFAULT,
    save_summaries_secs: float = 600,
    summary_writer: Any = _USE_DEFAULT,
    startup_delay_steps: int = 0,
    saver: Saver | None = None,
    save_interval_secs: float = 600,
    sync_optimizer: Any = None,
    session_config: proto.ConfigProto | None = None,
    session_wrapper: Callable[..., Any] | None = None,
    trace_every_n_steps: int | None = None,
    ignore_live_threads: bool = False,
) -> Any:
    """Trains until `number_of_steps` or the end of the data, and writes checkpoints and summaries.

    Args:
      train_op: the operation to run, as in `create_train_op`.
      logdir: directory of checkpoints and summaries, or None.
      train_step_fn: step function instead of `train_step`.
      train_step_kwargs: last argument of the step function; by default as required by `train_step`.
      log_every_n_steps: logging interval in steps, 0 for no logging.
      graph: the graph, by default the default graph.
      master: session target.
      is_chief: whether this task initializes the session and writes.
      global_step: the global step, by default the graph's, created if missing.
      number_of_steps: final global step, None for no limit.
      init_op, init_feed_dict, local_init_op, init_fn, ready_op, summary_op, save_summaries_secs, summary_writer, saver:
        as in `tf.train.Supervisor`.
      startup_delay_steps: global step before which workers wait.
      save_interval_secs: checkpoint interval in seconds.
      sync_optimizer: a SyncReplicasOptimizer, or a list of them.
      session_config: a ConfigProto.
      session_wrapper: function from the session to its replacement.
      trace_every_n_steps: interval in steps of timelines, written to `tf_trace-STEP.json`; by default none.
      ignore_live_threads: whether to ignore threads that fail to stop.

    Returns:
      The last step's loss, None if no step ran.

    Raises:
      ValueError: if `train_op` is missing, output is requested without a directory, or a number is not positive.

    Example: `slim.learning.train(train_op, "/tmp/model", number_of_steps=1000, save_summaries_secs=60)`.
    """
    if train_op is None:
        raise ValueError("train_op cannot be None.")
    if logdir is None:
        if summary_op is not _USE_DEFAULT:
            raise ValueError("Cannot provide summary_op because logdir=None")
        if saver is not None:
            raise ValueError("Cannot provide saver because logdir=None")
        if trace_every_n_steps is not None:
            raise ValueError("Cannot provide trace_every_n_steps because logdir=None")
    if sync_optimizer is not None and startup_delay_steps > 0:
        raise ValueError("startup_delay_steps must be zero when sync_optimizer is supplied.")
    if number_of_steps is not None and number_of_steps <= 0:
        raise ValueError("`number_of_steps` must be either None or a positive number.")
    graph = graph or get_default_graph()
    with graph.as_default():
        if global_step is None:
            global_step = get_or_create_global_step()
        saver = saver or Saver()
        # None for a SyncReplicasOptimizer.
        for _ in () if sync_optimizer is None else sync_optimizer:
            raise ValueError("`sync_optimizer` must be a tf.train.SyncReplicasOptimizer.")
        with name_scope("init_ops"):
            if init_op is _USE_DEFAULT:
                init_op = global_variables_initializer()
            if ready_op is _USE_DEFAULT:
                ready_op = report_uninitialized_variables()
            if local_init_op is _USE_DEFAULT:
                local_init_op = ops.group(local_variables_initializer(), tables_initializer())
        if summary_op is _USE_DEFAULT:
            summary_op = merge_all()
        if train_step_kwargs is _USE_DEFAULT:
            train_step_kwargs = _step_arguments(
                global_step,
                number_of_steps,
                log_every_n_steps,
                trace_every_n_steps if is_chief else None,
                logdir,
            )
    supervisor = Supervisor(
        graph=graph,
        is_chief=is_chief,
        logdir=logdir,
        init_op=init_op,
        init_feed_dict=init_feed_dict,
        local_init_op=local_init_op,
        ready_for_local_init_op=None,
        ready_op=ready_op,
        summary_op=summary_op,
        summary_writer=summary_writer,
        global_step=global_step,
        saver=saver,
        save_summaries_secs=save_summaries_secs,
        save_model_secs=save_interval_secs,
        init_fn=init_fn,
    )
    if summary_writer is not None:
        train_step_kwargs["summary_writer"] = supervisor.summary_writer
    delay = min(startup_delay_steps, number_of_steps or sys.maxsize)
    loss = None
    while True:
        try:
            with supervisor.managed_session(
                master, start_standard_services=False, config=session_config
            ) as session:
                logs.info("Starting Session.")
                if session_wrapper is not None:
                    logs.info("Wrapping session with wrapper function: %s", session_wrapper)
                    session = session_wrapper(session)
                if is_chief:
                    if logdir:
                        supervisor.start_standard_services(session)
                elif startup_delay_steps > 0:
                    while value_of_step(session, global_step) < delay:
                        time.sleep(1.0)
                threads = supervisor.start_queue_runners(session)
                logs.info("Starting Queues.")
                try:
                    while not supervisor.should_stop():
                        loss, should_stop = train_step_fn(
                            session, train_op, global_step, train_step_kwargs
                        )
                        if should_stop:
                            logs.info("Stopping Training.")
                            supervisor.request_stop()
                            break
                except OutOfRangeError as error:
                    logs.info("Caught OutOfRangeError. Stopping Training. %s", error)
                if logdir and supervisor.is_chief:
                    logs.info("Finished training! Saving model to disk.")
                    supervisor.saver.save(
                        session, supervisor.save_path, global_step=supervisor.global_step
                    )
                    supervisor.stop(
                        threads, close_summary_writer=True, ignore_live_threads=ignore_live_threads
                    )
        except AbortedError:
            logs.info("Retrying training!")
            continue
        return loss


def _step_arguments(
    global_step: Any,
    number_of_steps: int | None,
    log_every: int,
    trace_every: int | None,
    logdir: str | None,
) -> dict:
    """Returns the tensors read by `train_step` from its `train_step_kwargs`."""
    with name_scope("train_step"):
        if number_of_steps:
            stop = ops.greater_equal(global_step, number_of_steps)
        else:
            stop = ops.constant(False)
        arguments: dict[str, Any] = {"should_stop": stop}
        if log_every > 0:
            arguments["should_log"] = ops.equal(ops.mod(global_step, log_every), 0)
        if trace_every is not None:
            arguments["should_trace"] = ops.equal(ops.mod(global_step, trace_every), 0)
            arguments["logdir"] = logdir
    return arguments


def _write_trace(metadata: proto.RunMetadata, step: Any, train_step_kwargs: dict[Any, Any]) -> None:
    """Writes a step's timeline, and its statistics to the event file, if any."""
    path = os.path.join(train_step_kwargs["logdir"], f"tf_trace-{step}.json")
    logs.info("Writing trace to %s", path)
    with FileIO(path, "w") as file:
        file.write(Timeline(metadata.step_stats).generate_chrome_trace_format())
    if "summary_writer" in train_step_kwargs:
        train_step_kwargs["summary_writer"].add_run_metadata(metadata, f"run_metadata-{step}")
