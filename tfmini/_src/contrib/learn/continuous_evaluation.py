"""Evaluation of each new checkpoint during training, by listeners or in a separate loop."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from tfmini._src.base import logs
from tfmini._src.models.estimator.fn_args import parameter_names
from tfmini._src.train.checkpoints.checkpoint_management import latest_checkpoint
from tfmini._src.train.monitored.checkpoint_saver_hook import CheckpointSaverListener

_SILENCE_SECS = 600  # seconds between warnings that there is nothing to evaluate


def adapt_predicate(function: Any) -> Callable | None:
    """Adapts a user's predicate, which may accept only the results, to accept (results, checkpoint path)."""
    if function is None:
        return None
    if not callable(function):
        raise ValueError("`continuous_eval_predicate_fn` must be a callable, or None.")
    if "checkpoint_path" in parameter_names(function):
        return function
    return lambda results, checkpoint_path: function(results)


def is_done(results: Any, train_steps: int | None) -> bool:
    """Whether the evaluated checkpoint belongs to the last training step."""
    step = (results or {}).get("global_step")
    return bool(step and train_steps and step >= train_steps)


class EvaluateAndExport(CheckpointSaverListener):
    """Evaluates and exports after each checkpoint.

    Args:
      evaluate: `evaluate(name, checkpoint_path)` returns results.
      export: `export(results, checkpoint_path)` returns the exports.
      model_dir: checkpoint directory.
    """

    def __init__(self, evaluate: Callable, export: Callable, model_dir: Any):
        self._evaluate, self._export, self._model_dir = evaluate, export, model_dir
        self._latest_path: str | None = None
        self.eval_result: Any = None
        self.export_results: Any = None

    def after_save(self, session: Any, global_step_value: int) -> None:
        """Evaluates and exports new checkpoints."""
        logs.info("Checking for checkpoint in %s", self._model_dir)
        path = latest_checkpoint(self._model_dir)
        if not path:
            logs.warning("Skipping evaluation and export since model has not been saved yet.")
        elif path == self._latest_path:
            logs.warning("Skipping evaluation due to same latest checkpoint %s.", path)
        else:
            self._latest_path = path
            self.eval_result = self._evaluate(name="intermediate_export", checkpoint_path=path)
            self.export_results = self._export(self.eval_result, checkpoint_path=path)


def evaluate_continuously(
    evaluate: Callable,
    export: Callable | None,
    model_dir: Any,
    train_steps: int | None,
    delay_secs: float,
    throttle_secs: float,
    is_single_run: bool,
    should_continue: Callable | None,
) -> None:
    """Evaluates each new checkpoint until the last step, or until `should_continue(results, path)` is false."""
    if delay_secs:
        logs.info("Waiting %f secs before starting eval.", delay_secs)
        time.sleep(delay_secs)
    results: Any = None
    previous, warned = None, float("-inf")
    while should_continue is None or should_continue(results, checkpoint_path=previous):
        if is_done(results, train_steps):
            step = results["global_step"]
            logs.info("Exiting continuous eval, global_step=%s >= train_step=%s", step, train_steps)
            return
        start, path = time.monotonic(), latest_checkpoint(model_dir)
        skip_reason = _nothing_to_evaluate(path, previous if is_single_run else None)
        if skip_reason:
            results = {}
            if start - warned > _SILENCE_SECS:
                logs.warning(skip_reason)
                warned = start
        else:
            results = evaluate(path) or {}
            if export is not None:
                export(results, checkpoint_path=path)
            previous, warned = path, float("-inf")
        pause = throttle_secs - (time.monotonic() - start)
        if pause > 0:
            logs.info("Waiting %f secs before starting next eval run.", pause)
            time.sleep(pause)


def _nothing_to_evaluate(path: str | None, previous: str | None) -> str:
    if not path:
        return "Estimator is not fitted yet. Will start an evaluation when a checkpoint is ready."
    return "No new checkpoint ready for evaluation." if path == previous else ""
