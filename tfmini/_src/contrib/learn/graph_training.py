"""Supervisor-based training of graphs, which predates Estimators."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import logs
from tfmini._src.base.errors import AbortedError, NotFoundError, OutOfRangeError
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.contrib.deprecated import merge_all_summaries
from tfmini._src.contrib.framework.global_step import assert_or_get_global_step
from tfmini._src.contrib.learn.logging_monitors import get_default_monitors
from tfmini._src.graph.collections import add_to_collection, get_collection
from tfmini._src.graph.default_stack import FeedDict
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor
from tfmini._src.train.checkpoints.checkpoint_reader import load_variable
from tfmini._src.train.checkpoints.saver import Saver
from tfmini._src.train.events.file_writer import FileWriterCache
from tfmini._src.train.monitored.start_stop_hooks import NanLossDuringTrainingError
from tfmini._src.train.monitored.supervisor import Supervisor

deprecated_graph_training = deprecated(
    "2017-02-15",
    "graph_actions.py will be deleted. Use tf.train.* utilities instead. You can use learn/estimators/estimator.py "
    "as an example.",
)


@deprecated_graph_training
def train(
    graph: Graph,
    output_dir: str,
    train_op: Any,
    loss_op: Any,
    global_step_tensor: Tensor | None = None,
    init_op: Operation | None = None,
    init_feed_dict: FeedDict | None = None,
    init_fn: Callable[..., Any] | None = None,
    log_every_steps: int = 10,
    supervisor_is_chief: bool = True,
    supervisor_master: str = "",
    supervisor_save_model_secs: float = 600,
    keep_checkpoint_max: int = 5,
    supervisor_save_summaries_steps: int = 100,
    feed_fn: Callable[..., Any] | None = None,
    steps: int | None = None,
    fail_on_nan_loss: bool = True,
    monitors: Any = None,
    max_steps: int | None = None,
) -> Any:
    """Trains a graph, starting from the latest checkpoint of a directory.

    Args:
      graph: the graph.
      output_dir: directory of checkpoints and event files.
      train_op: training operation, which increments the global step.
      loss_op: the loss, a scalar.
      global_step_tensor: the global step, by default the graph's.
      init_op, init_feed_dict, init_fn: initialize variables, see `tf.train.Supervisor`.
      log_every_steps: interval in steps at which the loss is logged.
      supervisor_is_chief: whether this process initializes and saves.
      supervisor_master: session target.
      supervisor_save_model_secs: seconds between checkpoints.
      keep_checkpoint_max: number of checkpoints to keep.
      supervisor_save_summaries_steps: steps between summaries, without `monitors`.
      feed_fn: returns the feed dict of each step; StopIteration ends the training.
      steps: number of steps.
      fail_on_nan_loss: whether a NaN loss ends training with an error.
      monitors: monitors of `tf.contrib.learn.monitors`, by default for logging the loss and writing summaries.
      max_steps: final step.

    Returns:
      The last loss.

    Raises:
      ValueError: if both `steps` and `max_steps` are given, or an argument is missing.
      NanLossDuringTrainingError: if the loss is NaN.
    """
    if steps is not None and max_steps is not None:
        raise ValueError("Can not provide both steps and max_steps.")
    if not output_dir:
        raise ValueError(f"Output directory should be non-empty {output_dir}.")
    for name, value in (("train_op", train_op), ("loss_op", loss_op)):
        if value is None:
            raise ValueError(f"Missing {name}.")
    while True:
        try:
            with graph.as_default():
                step = assert_or_get_global_step(graph, global_step_tensor)
                if step is None:
                    raise ValueError('No "global_step" was provided or found in the graph.')
                writer = FileWriterCache.get(output_dir) if supervisor_is_chief else None
                watching = monitors
                if not watching:
                    watching = []
                    if supervisor_is_chief:
                        watching = get_default_monitors(
                            loss_op=loss_op,
                            summary_op=_summaries(),
                            save_summary_steps=supervisor_save_summaries_steps,
                            summary_writer=writer,
                        )
                elif not supervisor_is_chief:
                    watching = [monitor for monitor in watching if monitor.run_on_all_workers]
                last = max_steps
                if last is None and steps:
                    last = _step_from_checkpoint(output_dir, step) + steps
                for monitor in watching:
                    monitor.begin(max_steps=last)
                saver = create_saver(graph, keep_checkpoint_max)
            supervisor = Supervisor(
                graph,
                init_op=init_op or Supervisor.USE_DEFAULT,
                init_feed_dict=init_feed_dict,
                is_chief=supervisor_is_chief,
                logdir=output_dir,
                saver=saver,
                global_step=step,
                summary_op=None,
                summary_writer=writer,
                save_model_secs=supervisor_save_model_secs,
                init_fn=init_fn,
            )
            session = supervisor.prepare_or_wait_for_session(
                supervisor_master, start_standard_services=True
            )
            supervisor.start_queue_runners(session)
            loop = _TrainingLoop(supervisor, session, step, [train_op, loss_op], watching)
            with session:
                return loop.run(last, feed_fn, log_every_steps, fail_on_nan_loss)
        except AbortedError:
            logs.warning("Training got Aborted error. Keep training.")


def _summaries() -> Any:
    """Returns the merged summary op, None if there are no summaries."""
    summaries = get_collection(GraphKeys.SUMMARY_OP)
    if summaries:
        return summaries[0]
    merged = merge_all_summaries()
    if merged is not None:
        add_to_collection(GraphKeys.SUMMARY_OP, merged)
    return merged


def _step_from_checkpoint(directory: str, step: Any) -> Any:
    try:
        return load_variable(directory, step.name)
    except (NotFoundError, ValueError):
        return 0


def create_saver(graph: Graph, max_to_keep: int = 5) -> Saver | None:
    """Returns the saver of all variables and saveable objects, None if there are none."""
    saved = graph.get_collection(GraphKeys.GLOBAL_VARIABLES)
    saved += graph.get_collection(GraphKeys.SAVEABLE_OBJECTS)
    return Saver(saved, sharded=True, max_to_keep=max_to_keep) if saved else None


class _TrainingLoop:
    """Training loop with a final checkpoint."""

    def __init__(self, supervisor: Any, session: Any, step: Any, fetches: list, monitors: list):
        self._supervisor, self._session, self._step = supervisor, session, step
        self._fetches, self._monitors = fetches, monitors

    def run(
        self, last_step: int | None, feed_fn: Callable | None, log_every: int, fail_on_nan: bool
    ) -> Any:
        """Runs all steps and saves the final checkpoint; returns the last loss."""
        self._loss: Any = None
        try:
            self._steps(last_step, feed_fn, log_every, fail_on_nan)
        except OutOfRangeError as error:
            logs.warning(
                "Got exception during tf.learn training loop possibly due to exhausted input queue %s.",
                error,
            )
        except StopIteration:
            logs.info("Exhausted input iterarator.")
        except BaseException:
            try:
                self._finish()
            except Exception as error:  # the first error is raised
                logs.error("Got exception during tf.learn final checkpoint %s.", error)
            raise
        self._finish()
        return self._loss

    def _steps(
        self, last_step: int | None, feed_fn: Any, log_every: int, fail_on_nan: bool
    ) -> None:
        now = logged_step = self._session.run(self._step)
        logs.info("Training steps [%d,%s)", now, "inf" if last_step is None else str(last_step))
        while not self._supervisor.should_stop() and (last_step is None or now < last_step):
            start = time.time()
            stops = self._run_step(now + 1, feed_fn() if feed_fn is not None else None)
            if np.isnan(self._loss):
                if fail_on_nan:
                    logs.error("Model diverged with loss = NaN.")
                    raise NanLossDuringTrainingError
                logs.warning("Model diverged with loss = NaN.")
            if stops:
                return
            previous_step, now = now, self._session.run(self._step)
            if now <= previous_step:
                logs.error(
                    "Global step was not incremented by train op at step %s: new step %d",
                    *(previous_step, now),
                )
            if (last_step is not None and now >= last_step) or now - logged_step >= log_every:
                duration = time.time() - start
                logs.info(
                    "training step %d, loss = %.5f (%.3f sec/batch).", now, self._loss, duration
                )
                logged_step = now

    def _run_step(self, step: int, feeds: Any) -> bool:
        """Runs one step; returns whether a monitor requests a stop."""
        expected = list(self._fetches)
        for monitor in self._monitors:
            expected += monitor.step_begin(step)
        expected = list(dict.fromkeys(expected))
        results = self._session.run(expected, feed_dict=feeds)
        outputs = {t.name if isinstance(t, Tensor) else t: v for t, v in zip(expected, results)}
        self._loss = outputs[self._fetches[1].name]
        # A list: every monitor is called.
        stops = [monitor.step_end(step, outputs) for monitor in self._monitors]
        return any(stops)

    def _finish(self) -> None:
        """Stops the threads, saves a checkpoint and ends the monitors."""
        supervisor = self._supervisor
        try:
            supervisor.stop(close_summary_writer=False)
            step = self._session.run(self._step)
            if supervisor.is_chief:
                path = supervisor.save_path
                logs.info("Saving checkpoint for step %d to checkpoint: %s.", step, path)
                supervisor.saver.save(self._session, path, global_step=step)
                for monitor in self._monitors:
                    monitor.end()
        except OutOfRangeError as error:
            logs.warning(
                "OutOfRangeError in tf.learn final checkpoint possibly due to exhausted input queue. Note: summary_op "
                "is not expected to trigger dequeues. %s.",
                error,
            )


@deprecated_graph_training
def clear_summary_writers() -> None:
    """Closes the event writers cached by `tf.summary.FileWriterCache`."""
    FileWriterCache.clear()
