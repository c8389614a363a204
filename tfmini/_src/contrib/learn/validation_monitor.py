"""Evaluation during an Estimator's training, with early stopping."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.learn.base_monitors import EveryN
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.estimator.estimator import Estimator
from tfmini._src.train.checkpoints.checkpoint_management import latest_checkpoint


class ValidationMonitor(EveryN):
    """Evaluates the latest checkpoint every n steps.

    Args:
      x, y, input_fn, batch_size: evaluation inputs; eval_steps: number of batches.
      every_n_steps: step interval n.
      metrics, hooks, name: as for the Estimator's `evaluate`.
      early_stopping_rounds: number of steps without improvement after which training stops; None to never stop.
      early_stopping_metric: metric to monitor; `early_stopping_metric_minimize`: whether lower is better.
      check_interval_secs: minimum seconds between evaluations; None for no minimum.

    Raises:
      ValueError: if there is no input, or (during training) the results lack the metric.

    Example: `tf.contrib.learn.monitors.ValidationMonitor(x, y, every_n_steps=50)`.
    """

    early_stopped: bool = read_only("Whether the monitor has stopped training early.")
    best_step: int | None = read_only("The step of the best result.")
    best_value: Any = read_only("The best result.")
    best_metrics: Any = read_only("All results of that step.")

    def __init__(
        self,
        x: TensorLike | None = None,
        y: TensorLike | None = None,
        input_fn: Callable[..., Any] | None = None,
        batch_size: TensorLike | None = None,
        eval_steps: int | None = None,
        every_n_steps: int = 100,
        metrics: Mapping[str, Any] | None = None,
        hooks: Sequence[Any] | None = None,
        early_stopping_rounds: int | None = None,
        early_stopping_metric: str = "loss",
        early_stopping_metric_minimize: bool = True,
        name: str | None = None,
        check_interval_secs: float | None = 5,
    ):
        super().__init__(every_n_steps=every_n_steps, first_n_steps=-1)
        if x is None and input_fn is None:
            raise ValueError("Either x or input_fn should be provided.")
        self.x, self.y, self.input_fn, self.batch_size = x, y, input_fn, batch_size
        self.eval_steps, self.metrics, self.hooks, self.name = eval_steps, metrics, hooks, name
        self.early_stopping_rounds = early_stopping_rounds
        self.early_stopping_metric = early_stopping_metric
        self.early_stopping_metric_minimize = early_stopping_metric_minimize
        self._interval, self._last_check = check_interval_secs, None
        self._latest_path: Any = None
        self._best_step: int | None = None
        self._best_value: Any = None
        self._best_metrics: Any = None
        self._early_stopped = False

    def every_n_step_end(self, step: int, outputs: dict[Any, Any]) -> bool:
        """Evaluates a new checkpoint; returns whether to stop training."""
        if self._estimator is None:
            raise ValueError("Missing call to set_estimator.")
        now: Any = time.time()
        if (
            None not in (self._interval, self._last_check)
            and now - self._last_check <= self._interval
        ):
            return False
        self._last_check = now
        path = latest_checkpoint(self._estimator.model_dir)
        if path is None or path == self._latest_path:
            return False
        self._latest_path = path
        results = self._evaluate()
        rows = ", ".join(f"{name} = {value!s}" for name, value in results.items())
        logs.info("Validation (step %d): %s", step, rows)
        rounds = self.early_stopping_rounds
        return rounds is not None and self._stops(step, results, rounds)

    def _evaluate(self) -> dict:
        arrays = {"x": self.x, "y": self.y, "batch_size": self.batch_size, "metrics": self.metrics}
        if isinstance(self._estimator, Estimator):
            if any(value is not None for value in arrays.values()):
                raise ValueError(
                    "tf.estimator.Estimator does not support following arguments: x, y, batch_size, metrics. Should "
                    "set as `None` in ValidationMonitor"
                )
            arrays = {}
        return self._estimator.evaluate(
            input_fn=self.input_fn,
            steps=self.eval_steps,
            hooks=self.hooks,
            name=self.name,
            **arrays,
        )

    def _stops(self, step: int, results: dict, rounds: int) -> bool:
        metric = self.early_stopping_metric
        if metric not in results:
            raise ValueError(f"Metric {metric} missing from outputs {set(results)}.")
        value, best = results[metric], self._best_value
        if best is None or (value < best if self.early_stopping_metric_minimize else value > best):
            self._best_value, self._best_step = value, step
            self._best_metrics = copy.deepcopy(results)
        self._early_stopped = step - (self._best_step or 0) >= rounds
        if self._early_stopped:
            logs.info(
                "Stopping. Best step: %s with %s = %s.", self._best_step, metric, self._best_value
            )
        return self._early_stopped
