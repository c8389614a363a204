"""Listener that evaluates each checkpoint in the process that saves it."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import logs
from tfmini._src.models.estimator.checkpoint_evaluator import (
    STATUS_EVALUATED,
    CheckpointEvaluator,
    Evaluation,
)
from tfmini._src.train.monitored.checkpoint_saver_hook import CheckpointSaverListener
from tfmini._src.train.monitored.second_or_step_timer import SecondOrStepTimer


class EvaluatesCheckpoints(CheckpointSaverListener):
    """Evaluates and exports checkpoints, at most once per `throttle_secs`, and always the last one.

    Attributes:
      last_evaluation: the most recent Evaluation, or None.
    """

    def __init__(self, evaluator: CheckpointEvaluator, throttle_secs: float):
        self._evaluator, self._throttle_secs = evaluator, throttle_secs
        self.last_evaluation: Evaluation | None = None

    def begin(self) -> None:
        self._timer = SecondOrStepTimer(every_secs=self._throttle_secs)
        self._is_first = True

    def after_save(self, session: Any, global_step_value: int) -> None:
        if self._is_first:  # before the first step
            self._is_first = False
        elif self._timer.should_trigger_for_step(global_step_value):
            self._evaluate(global_step_value)
        else:
            logs.info(
                "Skip the current checkpoint eval due to throttle secs (%s secs).",
                self._throttle_secs,
            )

    def end(self, session: Any, global_step_value: int) -> None:
        if global_step_value != self._timer.last_triggered_step():
            self._evaluate(global_step_value)

    def _evaluate(self, step: int) -> None:
        self._timer.update_last_triggered_step(step)
        self.last_evaluation = self._evaluator.evaluate_and_export()
        if self.last_evaluation.status != STATUS_EVALUATED:
            raise RuntimeError(
                f"There was no new checkpoint after the training. Eval status: {self.last_evaluation.status}"
            )
