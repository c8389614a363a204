"""Hook that displays the progress of a training session on the terminal."""

from __future__ import annotations

import os
import time
from collections import deque
from typing import Any

from tfmini._src.base import logs
from tfmini._src.graph.collections import get_collection
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.tensor import Tensor
from tfmini._src.train.global_step import get_global_step
from tfmini._src.train.monitored.progress_values import leaves, scalars_to_show
from tfmini._src.train.monitored.session_run_hook import SessionRunArgs, SessionRunHook
from tfmini._src.train.monitored.terminal_line import TerminalLine

_INTERVAL = 0.25  # seconds between lines


def is_progress_shown() -> bool:
    """Whether training sessions display progress, which they do on a terminal with INFO messages off."""
    return (
        os.environ.get("TFMINI_PROGRESS") != "0"
        and TerminalLine.is_free()
        and logs.get_verbosity() > logs.INFO
    )


class ProgressHook(SessionRunHook):
    """Displays the global step, the loss and the steps per second, four times per second.

    Adds neither nodes nor side effects.
    """

    def __init__(self) -> None:
        self._line: TerminalLine | None = None
        self._runs = 0
        self._due = 0.0
        self._values = ""
        # Time and step of each line.
        self._recent_steps: deque[tuple[float, int]] = deque(maxlen=20)
        self._scalars: dict[tuple[int, ...], list[Tensor]] = {}  # by the caller's fetches

    def begin(self) -> None:
        """Looks up the losses and the global step; without a global step, counts calls of `run`."""
        self._line = TerminalLine()
        self._global_step = get_global_step()
        self._losses = get_collection(GraphKeys.LOSSES)

    def before_run(self, run_context: Any) -> Any:
        """Requests the values to display next, when due."""
        self._runs += 1
        self._requested: list[Tensor] | None = None
        if time.monotonic() < self._due:
            return None
        fetched = list(leaves(run_context.original_args.fetches))
        key = tuple(map(id, fetched))
        if key not in self._scalars:
            self._scalars[key] = scalars_to_show(fetched, self._losses)
        self._requested = self._scalars[key]
        step = [] if self._global_step is None else [self._global_step]
        return SessionRunArgs([*self._requested, *step])

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Displays the values."""
        if self._requested is None:
            return
        *values, step = [*run_values.results, self._runs][: len(self._requested) + 1]
        sums: dict[str, float] = {}
        for tensor, value in zip(self._requested, values, strict=True):
            is_loss = any(tensor is loss for loss in self._losses)
            name = "loss" if is_loss else tensor.op.name.rpartition("/")[2]
            sums[name] = sums.get(name, 0.0) + float(value)
        self._values = "".join(f"  {name} {value:.4g}" for name, value in sums.items())
        self._show(int(step))
        self._due = time.monotonic() + _INTERVAL

    def end(self, session: Any) -> None:
        """Displays the last step."""
        step = self._runs if self._global_step is None else session.run(self._global_step)
        self._show(int(step))
        self.close()

    def close(self) -> None:
        """Ends the line, even after an error."""
        if self._line is not None:
            self._line.close()

    def _show(self, step: int) -> None:
        now = time.monotonic()
        self._recent_steps.append((now, step))
        start_time, first = self._recent_steps[0]
        speed = f"  {_rate((step - first) / (now - start_time))} steps/s" if step > first else ""
        if self._line is not None:
            self._line.show(f"step {step:,}{self._values}{speed}")


def _rate(steps: float) -> str:
    return f"{steps:,.0f}" if steps >= 100 else f"{steps:.3g}"
