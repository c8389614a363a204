"""Logging callbacks: History, BaseLogger, ProgbarLogger, CSVLogger, RemoteMonitor."""

from __future__ import annotations

import csv
import json
import os
import urllib.parse
import urllib.request
from collections.abc import Iterable
from typing import Any

import numpy as np

from tfmini._src.base import logs as messages
from tfmini._src.models.keras.callbacks.callback import Callback
from tfmini._src.models.keras.utils.progbar import Progbar


class History(Callback):
    """Records the losses and metrics of each epoch; returned by `fit`.

    Attributes:
      epoch: epoch indices.
      history: lists of values, by name.
    """

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Clears earlier records."""
        self.epoch: list[int] = []
        self.history: dict[str, list] = {}

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Adds the epoch's values."""
        self.epoch.append(epoch)
        for key, value in (logs or {}).items():
            self.history.setdefault(key, []).append(value)


class BaseLogger(Callback):
    """Adds means over an epoch's batches to the logs; `fit` adds this callback.

    Args:
      stateful_metrics: names of values to log without averaging.
    """

    def __init__(self, stateful_metrics: Iterable[str] | None = None):
        super().__init__()
        self.stateful_metrics = set(stateful_metrics or ())
        self.seen = 0
        self.totals: dict[str, Any] = {}

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Resets the totals."""
        self.seen = 0
        self.totals = {}

    def on_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Accumulates a batch."""
        logs = logs or {}
        size = logs.get("size", 0)
        self.seen += size * logs.get("num_steps", 1)
        for key, value in logs.items():
            if key in self.stateful_metrics:
                self.totals[key] = value
            else:
                wide_value = (
                    np.float64(value) if isinstance(value, np.float16 | np.float32) else value
                )
                self.totals[key] = self.totals.get(key, 0) + wide_value * size

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Writes the means into `logs`."""
        if logs is None:
            return
        for key in self.params["metrics"]:
            if key in self.totals:
                total = self.totals[key]
                logs[key] = total if key in self.stateful_metrics else total / self.seen


class ProgbarLogger(Callback):
    """Prints a progress bar per epoch.

    Args:
      count_mode: "samples" or "steps": unit of progress.
      stateful_metrics: names of values to show without averaging.

    Raises:
      ValueError: for another mode.
    """

    def __init__(self, count_mode: str = "samples", stateful_metrics: Iterable[str] | None = None):
        super().__init__()
        if count_mode not in ("samples", "steps"):
            raise ValueError("Unknown `count_mode`: " + str(count_mode))
        self.use_steps = count_mode == "steps"
        self.stateful_metrics = set(stateful_metrics or ())
        self.log_values: list = []

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Reads the verbosity and number of epochs."""
        self.verbose = self.params["verbose"]
        self.epochs = self.params["epochs"]

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Starts a bar."""
        self.seen = 0
        self.target = self.params["steps" if self.use_steps else "samples"]
        if self.verbose and self.epochs > 1:
            print(f"Epoch {epoch + 1}/{self.epochs}")
        self.progbar = Progbar(
            target=self.target,
            verbose=self.verbose,
            stateful_metrics=self.stateful_metrics,
            unit_name="step" if self.use_steps else "sample",
        )

    def on_batch_begin(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Clears the values of the previous batch."""
        self.log_values = []

    def on_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Shows the batch's values."""
        logs = logs or {}
        steps = logs.get("num_steps", 1)
        self.seen += steps if self.use_steps else logs.get("size", 0) * steps
        if not self.verbose:
            return
        self._note(logs)
        if self.target is None or self.seen < self.target:
            self.progbar.update(self.seen, self.log_values)

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Shows the epoch's values."""
        if self.verbose:
            self._note(logs or {})
            self.progbar.update(self.seen, self.log_values)

    def _note(self, logs: dict[str, Any]) -> None:
        self.log_values += [(key, logs[key]) for key in self.params["metrics"] if key in logs]


class CSVLogger(Callback):
    """Writes the losses and metrics of each epoch to a CSV file.

    Args:
      filename: path of the file.
      separator: separator of values.
      append: whether to append to an existing file.
    """

    def __init__(self, filename: str, separator: str = ",", append: bool = False):
        super().__init__()
        self.sep = separator
        self.filename = filename
        self.append = append
        self.writer: Any = None
        self.keys: list[str] | None = None
        self.append_header = True

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Opens the file."""
        if self.append and os.path.exists(self.filename):
            with open(self.filename) as file:
                self.append_header = not bool(len(file.readline()))
        self.csv_file = open(self.filename, "a" if self.append else "w", newline="")

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Writes a line."""
        logs = logs or {}
        if self.keys is None:
            self.keys = sorted(logs)
        if self.model.stop_training:
            logs = {key: logs.get(key, "NA") for key in self.keys}
        if self.writer is None:
            self.writer = csv.DictWriter(
                self.csv_file,
                fieldnames=["epoch", *self.keys],
                delimiter=self.sep,
                lineterminator="\n",
            )
            if self.append_header:
                self.writer.writeheader()
        row = {"epoch": epoch, **{key: _as_text(logs[key]) for key in self.keys}}
        self.writer.writerow(row)
        self.csv_file.flush()

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        """Closes the file."""
        self.csv_file.close()
        self.writer = None


def _as_text(value: Any) -> Any:
    if isinstance(value, str) or (isinstance(value, np.ndarray) and value.ndim == 0):
        return value
    if isinstance(value, Iterable):
        return f'"[{", ".join(map(str, value))}]"'
    return value


class RemoteMonitor(Callback):
    """Sends the losses and metrics of each epoch to a server by HTTP POST.

    Args:
      root: URL of the server.
      path: path on the server.
      field: form field for the JSON.
      headers: a dict of HTTP headers.
      send_as_json: whether to send plain JSON instead of a form.
    """

    def __init__(
        self,
        root: str = "http://localhost:9000",
        path: str = "/publish/epoch/end/",
        field: str = "data",
        headers: dict[str, str] | None = None,
        send_as_json: bool = False,
    ):
        super().__init__()
        self.root = root
        self.path = path
        self.field = field
        self.headers = headers
        self.send_as_json = send_as_json

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Sends the values; warns if the server is unreachable."""
        send = {"epoch": epoch, **{k: float(v) for k, v in (logs or {}).items()}}
        text = json.dumps(send)
        content_type = "application/json"
        if not self.send_as_json:
            text = urllib.parse.urlencode({self.field: text})
            content_type = "application/x-www-form-urlencoded"
        headers = {"Content-Type": content_type, **(self.headers or {})}
        request = urllib.request.Request(self.root + self.path, text.encode(), headers)
        try:
            urllib.request.urlopen(request).close()
        except OSError:
            messages.warning(
                "Warning: could not reach RemoteMonitor root server at " + str(self.root)
            )
