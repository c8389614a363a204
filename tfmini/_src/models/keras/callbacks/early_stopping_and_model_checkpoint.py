"""Callbacks that act on losses and metrics: stop training, save the model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import logs as messages
from tfmini._src.models.keras.callbacks.callback import Callback
from tfmini._src.models.keras.callbacks.newest_checkpoint import is_there, newest_file


def larger_is_better(what: str, mode: str, monitor: str, more: tuple = ()) -> bool:
    """Whether larger values are better."""
    if mode not in ("auto", "min", "max"):
        messages.warning(f"{what} mode %s is unknown, fallback to auto mode.", mode)
        mode = "auto"
    if mode == "auto":
        return "acc" in monitor or monitor.startswith(more)
    return mode == "max"


class EarlyStopping(Callback):
    """Stops training when a monitored value no longer improves.

    Args:
      monitor: name of the monitored value.
      min_delta: minimum improvement.
      patience: number of epochs without improvement before stopping.
      verbose: whether to print a message on stopping.
      mode: "min" or "max": direction of improvement; "auto": inferred from the name.
      baseline: value that must be improved on.
      restore_best_weights: whether to restore the weights of the best epoch.
    """

    def __init__(
        self,
        monitor: str = "val_loss",
        min_delta: float = 0,
        patience: int = 0,
        verbose: int = 0,
        mode: str = "auto",
        baseline: Any = None,
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
        grows = larger_is_better("EarlyStopping", mode, monitor)
        self.monitor_op: Callable = np.greater if grows else np.less
        self.min_delta = abs(min_delta) if grows else -abs(min_delta)

    def on_train_begin(self, logs: Any = None) -> None:
        """Resets the state."""
        self.wait = 0
        self.stopped_epoch = 0
        worst = -np.inf if self.monitor_op is np.greater else np.inf
        self.best = worst if self.baseline is None else self.baseline

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
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

    def on_train_end(self, logs: Any = None) -> None:
        """Reports the epoch at which training stopped."""
        if self.stopped_epoch > 0 and self.verbose > 0:
            print(f"Epoch {self.stopped_epoch + 1:05d}: early stopping")

    def get_monitor_value(self, logs: dict[str, Any] | None) -> Any:
        """The monitored value; None, with a warning, if there is none."""
        logs = logs or {}
        value = logs.get(self.monitor)
        if value is None:
            messages.warning(
                "Early stopping conditioned on metric `%s` which is not available. Available metrics are: %s",
                self.monitor,
                ",".join(logs),
            )
        return value


class ModelCheckpoint(Callback):
    """Saves the model after epochs.

    Args:
      filepath: path, in which {epoch} and value names are substituted: "{epoch:02d}-{val_loss:.2f}.h5".
      monitor: name of the value that determines the best model.
      verbose: whether to print.
      save_best_only: whether to save only improvements on all earlier epochs.
      save_weights_only: whether to save only the weights.
      mode: "min" or "max": direction of improvement; "auto": inferred from the name.
      save_freq: "epoch", or a number of examples.
      **kwargs: `period`: interval in epochs; `load_weights_on_restart`: whether training starts with the latest saved
        weights.

    Raises:
      ValueError: for another `save_freq`.
    """

    def __init__(
        self,
        filepath: str,
        monitor: str = "val_loss",
        verbose: int = 0,
        save_best_only: bool = False,
        save_weights_only: bool = False,
        mode: str = "auto",
        save_freq: Any = "epoch",
        **kwargs: Any,
    ):
        super().__init__()
        self.monitor = monitor
        self.verbose = verbose
        self.filepath = filepath
        self.save_best_only = save_best_only
        self.save_weights_only = save_weights_only
        self.save_freq = save_freq
        self.epochs_since_last_save = 0
        self._examples = 0
        self._epoch = 0
        self.period = kwargs.get("period", 1)
        self.load_weights_on_restart = kwargs.get("load_weights_on_restart", False)
        if "load_weights_on_restart" in kwargs:
            messages.warning(
                "`load_weights_on_restart` argument is deprecated. Please use `model.load_weights()` for loading "
                "weights before the start of `model.fit()`."
            )
        if "period" in kwargs:
            messages.warning(
                "`period` argument is deprecated. Please use `save_freq` to specify the frequency in number of samples "
                "seen."
            )
        grows = larger_is_better("ModelCheckpoint", mode, monitor, ("fmeasure",))
        self.monitor_op: Callable = np.greater if grows else np.less
        self.best = -np.inf if grows else np.inf
        if save_freq != "epoch" and not isinstance(save_freq, int):
            raise ValueError(f"Unrecognized save_freq: {save_freq}")

    def set_model(self, model: Any) -> None:
        """Sets the model; for a subclassed one, only the weights can be saved."""
        super().set_model(model)
        if not model._is_graph_network and type(model).__name__ != "Sequential":
            self.save_weights_only = True

    _get_most_recently_modified_file_matching_pattern = staticmethod(newest_file)

    def on_train_begin(self, logs: Any = None) -> None:
        """Loads the most recent weights, if asked to.

        Raises:
          ValueError: if they belong to another model.
        """
        if not self.load_weights_on_restart:
            return
        path = self._get_most_recently_modified_file_matching_pattern(self.filepath)
        if path is None or not is_there(path):
            return
        try:
            self.model.load_weights(path)
        except (OSError, ValueError) as error:
            raise ValueError(f"Error loading file from {path}. Reason: {error}") from error

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Records the epoch."""
        self._epoch = epoch

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """Saves, if the save frequency counts examples."""
        if isinstance(self.save_freq, int):
            self._examples += (logs or {}).get("size", 1)
            if self._examples >= self.save_freq:
                self._save(self._epoch, logs or {})
                self._examples = 0

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Saves, if due."""
        self.epochs_since_last_save += 1
        if self.save_freq == "epoch" and self.epochs_since_last_save >= self.period:
            self._save(epoch, logs or {})

    def _save(self, epoch: int, logs: dict[str, Any]) -> None:
        self.epochs_since_last_save = 0
        path = self.filepath.format(epoch=epoch + 1, **logs)
        text = f"\nEpoch {epoch + 1:05d}: "
        if self.save_best_only:
            current = logs.get(self.monitor)
            if current is None:
                messages.warning(
                    "Can save best model only with %s available, skipping.", self.monitor
                )
                return
            if not self.monitor_op(current, self.best):
                if self.verbose > 0:
                    print(f"{text}{self.monitor} did not improve from {self.best:0.5f}")
                return
            if self.verbose > 0:
                print(
                    f"{text}{self.monitor} improved from {self.best:0.5f} to {current:0.5f}, saving model to {path}"
                )
            self.best = current
        elif self.verbose > 0:
            print(f"{text}saving model to {path}")
        if self.save_weights_only:
            self.model.save_weights(path, overwrite=True)
        else:
            self.model.save(path, overwrite=True)
