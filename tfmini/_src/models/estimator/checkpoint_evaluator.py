"""Evaluation and export of checkpoints during training."""

from __future__ import annotations

import os
import time
from typing import Any, NamedTuple

from tfmini._src.base import logs
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.models.estimator.estimator import Estimator
from tfmini._src.models.estimator.training_specs import EvalSpec

STATUS_EVALUATED = "evaluated"
_STATUS_MISSING = "missing checkpoint"
_STATUS_SEEN = "no new checkpoint"

# Seconds between repeated warnings that there is nothing to evaluate.
_REPEAT_SECS = 600


class Evaluation(NamedTuple):
    """Outcome of an evaluation attempt.

    Attributes:
      status: "evaluated", "missing checkpoint" or "no new checkpoint".
      metrics: values by name; None unless evaluated.
      exported: the exporters' results; empty unless evaluated.
    """

    status: str
    metrics: dict[str, Any] | None = None
    exported: list[Any] | None = None


class CheckpointEvaluator:
    """Evaluates and exports the latest checkpoint of an Estimator, each at most once.

    Args:
      estimator: the Estimator.
      spec: the EvalSpec.
      max_steps: the final global step of training, whose evaluation triggers the final export; None for no limit.
    """

    def __init__(self, estimator: Estimator, spec: EvalSpec, max_steps: int | None):
        self._estimator, self._spec, self._max_steps = estimator, spec, max_steps
        self._last_path: str | None = None
        self._last_warning = float("-inf")

    def evaluate_and_export(self) -> Evaluation:
        """Evaluates the latest checkpoint and calls the exporters, unless it is missing or was evaluated before."""
        estimator, spec = self._estimator, self._spec
        path = estimator.latest_checkpoint()
        if not path:
            self._warn(
                "Estimator is not trained yet. Will start an evaluation when a checkpoint is ready."
            )
            return Evaluation(_STATUS_MISSING)
        if path == self._last_path:
            self._warn(
                "No new checkpoint ready for evaluation. Skip the current evaluation pass as evaluation results are "
                "expected to be same for the same checkpoint."
            )
            return Evaluation(_STATUS_SEEN)
        metrics = estimator.evaluate(spec.input_fn, spec.steps, spec.hooks, path, spec.name)
        exported = [
            exporter.export(
                estimator=estimator,
                export_path=os.path.join(estimator.model_dir, "export", exporter.name),
                checkpoint_path=path,
                eval_result=metrics,
                is_the_final_export=self.is_final(metrics),
            )
            for exporter in spec.exporters
        ]
        self._last_path, self._last_warning = path, float("-inf")
        return Evaluation(STATUS_EVALUATED, metrics, exported)

    def is_final(self, metrics: dict[str, Any]) -> bool:
        """Whether the metrics were computed at or after the final training step."""
        return bool(self._max_steps and metrics[GraphKeys.GLOBAL_STEP] >= self._max_steps)

    def _warn(self, message: str) -> None:
        now = time.monotonic()
        if now - self._last_warning > _REPEAT_SECS:
            self._last_warning = now
            logs.warning(message)
