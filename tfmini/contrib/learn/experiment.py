"""`tf.contrib.learn.Experiment`: an Estimator with its inputs, trained and evaluated."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from tfmini import logs
from tfmini.contrib.learn.base_estimator import BaseEstimator
from tfmini.errors import UnimplementedError
from tfmini.estimator.estimator import Estimator as CoreEstimator
from tfmini.train.checkpoints.checkpoint_state import latest_checkpoint


class Experiment:
    """An Estimator with what it is trained and evaluated with, in one process.

    Args:
      estimator: an Estimator of `tf.contrib.learn` or of `tf.estimator`.
      train_input_fn, eval_input_fn: the input functions.
      eval_metrics: a dict of MetricSpecs, for an Estimator of `tf.contrib.learn`.
      train_steps: up to which global step it is trained; None: to the end of the input.
      eval_steps: how many batches an evaluation takes; None: to the end of the input.
      train_monitors: SessionRunHooks of training.
      eval_hooks: SessionRunHooks of evaluations.
      local_eval_frequency, min_eval_frequency, eval_delay_secs, continuous_eval_throttle_secs,
      check_interval_secs, delay_workers_by_global_step: what a cluster needs.
      train_steps_per_iteration: after how many steps `continuous_train_and_eval` evaluates.
      export_strategies, checkpoint_and_export, saving_listeners: None.

    Raises:
      ValueError: `estimator` is none, or there are metrics for one of `tf.estimator`.
      UnimplementedError: exports or listeners are given.
    """

    def __init__(
        self,
        estimator: Any,
        train_input_fn: Callable,
        eval_input_fn: Callable,
        eval_metrics: Any = None,
        train_steps: int | None = None,
        eval_steps: int | None = 100,
        train_monitors: Any = None,
        eval_hooks: Any = None,
        local_eval_frequency: int | None = None,
        eval_delay_secs: float = 120,
        continuous_eval_throttle_secs: float = 60,
        min_eval_frequency: int | None = None,
        delay_workers_by_global_step: bool = False,
        export_strategies: Any = None,
        train_steps_per_iteration: int | None = None,
        checkpoint_and_export: bool = False,
        saving_listeners: Any = None,
        check_interval_secs: float = 5,
    ):
        self._is_core = isinstance(estimator, CoreEstimator)
        if self._is_core and eval_metrics is not None:
            raise ValueError("`eval_metrics` must be `None` with `tf.estimator.Estimator`")
        if not self._is_core and not isinstance(estimator, BaseEstimator):
            raise ValueError(
                "`estimator` must implement `tf.contrib.learn.Evaluable` or `tf.estimator.Estimator`."
            )
        if export_strategies or checkpoint_and_export or saving_listeners:
            raise UnimplementedError(
                None, None, "tfmini's Experiment does not export: call export_savedmodel after it"
            )
        if train_steps_per_iteration is not None and not isinstance(train_steps_per_iteration, int):
            raise ValueError("`train_steps_per_iteration` must be an integer.")
        self._estimator = estimator
        self._train_input_fn, self._eval_input_fn = train_input_fn, eval_input_fn
        self._eval_metrics, self._train_steps = eval_metrics, train_steps
        self._eval_steps, self._eval_delay_secs = eval_steps, eval_delay_secs
        self._train_monitors, self._eval_hooks = list(train_monitors or []), eval_hooks
        self._throttle_secs = continuous_eval_throttle_secs
        self._per_iteration = train_steps_per_iteration

    @property
    def estimator(self) -> Any:
        """The Estimator."""
        return self._estimator

    @property
    def eval_metrics(self) -> Any:
        """The dict of MetricSpecs."""
        return self._eval_metrics

    @property
    def train_steps(self) -> int | None:
        """Up to which global step it is trained."""
        return self._train_steps

    @property
    def eval_steps(self) -> int | None:
        """How many batches an evaluation takes."""
        return self._eval_steps

    def extend_train_hooks(self, additional_hooks: Any) -> None:
        """Adds hooks of training.

        Args:
          additional_hooks: SessionRunHooks.
        """
        self._train_monitors.extend(additional_hooks)

    def train(self, delay_secs: float | None = None) -> Any:
        """Trains, and returns the Estimator.

        Args:
          delay_secs: how long to wait before.
        """
        if delay_secs:
            logs.info("Waiting %d secs before starting training.", delay_secs)
            time.sleep(delay_secs)
        return self._fit(self._train_steps)

    def _fit(self, max_steps: int | None) -> Any:
        hooks = self._train_monitors
        if self._is_core:
            return self._estimator.train(self._train_input_fn, hooks, max_steps=max_steps)
        return self._estimator.fit(
            input_fn=self._train_input_fn, max_steps=max_steps, monitors=hooks
        )

    def evaluate(self, delay_secs: float | None = None, name: str | None = None) -> Any:
        """Evaluates the newest checkpoint once, and returns the results.

        Args:
          delay_secs: how long to wait before, by default `eval_delay_secs`.
          name: of the evaluation, by default "one_pass".
        """
        delay_secs = self._eval_delay_secs if delay_secs is None else delay_secs
        if delay_secs:
            logs.info("Waiting %d secs before starting eval.", delay_secs)
            time.sleep(delay_secs)
        return self._evaluated(name or "one_pass")

    def _evaluated(self, name: str, input_fn: Any = None, path: str | None = None) -> Any:
        input_fn = input_fn or self._eval_input_fn
        given: dict[str, Any] = {"steps": self._eval_steps, "hooks": self._eval_hooks, "name": name}
        if not self._is_core:
            given["metrics"] = self._eval_metrics
        return self._estimator.evaluate(input_fn=input_fn, checkpoint_path=path, **given)

    def train_and_evaluate(self) -> tuple[Any, list]:
        """Trains, then evaluates: (results, [])."""
        self.train(delay_secs=0)
        return self._evaluated("one_pass"), []

    def continuous_train_and_eval(self, continuous_eval_predicate_fn: Any = None) -> tuple:
        """Trains and evaluates in turn, till the last step or till a function of the results says so.

        Args:
          continuous_eval_predicate_fn: says of the last results, None at first, whether to go on.

        Returns:
          (results, []).
        """
        results, done = None, 0
        each = self._per_iteration or self._train_steps or 1000
        while continuous_eval_predicate_fn is None or continuous_eval_predicate_fn(results):
            done = min(done + each, self._train_steps) if self._train_steps else done + each
            self._fit(done)
            results = self._evaluated("one_pass")
            if self._train_steps and done >= self._train_steps:
                break
        return results, []

    def test(self) -> Any:
        """One more step of training and one of evaluation, whose results it returns."""
        steps = self._eval_steps
        if self._is_core:
            self._estimator.train(self._train_input_fn, self._train_monitors, steps=1)
        else:
            self._estimator.fit(
                input_fn=self._train_input_fn, steps=1, monitors=self._train_monitors
            )
        self._eval_steps = 1
        try:
            return self._evaluated("one_pass")
        finally:
            self._eval_steps = steps

    def local_run(self) -> tuple[Any, list]:
        """`train_and_evaluate`."""
        return self.train_and_evaluate()

    def continuous_eval(
        self,
        delay_secs: float | None = None,
        throttle_delay_secs: float | None = None,
        evaluate_checkpoint_only_once: bool = True,
        continuous_eval_predicate_fn: Any = None,
        name: str = "continuous",
    ) -> None:
        """Evaluates each new checkpoint till one has reached the last step.

        Args:
          delay_secs: how long to wait before.
          throttle_delay_secs: how many seconds are between evaluations at least.
          evaluate_checkpoint_only_once: whether a checkpoint is evaluated once only.
          continuous_eval_predicate_fn: says of the last results, None at first, whether to go on.
          name: of the evaluation.
        """
        self._continue(
            self._eval_input_fn,
            delay_secs,
            throttle_delay_secs,
            evaluate_checkpoint_only_once,
            continuous_eval_predicate_fn,
            name,
        )

    def continuous_eval_on_train_data(
        self,
        delay_secs: float | None = None,
        throttle_delay_secs: float | None = None,
        continuous_eval_predicate_fn: Any = None,
        name: str = "continuous_on_train_data",
    ) -> None:
        """`continuous_eval` with the inputs of training; arguments as there."""
        self._continue(
            self._train_input_fn,
            delay_secs,
            throttle_delay_secs,
            True,
            continuous_eval_predicate_fn,
            name,
        )

    def _continue(
        self, input_fn: Any, delay: Any, throttle: Any, once: bool, goes_on: Any, name: str
    ) -> None:
        time.sleep(self._eval_delay_secs if delay is None else delay)
        results: Any = None
        previous = None
        while goes_on is None or goes_on(results):
            step = (results or {}).get("global_step")
            if step and self._train_steps and step >= self._train_steps:
                return
            start, path = time.monotonic(), latest_checkpoint(self._estimator.model_dir)
            if path and not (once and path == previous):
                results, previous = self._evaluated(name, input_fn, path), path
            pause = self._throttle_secs if throttle is None else throttle
            time.sleep(max(0.0, pause - (time.monotonic() - start)))

    def reset_export_strategies(self, new_export_strategies: Any = None) -> tuple:
        """The strategies of exports till now, of which there are none.

        Args:
          new_export_strategies: None.

        Raises:
          UnimplementedError: there are some.
        """
        if new_export_strategies:
            raise UnimplementedError(None, None, "tfmini's Experiment does not export")
        return ()

    def run_std_server(self) -> None:
        """Refuses: there are no servers for Experiments.

        Raises:
          UnimplementedError: always.
        """
        raise UnimplementedError(None, None, "tfmini's Experiment runs in one process only")
