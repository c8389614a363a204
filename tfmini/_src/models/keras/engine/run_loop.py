"""Training, evaluation and prediction loops: modes, callbacks, and aggregation of batches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import logs
from tfmini._src.models.keras.callbacks.callback import CallbackList
from tfmini._src.models.keras.callbacks.loggers import (
    BaseLogger,
    History,
    ProgbarLogger,
)
from tfmini._src.models.keras.engine.standardize_arrays import row_count

TRAIN, TEST, PREDICT = "train", "test", "predict"


def make_callbacks(callbacks: Any, model: Any, mode: str, **parameters: Any) -> CallbackList:
    """Returns the callbacks of a loop: the user's and, in training, BaseLogger and History."""
    if isinstance(callbacks, CallbackList):
        return callbacks
    if mode == TRAIN:
        model.history = History()
        # A sum: other sequences, and a callback without a list, raise TensorFlow's TypeError.
        callbacks = [BaseLogger()] + (callbacks or []) + [model.history]
    callback_list = CallbackList(callbacks)
    callback_list.set_model(model._callback_model())
    set_parameters(callback_list, model, mode, **parameters)
    callback_list.model.stop_training = False
    return callback_list


def set_parameters(
    callbacks: CallbackList,
    model: Any,
    mode: str,
    do_validation: bool = False,
    batch_size: Any = None,
    epochs: Any = None,
    steps_per_epoch: Any = None,
    samples: Any = None,
    verbose: Any = 0,
) -> None:
    """Sets the training parameters of the callbacks."""
    for callback in callbacks:
        if isinstance(callback, (BaseLogger, ProgbarLogger)):
            callback.stateful_metrics = set(model.metrics_names[1:])
    names: list[str] = []
    if mode != PREDICT and hasattr(model, "metrics_names"):
        names = list(model.metrics_names)
        if do_validation:
            names += ["val_" + name for name in model.metrics_names]
    callbacks.set_params(
        {
            "batch_size": batch_size,
            "epochs": epochs,
            "steps": steps_per_epoch,
            "samples": samples,
            "verbose": verbose,
            "do_validation": do_validation,
            "metrics": names,
        }
    )


def make_bar(model: Any, callbacks: CallbackList, count_mode: str, verbose: Any) -> ProgbarLogger:
    """Returns the progress bar of a loop."""
    names = model.metrics_names[1:] if hasattr(model, "metrics_names") else None
    bar = ProgbarLogger(count_mode, stateful_metrics=names)
    bar.params = callbacks.params
    bar.params["verbose"] = verbose
    return bar


def add_results(model: Any, entries: dict, results: Any, mode: str, prefix: str = "") -> None:
    """Adds the results of a batch or an epoch to its log entries."""
    if mode == PREDICT:
        entries["outputs"] = results
    else:
        entries.update((prefix + name, value) for name, value in zip(model.metrics_names, results))


class MetricsTotal:
    """Accumulates the mean loss over batches, and keeps the last values of metrics.

    Args:
      use_steps: whether to weight steps, rather than examples, equally.
      count: number of steps or examples; None if unknown.
    """

    def __init__(self, use_steps: bool, count: Any):
        self._use_steps = use_steps
        self.count = count
        self.results: list = []
        self._has_started = False

    def add(self, outs: list, start: int = 0, end: int = 0) -> None:
        """Adds the results of a batch."""
        weight = 1 if self._use_steps else end - start
        previous_total = self.results[0] if self._has_started else 0.0
        self._has_started = True
        self.results = [previous_total + np.float64(outs[0]) * weight, *outs[1:]]

    def finish(self) -> list:
        """Returns the results of an epoch; if it had no batches, the results of the previous epoch, as in Keras.

        Raises:
          ValueError: if there were no batches in any epoch.
        """
        self._has_started = False
        if not self.results:
            raise ValueError("Empty training data.")
        self.results[0] /= self.count
        return self.results


