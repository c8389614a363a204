"""Callbacks that change the learning rate by epoch, or when a metric stops improving."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import logs as messages
from tfmini._src.models.keras.callbacks.callback import Callback
from tfmini._src.models.keras.callbacks.early_stopping import larger_is_better
from tfmini._src.nn.layers.backend.tensor_values import get_value, set_value


class LearningRateScheduler(Callback):
    """Sets the learning rate before each epoch.

    Args:
      schedule: function of the epoch (from 0) and optionally the current rate; returns a float.
      verbose: whether to print the rate.
    """

    def __init__(self, schedule: Callable[..., Any], verbose: int = 0):
        super().__init__()
        self.schedule = schedule
        self.verbose = verbose

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Sets the rate.

        Raises:
          ValueError: if the optimizer has no rate, or the function does not return a float.
        """
        if not hasattr(self.model.optimizer, "lr"):
            raise ValueError('Optimizer must have a "lr" attribute.')
        try:
            rate = self.schedule(epoch, float(get_value(self.model.optimizer.lr)))
        except TypeError:
            rate = self.schedule(epoch)
        if not isinstance(rate, (float, np.float32, np.float64)):
            raise ValueError('The output of the "schedule" function should be float.')
        set_value(self.model.optimizer.lr, rate)
        if self.verbose > 0:
            print(
                f"\nEpoch {epoch + 1:05d}: LearningRateScheduler reducing learning rate to {rate}."
            )

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Adds the rate to the logs."""
        if logs is not None:
            logs["lr"] = get_value(self.model.optimizer.lr)


class ReduceLROnPlateau(Callback):
    """Reduces the learning rate when a monitored value stops improving.

    Args:
      monitor: name of the monitored value.
      factor: multiplier of the rate, below 1.
      patience: number of epochs without improvement before a reduction.
      verbose: whether to print reductions.
      mode: "min" or "max": direction of improvement; "auto": inferred from the name.
      min_delta: minimum improvement.
      cooldown: number of epochs to ignore after a reduction.
      min_lr: minimum rate.
      **kwargs: `epsilon`, an alias of `min_delta`.

    Raises:
      ValueError: if the factor is not below 1.
    """

    def __init__(
        self,
        monitor: str = "val_loss",
        factor: float = 0.1,
        patience: int = 10,
        verbose: int = 0,
        mode: str = "auto",
        min_delta: float = 1e-4,
        cooldown: int = 0,
        min_lr: float = 0,
        **kwargs: Any,
    ):
        super().__init__()
        if factor >= 1.0:
            raise ValueError("ReduceLROnPlateau does not support a factor >= 1.0.")
        if "epsilon" in kwargs:
            min_delta = kwargs.pop("epsilon")
            messages.warning(
                "`epsilon` argument is deprecated and will be removed, use `min_delta` instead."
            )
        self.monitor = monitor
        self.factor = factor
        self.min_lr = min_lr
        self.min_delta = min_delta
        self.patience = patience
        self.verbose = verbose
        self.cooldown = cooldown
        self.mode = mode
        self._reset()

    def _reset(self) -> None:
        self._larger_is_better = larger_is_better(
            "Learning Rate Plateau Reducing", self.mode, self.monitor
        )
        if self.mode not in ("min", "max"):
            self.mode = "auto"  # so that the warning appears only once
        self.best = -np.inf if self._larger_is_better else np.inf
        self.cooldown_counter = 0
        self.wait = 0

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Resets the state."""
        self._reset()

    def in_cooldown(self) -> bool:
        """Whether the cooldown is active."""
        return self.cooldown_counter > 0

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Checks the monitored value."""
        logs = {} if logs is None else logs
        rate = self.model.optimizer.lr
        logs["lr"] = get_value(rate)
        current = logs.get(self.monitor)
        if current is None:
            messages.warning(
                "Reduce LR on plateau conditioned on metric `%s` which is not available. Available metrics are: %s",
                self.monitor,
                ",".join(logs),
            )
            return
        if self.in_cooldown():
            self.cooldown_counter -= 1
            self.wait = 0
        if self._larger_is_better:
            is_better = current > self.best + self.min_delta
        else:
            is_better = current < self.best - self.min_delta
        if is_better:
            self.best = current
            self.wait = 0
        elif not self.in_cooldown():
            self.wait += 1
            previous_rate = float(get_value(rate))
            if self.wait >= self.patience and previous_rate > self.min_lr:
                new = max(previous_rate * self.factor, self.min_lr)
                set_value(rate, new)
                if self.verbose > 0:
                    print(
                        f"\nEpoch {epoch + 1:05d}: ReduceLROnPlateau reducing learning rate to {new}."
                    )
                self.cooldown_counter = self.cooldown
                self.wait = 0
