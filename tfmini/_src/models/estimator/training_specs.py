"""`TrainSpec` and `EvalSpec`, arguments of `train_and_evaluate`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tfmini._src.models.estimator.exporter import Exporter
from tfmini._src.train.monitored.session_run_hook import SessionRunHook


class _TrainFields(NamedTuple):
    input_fn: Callable
    max_steps: int | None
    hooks: tuple


class TrainSpec(_TrainFields):
    """Training settings of `train_and_evaluate`: input, step limit, hooks.

    Args:
      input_fn: the input function.
      max_steps: final global step; None for the whole input.
      hooks: SessionRunHooks.

    Raises:
      ValueError: if `max_steps` is not positive.
      TypeError: for arguments of the wrong type.
    """

    def __new__(
        cls, input_fn: Callable[..., Any], max_steps: int | None = None, hooks: Any = None
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
    """Evaluation settings of `train_and_evaluate`: input, steps, hooks, exporters, timing.

    Args:
      input_fn: the input function.
      steps: number of batches; None for the whole input.
      name: name to distinguish several evaluations.
      hooks: SessionRunHooks.
      exporters: an Exporter or several, called after each evaluation.
      start_delay_secs: initial delay of a cluster's evaluator in seconds; ignored in a single process.
      throttle_secs: minimum seconds between the starts of evaluations.

    Raises:
      ValueError: if a number is negative, or exporter names are missing or not unique.
      TypeError: for arguments of the wrong type.
    """

    def __new__(
        cls,
        input_fn: Callable[..., Any],
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


def _exporters(value: Any) -> tuple:
    if not value:
        return ()
    exporters = [value] if isinstance(value, Exporter) else value
    wrong = TypeError(
        f"`exporters` must be an Exporter, an iterable of Exporter, or `None`, found {exporters}."
    )
    try:
        as_tuple = tuple(exporters)
    except TypeError:
        raise wrong from None
    if not all(isinstance(exporter, Exporter) for exporter in as_tuple):
        raise wrong
    names = [exporter.name for exporter in as_tuple]
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
    return as_tuple
