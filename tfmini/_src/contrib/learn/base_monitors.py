"""Monitors, per-step callbacks superseded by hooks, and the hook that calls them."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tfmini._src.base import logs
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.tensor import Tensor
from tfmini._src.session.base_session import BaseSession
from tfmini._src.session.session import Session
from tfmini._src.train.global_step import get_global_step
from tfmini._src.train.monitored.session_run_hook import (
    SessionRunArgs,
    SessionRunContext,
    SessionRunHook,
    SessionRunValues,
)
from tfmini._src.train.monitored.start_stop_hooks import NanLossDuringTrainingError


class BaseMonitor:
    """Base class of monitors, called at each step; subclasses override the callbacks they need."""

    @deprecated("2016-12-05", "Monitors are deprecated. Please use tf.train.SessionRunHook.")
    def __init__(self) -> None:
        self._started = False
        self._current_epoch: int | None = None
        self._current_step: int | None = None
        self._max_steps: int | None = None
        self._estimator: Any = None

    @property
    def run_on_all_workers(self) -> bool:
        """Whether to call the monitor on workers other than the chief."""
        return False

    def set_estimator(self, estimator: Any) -> None:
        """Sets the trained Estimator; raises ValueError for None."""
        if estimator is None:
            raise ValueError("Missing estimator.")
        self._estimator = estimator

    def begin(self, max_steps: int | None = None) -> None:
        """Called at the start of training, before the graph is finalized; raises ValueError if already called."""
        if self._started:
            raise ValueError("begin called twice without end.")
        self._max_steps, self._started = max_steps, True

    def end(self, session: Session | None = None) -> None:
        """Called at the end of training; raises ValueError unless it has begun."""
        if not self._started:
            raise ValueError("end called without begin.")
        self._max_steps, self._started = None, False

    def epoch_begin(self, epoch: int) -> None:
        """Called at the start of an epoch; raises ValueError if another epoch is in progress."""
        if self._current_epoch is not None:
            raise ValueError("epoch_begin called twice without epoch_end.")
        if epoch < 0:
            raise ValueError(f"Invalid epoch {epoch}.")
        self._current_epoch = epoch

    def epoch_end(self, epoch: int) -> None:
        """Called at the end of an epoch; raises ValueError if it is not the current one."""
        if self._current_epoch != epoch:
            raise ValueError("epoch_end expected %s but got %s.", self._current_epoch, epoch)
        self._current_epoch = None

    def step_begin(self, step: int) -> list[Any]:
        """Returns the tensors, or their names, to fetch in a step; raises ValueError for an invalid step."""
        if step < 0 or (self._max_steps is not None and step > self._max_steps):
            raise ValueError(f"Invalid step {step}.")
        self._current_step = step
        return []

    def step_end(self, step: int, output: dict[Any, Any]) -> bool:
        """Whether to stop training; `output` contains the fetched values."""
        if self._current_step != step:
            raise ValueError("step_end expected %s but got %s.", self._current_step, step)
        self._current_step = None
        return False

    def post_step(self, step: int, session: BaseSession) -> None:
        """Called after a step, with the session."""


class EveryN(BaseMonitor):
    """Base class of monitors that run at the first steps, every n steps and at the last step.

    Args:
      every_n_steps: step interval n.
      first_n_steps: number of initial steps.
    """

    def __init__(self, every_n_steps: int = 100, first_n_steps: int = 1):
        super().__init__()
        self._every_n_steps, self._first_n_steps = every_n_steps, first_n_steps
        self._last_successful_step: int | None = None
        self._last_active_step = 0
        self._active = False

    def every_n_step_begin(self, step: int) -> list[Any]:
        """Called instead of `step_begin` at the steps selected by the interval."""
        return []

    def every_n_step_end(self, step: int, outputs: dict[Any, Any]) -> bool:
        """Called instead of `step_end` at the steps selected by the interval."""
        return False

    def every_n_post_step(self, step: int | None, session: BaseSession) -> None:
        """Called instead of `post_step` at the steps selected by the interval."""

    def step_begin(self, step: int) -> list[Any]:
        """Returns the tensors requested by `every_n_step_begin` if the step is due, else an empty list."""
        super().step_begin(step)
        is_due = step >= self._every_n_steps + self._last_active_step
        self._active = step <= self._first_n_steps or is_due or step == self._max_steps
        return self.every_n_step_begin(step) if self._active else []

    def step_end(self, step: int, output: dict[Any, Any]) -> bool:
        """Returns the result of `every_n_step_end` if the step is due, else False."""
        super().step_end(step, output)
        return self.every_n_step_end(step, output) if self._active else False

    def post_step(self, step: int, session: BaseSession) -> None:
        """Calls `every_n_post_step` if the step is due."""
        super().post_step(step, session)
        if self._active:
            self.every_n_post_step(step, session)
            self._last_active_step = step
        self._last_successful_step = step

    def end(self, session: Any = None) -> None:
        """Calls `every_n_post_step` unless the last step was due; the step is None if none ran."""
        super().end(session=session)
        if self._last_successful_step != self._last_active_step:
            self.every_n_post_step(self._last_successful_step, session)


def find_output(outputs: dict, expected: Any) -> Any:
    """Returns the fetched value of a monitor's request, keyed by the object itself or its name."""
    return outputs[expected] if expected in outputs else outputs[expected.name]


