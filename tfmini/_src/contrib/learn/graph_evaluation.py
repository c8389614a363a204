"""Checkpoint-based evaluation of graphs, which predates Estimators."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import logs, proto
from tfmini._src.base.errors import CancelledError, OutOfRangeError
from tfmini._src.contrib.framework.global_step import assert_or_get_global_step
from tfmini._src.contrib.learn.graph_training import deprecated_graph_training
from tfmini._src.graph.collections import add_to_collection, get_collection
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.lookup.tables_initializer import tables_initializer
from tfmini._src.train.checkpoints.saver import Saver
from tfmini._src.train.events.file_writer import FileWriterCache
from tfmini._src.train.input_queues.coordinator import Coordinator
from tfmini._src.train.input_queues.queue_runner import start_queue_runners
from tfmini._src.train.monitored.session_manager import SessionManager
from tfmini._src.variables.collections import (
    global_variables,
    global_variables_initializer,
    local_variables_initializer,
    report_uninitialized_variables,
)


@deprecated_graph_training
def evaluate(
    graph: Graph,
    output_dir: str,
    checkpoint_path: str | None,
    eval_dict: dict[Any, Any],
    update_op: Operation | None = None,
    global_step_tensor: Tensor | None = None,
    supervisor_master: str = "",
    log_every_steps: int = 10,
    feed_fn: Callable[..., Any] | None = None,
    max_steps: int | None = None,
) -> tuple[dict[Any, Any] | None, int]:
    """Evaluates tensors of a graph with a checkpoint's variables, and writes an event.

    Args:
      graph, global_step_tensor, supervisor_master: as in `train`.
      output_dir: directory of the event file.
      checkpoint_path: a checkpoint or a directory of checkpoints; None to initialize the variables.
      eval_dict: a dict from name to tensor; with an `update_op`, evaluated only for logs and at the end.
      update_op: operation run in each step.
      log_every_steps: interval in steps at which results are logged.
      feed_fn: returns the feed dict of each step; StopIteration ends the evaluation.
      max_steps: number of steps; None to evaluate until the input ends.

    Returns:
      (last results or None if no step ran, global step).

    Raises:
      ValueError: if `output_dir` is missing.
    """
    if not output_dir:
        raise ValueError(f"Output directory should be non-empty {output_dir}.")
    with graph.as_default():
        step = assert_or_get_global_step(graph, global_step_tensor)
        saver = _first_or_create(GraphKeys.SAVERS, lambda: Saver() if global_variables() else None)
        local = _first_or_create(
            GraphKeys.LOCAL_INIT_OP,
            lambda: ops.group(local_variables_initializer(), tables_initializer()),
        )
        ready_for_local = _first(GraphKeys.READY_FOR_LOCAL_INIT_OP)
        ready = _first_or_create(GraphKeys.READY_OP, report_uninitialized_variables)
        manager = SessionManager(
            local_init_op=local, ready_op=ready, ready_for_local_init_op=ready_for_local
        )
        session, is_initialized = manager.recover_session(
            master=supervisor_master, saver=saver, checkpoint_dir=checkpoint_path
        )
        coordinator = Coordinator()
        threads = start_queue_runners(session, coordinator)
    with session:
        if not is_initialized:
            logs.warning("Failed to initialize from %s.", checkpoint_path)
            session.run(global_variables_initializer())
            if checkpoint_path:
                logs.info("Loading model from checkpoint: %s.", checkpoint_path)
                saver.restore(session, checkpoint_path)
        now = session.run(step)
        until = "inf" if max_steps is None else str(max_steps)
        logs.info("Eval steps [%d,%s) for training step %d.", 0, until, now)
        run = _Evaluation(session, eval_dict, update_op, feed_fn, log_every_steps)
        try:
            try:
                run.steps(max_steps)
            finally:
                run.evaluate_at_end()
                session.close()
                _stop(coordinator, threads)
        except (OutOfRangeError, StopIteration) as error:
            source = "queue" if isinstance(error, OutOfRangeError) else "iterator"
            if max_steps is None:
                logs.info("Input %s is exhausted.", source)
            else:
                logs.warning("Input %s is exhausted: %s.", source, error)
    _write_summary(output_dir, run.results, now)
    return run.results, now


class _Evaluation:
    """Runs evaluation steps and stores the last results."""

    def __init__(self, session: Any, expected: dict, update_op: Any, feed_fn: Any, log_every: int):
        self._session, self._fetches, self._update_op = session, expected, update_op
        self._feed_fn, self._log_every = feed_fn, log_every
        self.results: Any = None
        self._evaluated: int | None = None
        self._step, self._feeds = 0, None

    def steps(self, last_step: int | None) -> None:
        while last_step is None or self._step < last_step:
            self._step += 1
            start = time.time()
            self._feeds = self._feed_fn() if self._feed_fn is not None else None
            if self._update_op is not None:
                self._session.run(self._update_op, feed_dict=self._feeds)
            else:
                self._evaluate()
            if self._step % self._log_every == 0:
                self.evaluate_at_end()
                duration = time.time() - start
                text = "Results after %d steps (%.3f sec/batch): %s."
                logs.info(text, self._step, duration, _results_text(self.results))

    def evaluate_at_end(self) -> None:
        """Evaluates unless this step has already been evaluated."""
        if self.results is None or self._step != self._evaluated:
            self._evaluate()

    def _evaluate(self) -> None:
        self.results = self._session.run(self._fetches, feed_dict=self._feeds)
        self._evaluated = self._step


def _first(key: str) -> Any:
    items = get_collection(key)
    return items[0] if items else None


def _first_or_create(key: str, make: Callable) -> Any:
    """Returns the first element of a collection; if empty, creates and adds one."""
    item = _first(key)
    if item is None:
        item = make()
        if item is not None:
            add_to_collection(key, item)
    return item


def _stop(coordinator: Coordinator, threads: Any) -> None:
    try:
        coordinator.request_stop()
        coordinator.join(threads, stop_grace_period_secs=120)
    except (RuntimeError, CancelledError) as error:
        logs.warning("Coordinator didn't stop cleanly: %s", error)


def _results_text(results: dict) -> str:
    return ", ".join(f"{name} = {value!s}" for name, value in sorted(results.items()))


def _write_summary(directory: str, results: dict, step: int) -> None:
    logs.info("Saving evaluation summary for step %d: %s", step, _results_text(results))
    summary = proto.Summary()
    for name, value in results.items():
        if value is None:
            continue
        result = summary.value.add(tag=name)
        if isinstance(value, np.float32 | float):
            result.simple_value = float(value)
        else:
            logs.warning("Skipping summary for %s, must be a float or np.float32.", name)
    writer = FileWriterCache.get(directory)
    writer.add_summary(summary, step)
    writer.flush()
