"""Early stopping of training."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import logs as messages
from tfmini._src.models.keras.callbacks.callback import Callback


def larger_is_better(title: str, mode: str, monitor: str, prefixes: tuple = ()) -> bool:
    """Whether larger values are better, according to `mode` or the name of the value."""
    if mode not in ("auto", "min", "max"):
        messages.warning(f"{title} mode %s is unknown, fallback to auto mode.", mode)
        mode = "auto"
    if mode == "auto":
        return "acc" in monitor or monitor.startswith(prefixes)
    return mode == "max"


class EarlyStopping(Callback):
    """Stops training when a monitored value no longer improves.

    Args:
      monitor: name of the monitored value.
      min_delta: minimum improvement.
      patience: number of epochs without improvement before stopping.
      verbose: whether to print a message on stopping.
      mode: "min" or "max": direction of improvement; "auto": inferred from the name.
      baseline: value to improve on.
      restore_best_weights: whether to restore the weights of the best epoch.
    """

    def __init__(
        self,
        monitor: str = "val_loss",
        min_delta: float = 0,
        patience: int = 0,
        verbose: int = 0,
        mode: str = "auto",
        baseline: float | None = None,
        restore_best_weights: bool = False,
    ):
        super().__init__()
        self.monitor = monitor
        self.patience = patience
        self.verbose = verbose
        self.baseline = baseline
        self.wait = 0
        self.stopped_epoch = 0
        self.restore_best_weights = restore_best_weights
        self.best_weights: Any = None
        is_larger_better = larger_is_better("EarlyStopping", mode, monitor)
        self.monitor_op: Callable = np.greater if is_larger_better else np.less
        self.min_delta = abs(min_delta) if is_larger_better else -abs(min_delta)

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Resets the state."""
        self.wait = 0
        self.stopped_epoch = 0
        worst = -np.inf if self.monitor_op is np.greater else np.inf
        self.best = worst if self.baseline is None else self.baseline

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Checks the monitored value."""
        current = self.get_monitor_value(logs)
        if current is None:
            return
        if self.monitor_op(current - self.min_delta, self.best):
            self.best = current
            self.wait = 0
            if self.restore_best_weights:
                self.best_weights = self.model.get_weights()
            return
        self.wait += 1
        if self.wait >= self.patience:
            self.stopped_epoch = epoch
            self.model.stop_training = True
            if self.restore_best_weights:
                if self.verbose > 0:
                    print("Restoring model weights from the end of the best epoch.")
                self.model.set_weights(self.best_weights)

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        """Reports the epoch at which training stopped."""
        if self.stopped_epoch > 0 and self.verbose > 0:
            print(f"Epoch {self.stopped_epoch + 1:05d}: early stopping")

    def get_monitor_value(self, logs: dict[str, Any] | None) -> Any:
        """Returns the monitored value; warns and returns None if missing."""
        logs = logs or {}
        value = logs.get(self.monitor)
        if value is None:
            messages.warning(
                "Early stopping conditioned on metric `%s` which is not available. Available metrics are: %s",
                self.monitor,
                ",".join(logs),
            )
        return value