class StopAtStep(BaseMonitor):
    """Stops after `num_steps` steps, or at step `last_step`.

    Raises:
      ValueError: if both or neither are given.
    """

    def __init__(self, num_steps: int | None = None, last_step: int | None = None):
        super().__init__()
        if num_steps is None and last_step is None:
            raise ValueError("One of num_steps or last_step must be specified.")
        if num_steps is not None and last_step is not None:
            raise ValueError("Only one of num_steps or last_step can be specified.")
        self._num_steps, self._last_step = num_steps, last_step

    @property
    def run_on_all_workers(self) -> bool:
        """Always True."""
        return True

    def step_begin(self, step: int) -> list[Any]:
        """Fetches nothing; computes the last step at the first one."""
        super().step_begin(step)
        if self._last_step is None:
            self._last_step = step + (self._num_steps or 0) - 1
        return []

    def step_end(self, step: int, output: dict[Any, Any]) -> bool:
        """Whether the last step has been reached."""
        super().step_end(step, output)
        return self._last_step is not None and step >= self._last_step


class PrintTensor(EveryN):
    """Logs the values of tensors.

    Args:
      tensor_names: tensor names, or a dict from label to name.
      every_n: interval in steps; first_n: number of initial steps.
    """

    def __init__(
        self, tensor_names: Mapping[str, str] | Sequence[str], every_n: int = 100, first_n: int = 1
    ):
        super().__init__(every_n, first_n)
        if not isinstance(tensor_names, dict):
            tensor_names = {item: item for item in tensor_names}
        self._tensor_names = tensor_names

    def every_n_step_begin(self, step: int) -> list[Any]:
        """Returns the requested tensors."""
        return list(self._tensor_names.values())

    def every_n_step_end(self, step: int, outputs: dict[Any, Any]) -> bool:
        """Logs the values; never requests a stop."""
        rows = [f"{tag} = {outputs[n]!s}" for tag, n in self._tensor_names.items() if n in outputs]
        logs.info("Step %d: %s", step, ", ".join(rows))
        return False


class NanLoss(EveryN):
    """Stops when the loss is NaN.

    Args:
      loss_tensor: the loss.
      every_n_steps: check interval in steps.
      fail_on_nan_loss: whether to raise NanLossDuringTrainingError.
    """

    def __init__(
        self, loss_tensor: Tensor, every_n_steps: int = 100, fail_on_nan_loss: bool = True
    ):
        super().__init__(every_n_steps=every_n_steps)
        self._loss_tensor, self._fails = loss_tensor, fail_on_nan_loss

    def every_n_step_begin(self, step: int) -> list[Any]:
        """Returns the loss."""
        return [self._loss_tensor]

    def every_n_step_end(self, step: int, outputs: dict[Any, Any]) -> bool:
        """Whether the loss is NaN."""
        if not np.isnan(find_output(outputs, self._loss_tensor)):
            return False
        if self._fails:
            logs.error("Model diverged with loss = NaN.")
            raise NanLossDuringTrainingError
        logs.warning("Model diverged with loss = NaN.")
        return True


class RunHookAdapterForMonitors(SessionRunHook):
    """A hook that calls monitors."""

    def __init__(self, monitors: list[Any]):
        self._monitors = monitors

    def begin(self) -> None:
        """Calls `begin` of the monitors."""
        self._last_step: Any = None
        self._step_tensor = get_global_step()
        for monitor in self._monitors:
            monitor.begin(max_steps=None)

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        """Fetches the tensors requested by the monitors."""
        if self._last_step is None:
            self._last_step = run_context.session.run(self._step_tensor) + 1
        expected: list = []
        for monitor in self._monitors:
            requested = monitor.step_begin(self._last_step)
            if requested and not isinstance(requested, list):
                raise ValueError("Monitor.step_begin should return a list.")
            expected += requested or []
        fetches: dict[str, Any] = {"step": self._step_tensor}
        if expected:
            fetches["monitors"] = {item: _graph_tensor(item) for item in expected}
        return SessionRunArgs(fetches)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Passes the fetched values to the monitors; requests a stop if one of them does."""
        outputs = run_values.results.get("monitors", {})
        for monitor in self._monitors:
            if monitor.step_end(self._last_step, outputs):
                run_context.request_stop()
        for monitor in self._monitors:
            monitor.post_step(self._last_step, run_context.session)
        self._last_step = run_values.results["step"] + 1

    def end(self, session: Session) -> None:
        """Calls `end` of the monitors."""
        self._last_step = None
        for monitor in self._monitors:
            if "session" in inspect.signature(monitor.end).parameters:
                monitor.end(session=session)
            else:
                monitor.end()


def _graph_tensor(item: Any) -> Any:
    graph = get_default_graph()
    if not isinstance(item, str):
        if getattr(item, "graph", None) is not graph:
            raise ValueError(
                f"Passed {item} should have graph attribute that is equal to current graph {graph}."
            )
        return item
    if ":" in item:
        return graph.as_graph_element(item)
    tensor = graph.get_tensor_by_name(item + ":0")
    if len(tensor.op.outputs) > 1:
        raise ValueError(
            f"Name {item} is ambiguous, as this `Operation` has multiple outputs (at least 2)."
        )
    return tensor


def replace_monitors_with_hooks(monitors_or_hooks: Any, estimator: Any) -> list[Any]:
    """Replaces the monitors in a list with a single hook; keeps its other hooks.

    Args:
      monitors_or_hooks: a list, or None.
      estimator: the Estimator, passed on to the monitors.
    """
    items = monitors_or_hooks or []
    hooks = [x for x in items if isinstance(x, SessionRunHook)]
    monitors = [x for x in items if not isinstance(x, SessionRunHook)]
    if not estimator.config.is_chief:
        monitors = [x for x in monitors if x.run_on_all_workers]
    for monitor in monitors:
        monitor.set_estimator(estimator)
    return [*hooks, RunHookAdapterForMonitors(monitors)] if monitors else hooks
