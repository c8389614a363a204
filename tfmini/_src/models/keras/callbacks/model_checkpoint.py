"""Saves models during training."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import logs as messages
from tfmini._src.models.keras.callbacks.callback import Callback
from tfmini._src.models.keras.callbacks.early_stopping import larger_is_better
from tfmini._src.models.keras.callbacks.newest_checkpoint import newest_file, path_exists


class ModelCheckpoint(Callback):
    """Saves the model after epochs.

    Args:
      filepath: path template with {epoch} and value names: "{epoch:02d}-{val_loss:.2f}.h5".
      monitor: name of the value that determines the best model.
      verbose: whether to print saves.
      save_best_only: whether to save only if the epoch is the best so far.
      save_weights_only: whether to save only the weights.
      mode: "min" or "max": direction of improvement; "auto": inferred from the name.
      save_freq: "epoch", or a number of examples.
      **kwargs: `period`: interval in epochs; `load_weights_on_restart`: whether to start training from the
        latest saved weights.

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
        save_freq: str | int = "epoch",
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
        is_larger_better = larger_is_better("ModelCheckpoint", mode, monitor, ("fmeasure",))
        self.monitor_op: Callable = np.greater if is_larger_better else np.less
        self.best = -np.inf if is_larger_better else np.inf
        if save_freq != "epoch" and not isinstance(save_freq, int):
            raise ValueError(f"Unrecognized save_freq: {save_freq}")

    def set_model(self, model: Any) -> None:
        """Sets the model; for a subclassed model, only weights are saved."""
        super().set_model(model)
        if not model._is_graph_network and type(model).__name__ != "Sequential":
            self.save_weights_only = True

    _get_most_recently_modified_file_matching_pattern = staticmethod(newest_file)

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Loads the latest saved weights if `load_weights_on_restart`.

        Raises:
          ValueError: if the weights do not match the model.
        """
        if not self.load_weights_on_restart:
            return
        path = self._get_most_recently_modified_file_matching_pattern(self.filepath)
        if path is None or not path_exists(path):
            return
        try:
            self.model.load_weights(path)
        except (OSError, ValueError) as error:
            raise ValueError(f"Error loading file from {path}. Reason: {error}") from error

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Records the epoch."""
        self._epoch = epoch

    def on_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Saves if `save_freq` is a number of examples that has been reached."""
        if isinstance(self.save_freq, int):
            self._examples += (logs or {}).get("size", 1)
            if self._examples >= self.save_freq:
                self._save(self._epoch, logs or {})
                self._examples = 0

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Saves if due."""
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
