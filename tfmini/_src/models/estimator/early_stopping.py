"""Early stopping based on evaluation results or at the step of a checkpoint."""

from __future__ import annotations

import operator
import os
import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes, logs
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.formats.gfile_functions import exists, glob
from tfmini._src.formats.summary_iterator import summary_iterator
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.models.estimator.estimator import Estimator
from tfmini._src.ops import ops
from tfmini._src.train.global_step import get_global_step, get_or_create_global_step_read
from tfmini._src.train.monitored.second_or_step_timer import SecondOrStepTimer
from tfmini._src.train.monitored.session_run_hook import SessionRunArgs, SessionRunHook
from tfmini._src.train.monitored.start_stop_hooks import StopAtStepHook
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.initializers import Constant
from tfmini._src.variables.store import AUTO_REUSE
from tfmini._src.variables.variable_scope import variable_scope


def read_eval_metrics(eval_dir: str) -> OrderedDict[int, dict[str, float]]:
    """Reads evaluation results from event files.

    Args:
      eval_dir: the directory; see `Estimator.eval_dir`.

    Returns:
      A dict from step, in ascending order, to a dict from metric name to value.
    """
    metrics_by_step: dict[int, dict[str, float]] = defaultdict(dict)
    for path in glob(os.path.join(eval_dir, "events.out.tfevents.*")) if exists(eval_dir) else []:
        for event in summary_iterator(path):
            if event.HasField("summary"):
                for value in event.summary.value:
                    if value.HasField("simple_value"):
                        metrics_by_step[event.step][value.tag] = value.simple_value
    return OrderedDict(sorted(metrics_by_step.items()))


def make_early_stopping_hook(
    estimator: Estimator,
    should_stop_fn: Callable[[], bool],
    run_every_secs: float | None = 60,
    run_every_steps: int | None = None,
) -> SessionRunHook:
    """Returns a hook that stops training when a function returns true; in a cluster, workers follow the chief.

    Args:
      estimator: the trained Estimator.
      should_stop_fn: function that returns whether to stop.
      run_every_secs, run_every_steps: polling interval; one of them is None.

    Raises:
      TypeError: if `estimator` is not an Estimator, or the function is not callable.
      ValueError: if both intervals are given.

    Example:
      stop = tf.estimator.experimental.make_early_stopping_hook(
          estimator, lambda: os.path.exists("/tmp/stop"), run_every_secs=None, run_every_steps=100)
      estimator.train(input_fn, [stop])
    """
    if not isinstance(estimator, Estimator):
        raise TypeError(
            f"`estimator` must have type `tf.estimator.Estimator`. Got: {type(estimator)}"
        )
    if run_every_secs is not None and run_every_steps is not None:
        raise ValueError("Only one of `run_every_secs` and `run_every_steps` must be set.")
    if estimator.config.is_chief:
        return _ConditionalStopHook(should_stop_fn, run_every_secs, run_every_steps)
    return _ChiefStopHook()


def _stop_variable() -> Any:
    with variable_scope("signal_early_stopping", values=[], reuse=AUTO_REUSE):
        return get_variable(
            name="STOP",
            shape=[],
            dtype=dtypes.bool,
            initializer=Constant(False),
            collections=[GraphKeys.GLOBAL_VARIABLES],
            trainable=False,
        )


class _ConditionalStopHook(SessionRunHook):
    """Stops training when a polled function returns true; notifies the workers through a variable."""

    def __init__(
        self, should_stop_fn: Any, run_every_secs: float | None, run_every_steps: int | None
    ):
        if not callable(should_stop_fn):
            raise TypeError("`should_stop_fn` must be callable.")
        self._should_stop = should_stop_fn
        self._timer = SecondOrStepTimer(every_secs=run_every_secs, every_steps=run_every_steps)

    def begin(self) -> None:
        self._step = get_global_step()
        self._stop = ops.assign(_stop_variable(), True)

    def before_run(self, run_context: Any) -> SessionRunArgs:
        return SessionRunArgs(self._step)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        step = run_values.results
        if self._timer.should_trigger_for_step(step):
            self._timer.update_last_triggered_step(step)
            if self._should_stop():
                logs.info("Requesting early stopping at global step %d", step)
                run_context.session.run(self._stop)
                run_context.request_stop()


class _ChiefStopHook(SessionRunHook):
    def begin(self) -> None:
        self._variable = _stop_variable()

    def before_run(self, run_context: Any) -> SessionRunArgs:
        return SessionRunArgs(self._variable)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        if run_values.results:
            logs.info("Early stopping requested, suspending run.")
            run_context.request_stop()


def stop_if_higher_hook(
    estimator: Estimator,
    metric_name: str,
    threshold: float,
    eval_dir: str | None = None,
    min_steps: int = 0,
    run_every_secs: float | None = 60,
    run_every_steps: int | None = None,
) -> SessionRunHook:
    """Returns a hook that stops training once an evaluation metric exceeds a threshold.

    Args:
      estimator: the trained Estimator.
      metric_name: name of the metric.
      threshold: the threshold.
      eval_dir: evaluation directory, by default the Estimator's.
      min_steps: step before which evaluations are ignored.
      run_every_secs, run_every_steps: check interval; one of them is None.

    Example: `tf.estimator.experimental.stop_if_higher_hook(estimator, "accuracy", 0.9)`.
    """
    has_crossed = _threshold_check(
        estimator, metric_name, threshold, operator.gt, eval_dir, min_steps
    )
    return make_early_stopping_hook(estimator, has_crossed, run_every_secs, run_every_steps)


