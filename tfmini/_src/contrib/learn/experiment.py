"""`tf.contrib.learn.Experiment`: an Estimator with its inputs, for training, evaluation and export."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.names.deprecation import deprecated, warn_of_experiment
from tfmini._src.base.read_only import read_only
from tfmini._src.cluster.server import Server
from tfmini._src.contrib.learn.base_monitors import replace_monitors_with_hooks
from tfmini._src.contrib.learn.continuous_evaluation import (
    EvaluateAndExport,
    adapt_predicate,
    evaluate_continuously,
    is_done,
)
from tfmini._src.contrib.learn.experiment_interfaces import Evaluable, Trainable
from tfmini._src.contrib.learn.export_strategy import checked_strategies
from tfmini._src.contrib.learn.run_config import Environment, RunConfig
from tfmini._src.contrib.learn.validation_monitor import ValidationMonitor
from tfmini._src.models.estimator.estimator import Estimator as CoreEstimator
from tfmini._src.models.estimator.tpu.tpu_estimator import TPUEstimator
from tfmini._src.train.checkpoints.checkpoint_management import latest_checkpoint
from tfmini._src.train.monitored.checkpoint_saver_hook import CheckpointSaverHook
from tfmini._src.train.monitored.start_stop_hooks import GlobalStepWaiterHook

_ADVICE = (
    "Please switch to tf.estimator.train_and_evaluate. You will also have to convert to a "
    "tf.estimator.Estimator."
)


class Experiment:
    """An Estimator with inputs, metrics and settings for training, evaluation and export.

    Args:
      estimator: a `tf.contrib.learn` or `tf.estimator` Estimator.
      train_input_fn, eval_input_fn: the input functions.
      eval_metrics: a dict of MetricSpecs, for an Estimator of `tf.contrib.learn`.
      train_steps: final global step of training; None to train until the input ends.
      eval_steps: number of batches per evaluation; None to evaluate until the input ends.
      train_monitors: SessionRunHooks and monitors of training.
      eval_hooks: SessionRunHooks of evaluations.
      local_eval_frequency: evaluation interval of `local_run` in steps; None to evaluate at the end.
      eval_delay_secs: initial delay of `evaluate` and `continuous_eval` in seconds.
      continuous_eval_throttle_secs: minimum seconds between evaluations of `continuous_eval`.
      min_eval_frequency: interval in steps at which `train_and_evaluate` checks for a checkpoint, by default 1; 0 for
        the end.
      delay_workers_by_global_step: whether workers are delayed by global step instead of time.
      export_strategies: an ExportStrategy or several.
      train_steps_per_iteration: evaluation interval of `continuous_train_and_eval` in steps.
      checkpoint_and_export: whether `train_and_evaluate` evaluates and exports each checkpoint.
      saving_listeners: CheckpointSaverListeners, for an Estimator of `tf.estimator`.
      check_interval_secs: minimum seconds between checks for a checkpoint.

    Raises:
      ValueError: if `estimator` or a strategy has the wrong type, or an argument is for the other kind of Estimator.
    """

    estimator: Any = read_only("The Estimator.")
    eval_metrics: Any = read_only("The dict of MetricSpecs.")
    train_steps: int | None = read_only("The global step at which training stops.")
    eval_steps: int | None = read_only("The number of batches per evaluation.")

    @deprecated(None, _ADVICE)
    def __init__(
        self,
        estimator: Any,
        train_input_fn: Callable[..., Any],
        eval_input_fn: Callable[..., Any],
        eval_metrics: Mapping[Any, Any] | None = None,
        train_steps: int | None = None,
        eval_steps: int | None = 100,
        train_monitors: Sequence[Any] | None = None,
        eval_hooks: Sequence[Any] | None = None,
        local_eval_frequency: int | None = None,
        eval_delay_secs: float = 120,
        continuous_eval_throttle_secs: float = 60,
        min_eval_frequency: int | None = None,
        delay_workers_by_global_step: bool = False,
        export_strategies: Sequence[Any] | None = None,
        train_steps_per_iteration: int | None = None,
        checkpoint_and_export: bool = False,
        saving_listeners: Sequence[Any] | None = None,
        check_interval_secs: float = 5,
    ):
        self._is_core = isinstance(estimator, CoreEstimator)
        _check_estimator(estimator, eval_metrics, saving_listeners)
        self._estimator = estimator
        self._train_input_fn, self._eval_input_fn = train_input_fn, eval_input_fn
        self._eval_metrics, self._train_steps = eval_metrics, train_steps
        self._eval_steps, self._eval_delay_secs = eval_steps, eval_delay_secs
        self._local_eval_frequency = local_eval_frequency
        self._eval_throttle_secs = continuous_eval_throttle_secs
        self._checkpoint_and_export = checkpoint_and_export
        self._saving_listeners = saving_listeners
        self._min_eval_frequency = 1 if min_eval_frequency is None else min_eval_frequency
        self._check_interval_secs = check_interval_secs
        self._delay_workers_by_global_step = delay_workers_by_global_step
        self._train_monitors, self._eval_hooks = list(train_monitors or []), list(eval_hooks or [])
        self._export_strategies = checked_strategies(export_strategies)
        if train_steps_per_iteration is not None and not isinstance(train_steps_per_iteration, int):
            raise ValueError("`train_steps_per_iteration` must be an integer.")
        self._train_steps_per_iteration = train_steps_per_iteration

    def extend_train_hooks(self, additional_hooks: Iterable[Any]) -> None:
        """Adds training hooks.

        Args:
          additional_hooks: SessionRunHooks.
        """
        self._train_monitors.extend(additional_hooks)

    def reset_export_strategies(
        self, new_export_strategies: Sequence[Any] | None = None
    ) -> tuple[Any, ...]:
        """Replaces the export strategies; returns the previous ones.

        Args:
          new_export_strategies: an ExportStrategy, several, or None.

        Raises:
          ValueError: if one is not an ExportStrategy.
        """
        old, self._export_strategies = (
            self._export_strategies,
            checked_strategies(new_export_strategies),
        )
        return old

    def train(self, delay_secs: float | None = None) -> Any:
        """Trains the Estimator and returns it.

        In a cluster whose `environment` is not "local", starts this task's server first.

        Args:
          delay_secs: initial delay in seconds; None for five seconds times a worker's index, at most a minute.

        Raises:
          ValueError: for a cluster with a `tf.estimator` config.
        """
        return self._train(delay_secs, self._train_monitors)

    def _train(self, delay_secs: float | None, monitors: list) -> Any:
        self._serve_if_configured()
        extra = []
        if delay_secs is None:
            task = self._estimator.config.task_id or 0
            delay_secs = 0 if self._delay_workers_by_global_step else min(60, task * 5)
            if self._delay_workers_by_global_step:
                extra.append(GlobalStepWaiterHook(int(8000.0 * math.log(task + 1))))
        if delay_secs > 0:
            logs.info("Waiting %d secs before starting training.", delay_secs)
            time.sleep(delay_secs)
        return self._call_train(monitors + extra, max_steps=self._train_steps)

    def _serve_if_configured(self) -> None:
        config = self._estimator.config
        if not (config.cluster_spec and config.master):
            return
        if not isinstance(config, RunConfig):
            raise ValueError(
                "For distributed runtime, Experiment class only works with tf.contrib.learn.RunConfig for now, "
                f"but provided {type(config)}"
            )
        if config.environment == Environment.LOCAL:
            logs.warning(
                "ClusterSpec and master are provided, but environment is set to 'local'. Set environment to 'cloud' "
                "if you intend to use the distributed runtime."
            )
        elif config.environment != Environment.GOOGLE:
            self._start_server()

    def _call_train(self, monitors: list, steps: Any = None, max_steps: Any = None) -> Any:
        hooks = replace_monitors_with_hooks(monitors, self._estimator)
        if not self._is_core:
            return self._estimator.fit(
                input_fn=self._train_input_fn, steps=steps, max_steps=max_steps, monitors=hooks
            )
        return self._estimator.train(
            input_fn=self._train_input_fn,
            steps=steps,
            max_steps=max_steps,
            hooks=hooks,
            saving_listeners=self._saving_listeners,
        )

    def evaluate(self, delay_secs: float | None = None, name: str | None = None) -> Any:
        """Evaluates the latest checkpoint once and returns the results.

        Args:
          delay_secs: initial delay in seconds, by default `eval_delay_secs`.
          name: evaluation name, by default "one_pass".
        """
        delay_secs = self._eval_delay_secs if delay_secs is None else delay_secs
        if delay_secs:
            logs.info("Waiting %d secs before starting eval.", delay_secs)
            time.sleep(delay_secs)
        return self._evaluate_checkpoint(name or "one_pass")

    def _evaluate_checkpoint(
        self, name: str | None = None, checkpoint_path: str | None = None, **overrides: Any
    ) -> Any:
        values: dict[str, Any] = {
            "input_fn": self._eval_input_fn,
            "steps": self._eval_steps,
            "hooks": self._eval_hooks,
        }
        if not self._is_core:
            values["metrics"] = self._eval_metrics
        return self._estimator.evaluate(
            name=name, checkpoint_path=checkpoint_path, **{**values, **overrides}
        )

    def _run_exports(self, results: Any, checkpoint_path: str | None = None) -> list:
        directory = os.path.join(os.fsencode(self._estimator.model_dir), b"export")
        return [
            strategy.export(
                self._estimator,
                os.path.join(directory, os.fsencode(strategy.name)),
                checkpoint_path=checkpoint_path,
                eval_result=results,
            )
            for strategy in self._export_strategies
        ]

    def train_and_evaluate(self) -> tuple[Any, list[Any]]:
        """Trains, evaluating checkpoints according to `min_eval_frequency`; evaluates and exports at the end.

        With `checkpoint_and_export`, evaluates and exports each checkpoint.

        Returns:
          The last (results, exports).
        """
        return self._train_and_evaluate(self._min_eval_frequency)

    def _train_and_evaluate(self, frequency: int | None) -> tuple[Any, list]:
        config = self._estimator.config
        secs, steps = config.save_checkpoints_secs, config.save_checkpoints_steps
        if self._checkpoint_and_export and (secs or steps):
            directory = self._estimator.model_dir
            listener = EvaluateAndExport(self._evaluate_checkpoint, self._run_exports, directory)
            saver = CheckpointSaverHook(
                directory, save_secs=secs, save_steps=steps, listeners=[listener]
            )
            self._train(0, [*self._train_monitors, saver])
            return listener.eval_result, listener.export_results
        watching = []
        if frequency:
            watching = [
                ValidationMonitor(
                    input_fn=self._eval_input_fn,
                    eval_steps=self._eval_steps,
                    metrics=self._eval_metrics,
                    every_n_steps=frequency,
                    check_interval_secs=self._check_interval_secs,
                    hooks=self._eval_hooks,
                )
            ]
        self._train(0, [*self._train_monitors, *watching])
        results = self._evaluate_checkpoint()
        return results, self._run_exports(results)

    @deprecated(
        "2016-10-23",
        "local_run will be renamed to train_and_evaluate and the new default behavior will be to run evaluation "
        "every time there is a new checkpoint.",
    )
    def local_run(self) -> tuple[Any, list[Any]]:
        """Trains and evaluates like `train_and_evaluate`, but evaluates every `local_eval_frequency` steps."""
        return self._train_and_evaluate(self._local_eval_frequency)

    def continuous_train_and_eval(
        self, continuous_eval_predicate_fn: Callable[..., Any] | None = None
    ) -> tuple[Any, ...]:
        """Trains, evaluates and exports in turn, until the last step or until a predicate is false.

        Args:
          continuous_eval_predicate_fn: returns whether to continue, given the last results (initially None) and
            optionally `checkpoint_path`.

        Returns:
          The last (results, exports).

        Raises:
          ValueError: if the predicate is not callable.
        """
        warn_of_experiment("Experiment.continuous_train_and_eval", "learn.python.learn.experiment")
        should_continue = adapt_predicate(continuous_eval_predicate_fn)
        results = exports = path = None
        steps_per_call = 1000
        if self._train_steps_per_iteration is not None:
            steps_per_call = self._train_steps_per_iteration
        elif self._train_steps is not None:
            steps_per_call = int(self._train_steps / 10)
        while should_continue is None or should_continue(
            results, checkpoint_path=path if results else None
        ):
            if is_done(results, self._train_steps):
                logs.info("Stop training model as max steps reached")
                break
            logs.info("Training model for %s steps", steps_per_call)
            self._call_train(self._train_monitors, steps=steps_per_call)
            logs.info("Evaluating model now.")
            path = latest_checkpoint(self._estimator.model_dir)
            results = self._evaluate_checkpoint("one_pass", path)
            exports = self._run_exports(results)
        return results, exports

    def test(self) -> Any:
        """Runs a smoke test: one more training step, an evaluation step, and exports; returns the results."""
        self._call_train(self._train_monitors, steps=1)
        results = self._evaluate_checkpoint("one_pass", steps=1, hooks=None)
        self._run_exports(results)
        return results

    def continuous_eval(
        self,
        delay_secs: float | None = None,
        throttle_delay_secs: float | None = None,
        evaluate_checkpoint_only_once: bool = True,
        continuous_eval_predicate_fn: Callable[..., Any] | None = None,
        name: str = "continuous",
    ) -> None:
        """Evaluates and exports each new checkpoint until one has reached the last step.

        Args:
          delay_secs: initial delay in seconds.
          throttle_delay_secs: minimum seconds between evaluations.
          evaluate_checkpoint_only_once: whether to evaluate each checkpoint only once.
          continuous_eval_predicate_fn: returns whether to continue, given the last results (initially None) and
            optionally `checkpoint_path`.
          name: evaluation name.

        Raises:
          ValueError: if the predicate is not callable.
        """
        should_continue = adapt_predicate(continuous_eval_predicate_fn)
        waits = self._waits(delay_secs, throttle_delay_secs)
        evaluate = partial(self._evaluate_checkpoint, name)
        self._continue(
            evaluate, self._run_exports, waits, evaluate_checkpoint_only_once, should_continue
        )

    def continuous_eval_on_train_data(
        self,
        delay_secs: float | None = None,
        throttle_delay_secs: float | None = None,
        continuous_eval_predicate_fn: Callable[..., Any] | None = None,
        name: str = "continuous_on_train_data",
    ) -> None:
        """Calls `continuous_eval` on the training inputs, without exports; takes the same arguments."""
        should_continue = adapt_predicate(continuous_eval_predicate_fn)
        waits = self._waits(delay_secs, throttle_delay_secs)
        evaluate = partial(self._evaluate_checkpoint, name, input_fn=self._train_input_fn)
        self._continue(evaluate, None, waits, True, should_continue)

    def _waits(self, delay: float | None, throttle: float | None) -> tuple[float, float]:
        return (
            self._eval_delay_secs if delay is None else delay,
            self._eval_throttle_secs if throttle is None else throttle,
        )

    def _continue(
        self, evaluate: Any, export: Any, waits: tuple, is_single_run: bool, should_continue: Any
    ) -> None:
        delay, throttle = waits
        directory, steps = self._estimator.model_dir, self._train_steps
        evaluate_continuously(
            evaluate, export, directory, steps, delay, throttle, is_single_run, should_continue
        )

    def run_std_server(self) -> None:
        """Runs this task's cluster server; never returns.

        Raises:
          ValueError: if the config lacks this process's task.
        """
        self._start_server().join()

    def _start_server(self) -> Any:
        config = self._estimator.config
        if not (config.cluster_spec and config.task_type and config.master):
            raise ValueError(
                "Could not start server; be sure to specify cluster_spec, task_type, master, and task in RunConfig "
                "or set the TF_CONFIG environment variable."
            )
        server = Server(
            config.cluster_spec,
            job_name=config.task_type,
            task_index=config.task_id,
            config=config.tf_config,
            start=False,
        )
        server.start()
        return server


def _check_estimator(estimator: Any, metrics: Any, listeners: Any) -> None:
    if isinstance(estimator, CoreEstimator):
        if metrics is not None:
            raise ValueError(
                "`eval_metrics` must be `None` with `tf.estimator.Estimator`. Use `eval_metric_ops` in "
                "`tf.estimator.EstimatorSpec` instead."
            )
    elif not isinstance(estimator, Evaluable):
        raise ValueError(
            "`estimator` must implement `tf.contrib.learn.Evaluable` or `tf.estimator.Estimator`."
        )
    elif not isinstance(estimator, Trainable):
        raise ValueError(
            "`estimator` must implement `tf.contrib.learn.Trainable`or `tf.estimator.`Estimator`."
        )
    elif listeners is not None:
        raise ValueError("`saving_listeners` must be `None` with `tf.contrib.learn.Estimator`.")
    if isinstance(estimator, TPUEstimator):
        logs.warning(
            "`Experiment` class cannot work with `tf.contrib.tpu.TPUEstimator`. Please call `TPUEstimator` "
            "train/evaluate directly. \nDetails: `Experiment` class is designed for between-graph distributed "
            "training, while `TPUEstimator` is working in in-graph distributed mode. Use with care."
        )
