"""Training with an evaluation after each checkpoint."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NamedTuple

from tfmini._src.base import logs
from tfmini._src.base.errors import UnimplementedError
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.models.estimator.estimator import Estimator
from tfmini._src.models.estimator.exporter import Exporter
from tfmini._src.train.monitored.checkpoint_saver_hook import CheckpointSaverListener
from tfmini._src.train.monitored.second_or_step_timer import SecondOrStepTimer
from tfmini._src.train.monitored.session_run_hook import SessionRunHook


class _TrainFields(NamedTuple):
    input_fn: Callable
    max_steps: int | None
    hooks: tuple


class TrainSpec(_TrainFields):
    """The training half of `train_and_evaluate`: input, step limit, hooks.

    Args:
      input_fn: the input function.
      max_steps: up to which global step; None: to the end of the input.
      hooks: SessionRunHooks.

    Raises:
      ValueError: `max_steps` is not positive.
      TypeError: `input_fn` is no function, or a hook no SessionRunHook.
    """

    def __new__(
        cls, input_fn: Callable, max_steps: int | None = None, hooks: Any = None
    ) -> TrainSpec:
        _check_input(input_fn)
        if max_steps is not None and max_steps <= 0:
            raise ValueError(f"Must specify max_steps > 0, given: {max_steps}")
        return super().__new__(cls, input_fn, max_steps, _hooks(hooks))


class _EvalFields(NamedTuple):
    input_fn: Callable
    steps: int | None
    name: str | None
    hooks: tuple
    exporters: tuple
    start_delay_secs: float
    throttle_secs: float


class EvalSpec(_EvalFields):
    """The evaluation half of `train_and_evaluate`: input, steps, hooks, exporters, timing.

    Args:
      input_fn: the input function.
      steps: how many batches; None: to the end of the input.
      name: the name of the evaluation, where there are several.
      hooks: SessionRunHooks.
      exporters: an Exporter or several, called after each evaluation.
      start_delay_secs: how long an evaluator of a cluster waits at first; alone in a process it does not matter.
      throttle_secs: how many seconds are between the starts of evaluations at least.

    Raises:
      ValueError: a number is negative, or names of exporters are missing or not unique.
      TypeError: an argument is of a wrong type.
    """

    def __new__(
        cls,
        input_fn: Callable,
        steps: int | None = 100,
        name: str | None = None,
        hooks: Any = None,
        exporters: Any = None,
        start_delay_secs: float = 120,
        throttle_secs: float = 600,
    ) -> EvalSpec:
        _check_input(input_fn)
        if steps is not None and steps <= 0:
            raise ValueError(f"Must specify steps > 0, given: {steps}")
        if name is not None and not isinstance(name, str):
            raise TypeError(f"`name` must be string, given: {name}")
        all_hooks, all_exporters = _hooks(hooks), _exporters(exporters)
        for title, secs in (
            ("start_delay_secs", start_delay_secs),
            ("throttle_secs", throttle_secs),
        ):
            if secs < 0:
                raise ValueError(f"Must specify {title} >= 0, given: {secs}")
        return super().__new__(
            cls, input_fn, steps, name, all_hooks, all_exporters, start_delay_secs, throttle_secs
        )


def _check_input(function: Any) -> None:
    if not callable(function):
        raise TypeError(f"`input_fn` must be callable, given: {function}")


def _hooks(hooks: Any) -> tuple:
    hooks = tuple(hooks or [])
    for hook in hooks:
        if not isinstance(hook, SessionRunHook):
            raise TypeError(f"All hooks must be `SessionRunHook` instances, given: {hook}")
    return hooks


def _exporters(given: Any) -> tuple:
    if not given:
        return ()
    exporters = [given] if isinstance(given, Exporter) else given
    wrong = TypeError(
        f"`exporters` must be an Exporter, an iterable of Exporter, or `None`, found {exporters}."
    )
    try:
        found = tuple(exporters)
    except TypeError:
        raise wrong from None
    if not all(isinstance(exporter, Exporter) for exporter in found):
        raise wrong
    names = [exporter.name for exporter in found]
    for name in names:
        if not name:
            raise ValueError(
                f"An Exporter cannot have a name that is `None` or empty. All exporter names: {names}"
            )
        if not isinstance(name, str):
            raise ValueError(f"An Exporter must have a string name. Given: {type(name)}")
    if len(set(names)) != len(names):
        raise ValueError(
            "`exporters` must have unique names. Such a name cannot be `None`. All exporter names: "
            f"{names}"
        )
    return found


class _Evaluates(CheckpointSaverListener):
    """Evaluates and exports after checkpoints, throttled, and always after the last one."""

    def __init__(self, estimator: Estimator, spec: EvalSpec, max_steps: int | None):
        self._estimator, self._spec, self._max_steps = estimator, spec, max_steps
        self.results: tuple[Any, Any] = (None, None)

    def begin(self) -> None:
        self._timer = SecondOrStepTimer(every_secs=self._spec.throttle_secs)
        self._is_first = True

    def after_save(self, session: Any, global_step_value: int) -> None:
        if self._is_first:  # before the first step
            self._is_first = False
        elif self._timer.should_trigger_for_step(global_step_value):
            self._evaluate(global_step_value)
        else:
            logs.info(
                "Skip the current checkpoint eval due to throttle secs (%s secs).",
                self._spec.throttle_secs,
            )

    def end(self, session: Any, global_step_value: int) -> None:
        if global_step_value != self._timer.last_triggered_step():
            self._evaluate(global_step_value)

    def _evaluate(self, step: int) -> None:
        self._timer.update_last_triggered_step(step)
        estimator, spec = self._estimator, self._spec
        path = estimator.latest_checkpoint()
        if path is None:
            raise RuntimeError(
                "There was no new checkpoint after the training. Eval status: missing checkpoint"
            )
        values = estimator.evaluate(spec.input_fn, spec.steps, spec.hooks, path, spec.name)
        is_final = bool(self._max_steps and values[GraphKeys.GLOBAL_STEP] >= self._max_steps)
        exported = [
            exporter.export(
                estimator=estimator,
                export_path=os.path.join(estimator.model_dir, "export", exporter.name),
                checkpoint_path=path,
                eval_result=values,
                is_the_final_export=is_final,
            )
            for exporter in spec.exporters
        ]
        self.results = values, exported


def train_and_evaluate(estimator: Estimator, train_spec: TrainSpec, eval_spec: EvalSpec) -> Any:
    """Trains, and evaluates and exports after each checkpoint, in this process.

    Args:
      estimator: the Estimator; its RunConfig says how often there are checkpoints.
      train_spec: what to train with.
      eval_spec: what to evaluate with.

    Returns:
      The results of the last evaluation and a list of what its exporters returned; (None, None) where training had
      reached its last step before.

    Raises:
      TypeError: an argument is of a wrong type.
      UnimplementedError: TF_CONFIG says that there are other tasks.

    Example:
      train = tf.estimator.TrainSpec(train_input, max_steps=1000)
      tf.estimator.train_and_evaluate(estimator, train, tf.estimator.EvalSpec(eval_input, throttle_secs=0))
    """
    if not isinstance(eval_spec, EvalSpec):
        raise TypeError(
            f"`eval_spec` must have type `tf.estimator.EvalSpec`. Got: {type(eval_spec)}"
        )
    if not isinstance(estimator, Estimator):
        raise TypeError(
            f"`estimator` must have type `tf.estimator.Estimator`. Got: {type(estimator)}"
        )
    if not isinstance(train_spec, TrainSpec):
        raise TypeError(
            f"`train_spec` must have type `tf.estimator.TrainSpec`. Got: {type(train_spec)}"
        )
    config = estimator.config
    logs.info("Not using Distribute Coordinator.")
    if config.cluster_spec or config.task_type == "evaluator":
        raise UnimplementedError(
            None,
            None,
            "tfmini has no servers yet: take `cluster` out of TF_CONFIG to train and evaluate in one process",
        )
    logs.info("Running training and evaluation locally (non-distributed).")
    logs.info(
        "Start train and evaluate loop. The evaluate will happen after every checkpoint. Checkpoint frequency is "
        "determined based on RunConfig arguments: save_checkpoints_steps %s or save_checkpoints_secs %s.",
        config.save_checkpoints_steps,
        config.save_checkpoints_secs,
    )
    evaluates = _Evaluates(estimator, eval_spec, train_spec.max_steps)
    estimator.train(
        train_spec.input_fn,
        hooks=train_spec.hooks,
        max_steps=train_spec.max_steps,
        saving_listeners=[evaluates],
    )
    return evaluates.results