@arguments_of(stop_if_higher_hook)
def stop_if_lower_hook(
    estimator: Estimator, name: str, threshold: float, *options: Any
) -> SessionRunHook:
    """Returns a hook that stops training once a metric is below a threshold; see `stop_if_higher_hook`."""
    eval_dir, min_steps, *run_every = options
    has_crossed = _threshold_check(estimator, name, threshold, operator.lt, eval_dir, min_steps)
    return make_early_stopping_hook(estimator, has_crossed, *run_every)


def _results_reader(
    estimator: Estimator, eval_dir: str | None, min_steps: int
) -> Callable[[], list[tuple[int, dict[str, float]]]]:
    """Returns a function that reads (step, results) of all evaluations from `min_steps` on."""
    directory = estimator.eval_dir() if eval_dir is None else eval_dir
    return lambda: [item for item in read_eval_metrics(directory).items() if item[0] >= min_steps]


def _threshold_check(
    estimator: Estimator, name: str, threshold: float, is_better: Callable, *where: Any
) -> Callable[[], bool]:
    read_results = _results_reader(estimator, *where)

    def has_crossed() -> bool:
        for step, metrics in read_results():
            if is_better(metrics[name], threshold):
                logs.info(
                    'At step %s, metric "%s" has value %s which is %s the configured threshold (%s) for early '
                    "stopping.",
                    step,
                    name,
                    metrics[name],
                    "greater than" if is_better is operator.gt else "less than",
                    threshold,
                )
                return True
        return False

    return has_crossed


@arguments_of(stop_if_higher_hook, "threshold")
def stop_if_no_increase_hook(
    estimator: Estimator,
    metric_name: str,
    max_steps_without_increase: int,
    eval_dir: str | None,
    min_steps: int,
    **run_every: Any,
) -> SessionRunHook:
    """Returns a hook that stops training when an evaluation metric has not increased for a number of steps.

    Args:
      estimator, metric_name, eval_dir, min_steps, run_every_secs, run_every_steps: as in `stop_if_higher_hook`.
      max_steps_without_increase: number of steps.

    Example: `tf.estimator.experimental.stop_if_no_increase_hook(estimator, "auc", 1000)`.
    """
    stuck = _stagnation_check(
        estimator, metric_name, max_steps_without_increase, operator.gt, eval_dir, min_steps
    )
    return make_early_stopping_hook(estimator, stuck, **run_every)


@arguments_of(stop_if_higher_hook, "threshold")
def stop_if_no_decrease_hook(
    estimator: Estimator,
    metric_name: str,
    max_steps_without_decrease: int,
    eval_dir: str | None,
    min_steps: int,
    **run_every: Any,
) -> SessionRunHook:
    """Returns a hook that stops training when a metric has not decreased; see `stop_if_no_increase_hook`."""
    stuck = _stagnation_check(
        estimator, metric_name, max_steps_without_decrease, operator.lt, eval_dir, min_steps
    )
    return make_early_stopping_hook(estimator, stuck, **run_every)


def _stagnation_check(
    estimator: Estimator, name: str, max_steps: int, is_better: Callable, *where: Any
) -> Callable[[], bool]:
    read_results = _results_reader(estimator, *where)

    def is_stuck() -> bool:
        best: Any = None
        best_step = 0
        for step, metrics in read_results():
            if best is None or is_better(metrics[name], best):
                best, best_step = metrics[name], step
            if step - best_step >= max_steps:
                logs.info(
                    'No %s in metric "%s" for %s steps, which is greater than or equal to max steps (%s) '
                    "configured for early stopping.",
                    "increase" if is_better is operator.gt else "decrease",
                    name,
                    step - best_step,
                    max_steps,
                )
                return True
        return False

    return is_stuck


class _CheckpointStopHook(SessionRunHook):
    """Stops a worker once the chief has saved a checkpoint of a given or later step."""

    def __init__(self, estimator: Estimator, last_step: int, wait_secs: float):
        if last_step is None:
            raise ValueError("last_step must be specified.")
        self._estimator, self._last_step, self._wait_secs = estimator, last_step, wait_secs

    def begin(self) -> None:
        self._step = get_or_create_global_step_read()
        if self._step is None:
            raise RuntimeError("Global step should be created to use StopAtCheckpointStepHook.")

    def before_run(self, run_context: Any) -> SessionRunArgs:
        return SessionRunArgs(self._step)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        if run_values.results + 1 < self._last_step:
            return
        if self._estimator._checkpoint_step() >= self._last_step:
            run_context.request_stop()
        else:
            time.sleep(self._wait_secs)


def make_stop_at_checkpoint_step_hook(
    estimator: Estimator, last_step: int, wait_after_file_check_secs: float = 30
) -> SessionRunHook:
    """Returns a hook that stops at a step; in a cluster, workers stop once the checkpoint of that step is saved.

    Args:
      estimator: the trained Estimator.
      last_step: the final step.
      wait_after_file_check_secs: a worker's polling interval in seconds.
    """
    if estimator.config.is_chief:
        return StopAtStepHook(last_step=last_step)
    return _CheckpointStopHook(estimator, last_step, wait_after_file_check_secs)