class OutputsTotal:
    """Concatenates the outputs of all batches.

    Args:
      use_steps: whether the number of examples is unknown in advance.
      count: the number of examples.
    """

    def __init__(self, use_steps: bool, count: Any):
        self._use_steps = use_steps
        self.count = count
        self._parts: list[list] = []

    def add(self, outs: list, start: int = 0, end: int = 0) -> None:
        """Adds the outputs of a batch.

        Raises:
          ValueError: if the row count of a single batch differs from the number of examples, or a later batch does
            not broadcast to the shape of the first.
          RuntimeError: if an output is a scalar.
        """
        if not self._parts:
            for out in outs:
                if isinstance(out, np.generic):
                    raise RuntimeError(f"Attempted to aggregate unsupported object {out}.")
            self._parts = [[] for _ in outs]
        for parts, out in zip(self._parts, outs):
            if not self._use_steps:
                out = self._broadcast_rows(out, end - start, parts[0] if parts else out)
            parts.append(out)

    def _broadcast_rows(self, out: Any, count: int, first: Any) -> Any:
        """Returns a batch's output, broadcast to `count` rows of the first output."""
        if isinstance(out, np.ndarray) and count != self.count:
            shape = (count, *first.shape[1:])
            if out.shape == shape:
                return out
            rows = np.empty(shape, first.dtype)
            rows[...] = out
            return rows
        if count != row_count(out):
            raise ValueError(
                "Mismatch between expected batch size and model output batch size. Output shape = "
                f"{out.shape}, expected output shape = shape {(count, *out.shape[1:])}"
            )
        return out

    def finish(self) -> list:
        """Returns the outputs of all batches; raises ValueError if there were none."""
        if not self._parts:
            raise ValueError("Structure is a scalar but len(flat_sequence) == 0 > 1")
        return [parts[0] if len(parts) == 1 else concat_outputs(parts) for parts in self._parts]


def concat_outputs(parts: list) -> Any:
    """Concatenates the outputs of several batches."""
    if hasattr(parts[0], "row_splits"):
        values = concat_outputs([part.values for part in parts])
        splits = parts[0].row_splits
        for part in parts[1:]:
            splits = np.concatenate([splits, part.row_splits[1:] + splits[-1]])
        return type(parts[0])(values, splits)
    if not hasattr(parts[0], "dense_shape"):
        return np.concatenate(parts, axis=0)
    indices, offset = [], 0
    for part in parts:
        part_indices = np.array(part.indices)
        part_indices[:, 0] += offset
        indices.append(part_indices)
        offset += part.dense_shape[0]
    shape = np.array(parts[0].dense_shape)
    shape[0] = offset
    values = np.concatenate([part.values for part in parts])
    return type(parts[0])(np.concatenate(indices), values, shape)


def run_loop(
    model: Any,
    mode: str,
    callback_list: CallbackList,
    bar: ProgbarLogger,
    epochs: range,
    run_epoch: Callable[[], list],
    start_again: Callable[[], None] | None,
    validate: Callable[[bool], list] | None,
    validation_freq: Any,
) -> Any:
    """Runs epochs with callbacks; returns the history in training, otherwise the last results.

    Args:
      run_epoch: function that runs an epoch and returns its results.
      start_again: function that restarts the data.
      validate: function that returns the validation results; its argument is whether another epoch follows.
      Other arguments are as in `Model.fit`.
    """
    callback_list.model.stop_training = False
    callback_list.call_all(mode, "begin")
    bar.on_train_begin()
    results: list = []
    for epoch in epochs:
        if callback_list.model.stop_training:
            break
        epoch_logs: dict[str, Any] = {}
        is_last = epoch == epochs[-1]
        model.reset_metrics()
        if mode == TRAIN:
            callback_list.on_epoch("begin", epoch, epoch_logs)
        bar.on_epoch_begin(epoch, epoch_logs)
        results = run_epoch()
        add_results(model, epoch_logs, results, mode)
        if validate is not None and _runs_validation(validation_freq, epoch):
            if not callback_list.model.stop_training:
                add_results(model, epoch_logs, validate(not is_last), mode, prefix="val_")
        if mode == TRAIN:
            callback_list.on_epoch("end", epoch, epoch_logs)
        bar.on_epoch_end(epoch, epoch_logs)
        if start_again is not None and not is_last:
            start_again()
    callback_list.call_all(mode, "end")
    if mode == TRAIN:
        return model.history
    return results[0] if len(results) == 1 else results


def warn_of_early_end(is_dataset: bool, steps_name: str, count: int) -> None:
    """Warns that the data ended before `count` batches, like Keras's graph mode loops."""
    source, this, use = "dataset iterator", "iterator", "need touse"
    if is_dataset:
        source, this, use = "dataset", "dataset", "need to use"
    logs.warning(
        f"Your {source} ran out of data; interrupting training. Make sure that your {this} can generate at least "
        f"`{steps_name} * epochs` batches (in this case, {count} batches). You may {use} the repeat() "
        "function when building your dataset."
    )


def _runs_validation(frequency: Any, epoch: int) -> bool:
    """Whether validation runs after an epoch."""
    if isinstance(frequency, int):
        if frequency < 1:
            raise ValueError("`validation_freq` can not be less than 1.")
        return (epoch + 1) % frequency == 0
    if not hasattr(frequency, "__contains__"):
        raise ValueError(
            "`validation_freq` must be an Integer or `collections_abc.Container` (e.g. list, tuple, etc.)"
        )
    return epoch + 1 in frequency
