"""Callbacks, which are hooks into training, evaluation and prediction, and lists of callbacks."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from functools import partialmethod
from typing import Any

import numpy as np

from tfmini._src.base import logs as messages


class Callback:
    """Base class of callbacks; subclasses override the methods of events.

    Attributes:
      params: dict of training parameters: "epochs", "samples", "steps", "verbose", "metrics" ...
      model: the model.
    """

    def __init__(self) -> None:
        self.validation_data = None
        self.model: Any = None
        self.params: dict[str, Any] = {}

    def set_params(self, params: dict[str, Any]) -> None:
        """Sets the training parameters."""
        self.params = params

    def set_model(self, model: Any) -> None:
        """Sets the model."""
        self.model = model

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Called before an epoch, counted from 0."""

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Called after an epoch; `logs` contains loss and metrics, with validation results as "val_loss" ..."""

    def on_batch_begin(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Called before a training batch; `logs` contains "batch" and "size"."""

    def on_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Called after a training batch; `logs` also contains loss and metrics."""

    def on_train_batch_begin(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Called before a training batch."""
        self.on_batch_begin(batch, logs=logs)

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Called after a training batch."""
        self.on_batch_end(batch, logs=logs)

    def on_test_batch_begin(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Called before an evaluation batch."""

    def on_test_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Called after an evaluation batch."""

    def on_predict_batch_begin(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Called before a prediction batch."""

    def on_predict_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Called after a prediction batch; `logs` contains "outputs"."""

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Called before training."""

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        """Called after training."""

    def on_test_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Called before an evaluation, including validation."""

    def on_test_end(self, logs: dict[str, Any] | None = None) -> None:
        """Called after an evaluation."""

    def on_predict_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Called before predictions."""

    def on_predict_end(self, logs: dict[str, Any] | None = None) -> None:
        """Called after predictions."""


class CallbackList:
    """Calls several callbacks in order.

    Args:
      callbacks: list of callbacks.
    """

    def __init__(self, callbacks: Any = None):
        self.callbacks = list(callbacks or ())
        self.params: dict[str, Any] = {}
        self.model: Any = None
        self._hook_times: dict[str, deque] = {}
        self._batch_start = self._batch_time = 0.0

    def set_params(self, params: dict[str, Any]) -> None:
        """Sets the training parameters of all callbacks."""
        self.params = params
        for callback in self.callbacks:
            callback.set_params(params)

    def set_model(self, model: Any) -> None:
        """Sets the model of all callbacks."""
        self.model = model
        for callback in self.callbacks:
            callback.set_model(model)

    def append(self, callback: Any) -> None:
        """Appends a callback."""
        self.callbacks.append(callback)

    def on_batch(self, mode: str, hook: str, batch: int, logs: Any = None) -> None:
        """Calls and times `on_{mode}_batch_{hook}` of all callbacks; warns if the calls take longer than the batch."""
        if not self.callbacks:
            return
        start = time.time()
        if hook == "begin":
            self._batch_start = start
        else:
            self._batch_time = start - self._batch_start
        name = f"on_{mode}_batch_{hook}"
        logs = {} if logs is None else logs
        for callback in self.callbacks:
            getattr(callback, name)(batch, logs)
        duration = time.time() - start
        times = self._hook_times.setdefault(name, deque([], maxlen=10))
        times.append(duration)
        if duration > 0.1 and self._batch_time > 0.0:
            median = np.median(times)
            if median > 0.95 * self._batch_time and median > 0.1:
                messages.warning(
                    "Method (%s) is slow compared to the batch update (%f). Check your callbacks.",
                    name,
                    median,
                )

    def on_epoch(self, hook: str, epoch: int, logs: Any = None) -> None:
        """Calls `on_epoch_begin` or `on_epoch_end` of all callbacks."""
        logs = {} if logs is None else logs
        for callback in self.callbacks:
            getattr(callback, f"on_epoch_{hook}")(epoch, logs)
        if hook == "begin":
            self._hook_times.clear()
            self._batch_time = 0.0

    def call_all(self, mode: str, hook: str, logs: Any = None) -> None:
        """Calls `on_{mode}_begin` or `on_{mode}_end` of all callbacks."""
        for callback in self.callbacks:
            getattr(callback, f"on_{mode}_{hook}")(logs)

    # For custom training loops: the events under the callbacks' method names.
    on_epoch_begin = partialmethod(on_epoch, "begin")
    on_epoch_end = partialmethod(on_epoch, "end")
    on_batch_begin = on_train_batch_begin = partialmethod(on_batch, "train", "begin")
    on_batch_end = on_train_batch_end = partialmethod(on_batch, "train", "end")
    on_test_batch_begin = partialmethod(on_batch, "test", "begin")
    on_test_batch_end = partialmethod(on_batch, "test", "end")
    on_predict_batch_begin = partialmethod(on_batch, "predict", "begin")
    on_predict_batch_end = partialmethod(on_batch, "predict", "end")
    on_train_begin = partialmethod(call_all, "train", "begin")
    on_train_end = partialmethod(call_all, "train", "end")
    on_test_begin = partialmethod(call_all, "test", "begin")
    on_test_end = partialmethod(call_all, "test", "end")
    on_predict_begin = partialmethod(call_all, "predict", "begin")
    on_predict_end = partialmethod(call_all, "predict", "end")

    def __iter__(self) -> Iterator[Any]:
        return iter(self.callbacks)
