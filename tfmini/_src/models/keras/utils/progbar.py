"""The progress bar displayed during training."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable
from typing import Any

import numpy as np

from tfmini._src.graph.tensor import TensorLike


class Progbar:
    """A progress bar on stdout, with timing and running means of values.

    Args:
      target: number of units; None if unknown.
      width: width of the bar in characters.
      verbose: 0: silent, 1: progress bar, 2: one line at the end.
      interval: minimum seconds between updates.
      stateful_metrics: names of values to display without averaging.
      unit_name: name of the unit: "step" or "sample".
    """

    def __init__(
        self,
        target: int,
        width: int = 30,
        verbose: int = 1,
        interval: float = 0.05,
        stateful_metrics: Iterable[str] | None = None,
        unit_name: str = "step",
    ):
        self.target = target
        self.width = width
        self.verbose = verbose
        self.interval = interval
        self.unit_name = unit_name
        self.stateful_metrics = set(stateful_metrics or ())
        terminal = hasattr(sys.stdout, "isatty") and sys.stdout.isatty()
        notebook = "ipykernel" in sys.modules or "posix" in sys.modules
        self._dynamic_display = terminal or notebook or "PYCHARM_HOSTED" in os.environ
        self._total_width = 0
        self._seen_so_far = 0
        self._values: dict[str, list] = {}
        self._start = time.time()
        self._last_update = 0.0

    def update(self, current: int, values: Any = None) -> None:
        """Displays progress.

        Args:
          current: number of finished units.
          values: pairs of a name and a value.
        """
        new = current - self._seen_so_far
        for key, value in values or ():
            if key in self.stateful_metrics:
                self._values[key] = [value, 1]
            elif key in self._values:
                self._values[key][0] += value * new
                self._values[key][1] += new
            else:
                self._values[key] = [value * new, new]
        self._seen_so_far = current
        now = time.time()
        if self.verbose == 1:
            waits = now - self._last_update < self.interval
            if waits and self.target is not None and current < self.target:
                return
            self._draw(current, now)
        elif self.verbose == 2 and self.target is not None and current >= self.target:
            line = self._count(current) + f" - {now - self._start:.0f}s"
            for key in self._values:
                mean = self._mean(key)
                line += f" - {key}:" + (f" {mean:.4f}" if mean > 0.001 else f" {mean:.4e}")
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
        self._last_update = now

    def add(self, n: int, values: TensorLike | None = None) -> None:
        """Adds `n` finished units."""
        self.update(self._seen_so_far + n, values)

    def _mean(self, key: str) -> Any:
        total, count = self._values[key]
        return np.mean(total / max(1, count))

    def _count(self, current: int) -> str:
        digits = int(np.log10(self.target)) + 1
        return f"{current:{digits}d}/{self.target:d}"

    def _bar(self, current: int) -> str:
        if self.target is None:
            return f"{current:7d}/Unknown"
        filled_width = int(self.width * float(current) / self.target)
        filled = (
            "=" * (filled_width - 1) + (">" if current < self.target else "=")
            if filled_width > 0
            else ""
        )
        return f"{self._count(current)} [{filled}{'.' * (self.width - filled_width)}]"

    def _time(self, current: int, now: float) -> str:
        per_unit = (now - self._start) / current if current else 0
        if self.target is not None and current < self.target:
            remaining = per_unit * (self.target - current)
            if remaining > 3600:
                return f" - ETA: {remaining // 3600:.0f}:{remaining % 3600 // 60:02.0f}:{int(remaining % 60):02d}"
            if remaining > 60:
                return f" - ETA: {remaining // 60:.0f}:{int(remaining % 60):02d}"
            return f" - ETA: {int(remaining)}s"
        info = f" - {now - self._start:.0f}s"
        if per_unit >= 1 or per_unit == 0:
            return info + f" {per_unit:.0f}s/{self.unit_name}"
        if per_unit >= 1e-3:
            return info + f" {per_unit * 1e3:.0f}ms/{self.unit_name}"
        return info + f" {per_unit * 1e6:.0f}us/{self.unit_name}"

    def _draw(self, current: int, now: float) -> None:
        previous_width = self._total_width
        sys.stdout.write("\b" * previous_width + "\r" if self._dynamic_display else "\n")
        bar = self._bar(current)
        info = self._time(current, now)
        for key in self._values:
            mean = self._mean(key)
            info += f" - {key}:" + (f" {mean:.4f}" if abs(mean) > 0.001 else f" {mean:.4e}")
        self._total_width = len(bar) + len(info)
        info += " " * max(0, previous_width - self._total_width)
        if self.target is not None and current >= self.target:
            info += "\n"
        sys.stdout.write(bar + info)
        sys.stdout.flush()
