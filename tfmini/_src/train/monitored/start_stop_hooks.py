"""Hooks that start and stop training: at a step, after another worker, or on NaN losses."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from tfmini._src.base import logs
from tfmini._src.train.global_step import global_step_read_for
from tfmini._src.train.monitored.session_run_hook import (
    SessionRunArgs,
    SessionRunContext,
    SessionRunHook,
    SessionRunValues,
)

if TYPE_CHECKING:
    from tfmini._src.graph.tensor import Tensor
    from tfmini._src.session.session import Session
    from tfmini._src.train.input_queues.coordinator import Coordinator


class StopAtStepHook(SessionRunHook):
    """Requests a stop after a number of steps, or at a global step.

    Args:
      num_steps: number of steps, counted from the start of the first session.
      last_step: the last global step, instead of a number.

    Raises:
      ValueError: if both or neither of them are given.
    """

    def __init__(self, num_steps: int | None = None, last_step: int | None = None):
        if num_steps is None and last_step is None:
            raise ValueError("One of num_steps or last_step must be specified.")
        if num_steps is not None and last_step is not None:
            raise ValueError("Only one of num_steps or last_step can be specified.")
        self._num_steps = num_steps
        self._last_step: Any = last_step

    def begin(self) -> None:
        """Looks up the global step; raises RuntimeError if the graph has no global step."""
        self._global_step_tensor = global_step_read_for("StopAtStepHook")

    def after_create_session(self, session: Session, coord: Coordinator) -> None:
        """Determines the first and last step on the first call."""
        if self._last_step is None:
            self._last_step = session.run(self._global_step_tensor) + self._num_steps

    def before_run(self, run_context: SessionRunContext) -> Any:
        """Requests the global step."""
        return SessionRunArgs(self._global_step_tensor)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Requests a stop after the last step."""
        if run_values.results + 1 >= self._last_step:  # the value may predate the step
            if run_context.session.run(self._global_step_tensor) >= self._last_step:
                run_context.request_stop()


class GlobalStepWaiterHook(SessionRunHook):
    """Delays the first step until other workers have reached a global step.

    Args:
      wait_until_step: the global step.
    """

    def __init__(self, wait_until_step: int):
        self._wait_until_step = wait_until_step

    def begin(self) -> None:
        """Looks up the global step; raises RuntimeError if the graph has no global step."""
        self._worker_is_started = False
        self._global_step_tensor = global_step_read_for("_GlobalStepWaiterHook")

    def before_run(self, run_context: SessionRunContext) -> None:
        """Waits, on the first call."""
        if self._worker_is_started:
            return
        if self._wait_until_step <= 0:
            self._worker_is_started = True
            return
        logs.info("Waiting for global step %d before starting training.", self._wait_until_step)
        last_logged_step = 0
        while True:
            step = run_context.session.run(self._global_step_tensor)
            if step >= self._wait_until_step:
                self._worker_is_started = True
                return
            if step - last_logged_step > 1000:
                logs.info(
                    "Waiting for global step %d before starting training. Current step is %d.",
                    self._wait_until_step,
                    step,
                )
                last_logged_step = step
            time.sleep(0.5)


class NanLossDuringTrainingError(RuntimeError):
    """Raised by NanTensorHook when the loss is NaN."""

    __module__ = "tfmini.train"  # its public module, printed in tracebacks

    def __str__(self) -> str:
        return "NaN loss during training."


class NanTensorHook(SessionRunHook):
    """Stops training when the loss is NaN.

    Args:
      loss_tensor: the loss, a scalar.
      fail_on_nan_loss: whether to raise NanLossDuringTrainingError rather than only stop.
    """

    def __init__(self, loss_tensor: Tensor, fail_on_nan_loss: bool = True):
        self._loss_tensor = loss_tensor
        self._fail_on_nan_loss = fail_on_nan_loss

    def before_run(self, run_context: SessionRunContext) -> Any:
        """Requests the loss."""
        return SessionRunArgs(self._loss_tensor)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Checks whether the loss is NaN."""
        if not np.isnan(run_values.results):
            return
        message = "Model diverged with loss = NaN."
        if self._fail_on_nan_loss:
            logs.error(message)
            raise NanLossDuringTrainingError
        logs.warning(message)
        run_context.request_stop()
