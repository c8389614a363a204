"""Callbacks for all-reduce training: `horovod.tensorflow.keras.callbacks`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.distribute.horovod.basics import rank, size
from tfmini._src.distribute.horovod.collectives import (
    broadcast_global_variables,
    broadcast_variables,
)
from tfmini._src.distribute.horovod.ops import reductions
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.scopes import device
from tfmini._src.models.keras.callbacks.callback import Callback
from tfmini._src.models.keras.callbacks.model_checkpoint import ModelCheckpoint
from tfmini._src.nn.layers.backend.session import get_session
from tfmini._src.nn.layers.backend.tensor_values import get_value, set_value

__all__ = [
    "BestModelCheckpoint",
    "BroadcastGlobalVariablesCallback",
    "LearningRateScheduleCallback",
    "LearningRateWarmupCallback",
    "MetricAverageCallback",
]


class BroadcastGlobalVariablesCallback(Callback):
    """Broadcasts the variables of one process after the first batch, when the optimizer's variables exist.

    Args:
      root_rank: rank of the broadcasting process.
      device: device of the broadcast.
    """

    def __init__(self, root_rank: int, device: str = ""):
        super().__init__()
        self.root_rank = root_rank
        self.device = device
        self.broadcast_done = False

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """Broadcasts the variables after the first batch."""
        if self.broadcast_done:
            return
        self.broadcast_done = True
        with device(self.device or None):
            if executing_eagerly():
                variables = [*self.model.variables, *self.model.optimizer.variables()]
                broadcast_variables(variables, self.root_rank)
            else:
                get_session().run(broadcast_global_variables(self.root_rank))


class MetricAverageCallback(Callback):
    """Averages metrics over all processes at the end of an epoch, for the callbacks that follow.

    device: ignored; metrics are numbers in host memory.
    """

    def __init__(self, device: str = ""):
        super().__init__()

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Replaces the metrics in `logs` by their averages."""
        job = reductions()
        if not logs or job is None:
            return
        names = sorted(logs)
        values = np.array([float(logs[name]) for name in names])
        total = job.sum(f"metrics {' '.join(names)}", values)
        logs.update(zip(names, (total / job.size).tolist()))


class LearningRateScheduleCallback(Callback):
    """Sets the learning rate to `initial_lr * multiplier` in epochs `start_epoch` <= epoch < `end_epoch`.

    Args:
      initial_lr: the initial rate, by default the optimizer's at the start of training.
      multiplier: a factor, or a function from the epoch to the factor.
      start_epoch, end_epoch: range of epochs; None for unlimited `end_epoch`.
      staircase: whether to change the rate at the first batch of an epoch only, instead of at every batch with
        a fractional epoch.
      momentum_correction: whether to scale the momentum by the relative change of the rate, for one batch.
      steps_per_epoch: number of batches per epoch, if unknown to Keras.

    Raises:
      ValueError: if the multiplier is missing.
    """

    def __init__(
        self,
        initial_lr: float | None = None,
        multiplier: float | Callable[[float], float] | None = None,
        start_epoch: int = 0,
        end_epoch: int | None = None,
        staircase: bool = True,
        momentum_correction: bool = True,
        steps_per_epoch: int | None = None,
    ):
        super().__init__()
        if multiplier is None:  # before Horovod 0.21 it came first, without an initial rate
            initial_lr, multiplier = None, initial_lr
        if multiplier is None:
            raise ValueError("Parameter `multiplier` is required")
        self.initial_lr = initial_lr
        self.start_epoch = start_epoch
        self.end_epoch = end_epoch
        self.momentum_correction = momentum_correction
        self.steps_per_epoch = steps_per_epoch
        self.current_epoch = 0
        self._momentum = 0.0
        if callable(multiplier):
            self.staircase, self.multiplier = staircase, multiplier
        else:
            factor = multiplier
            self.staircase, self.multiplier = True, lambda epoch: factor

    def on_train_begin(self, logs: Any = None) -> None:
        """Determines the default rate and the number of steps per epoch.

        Raises:
          ValueError: if the number of steps per epoch is unknown.
        """
        if self.initial_lr is None:
            self.initial_lr = get_value(self.model.optimizer.lr)
        if self.staircase or self.steps_per_epoch:
            return
        params = self.params
        if params.get("steps"):
            self.steps_per_epoch = params["steps"]
        elif params.get("samples") and params.get("batch_size"):
            self.steps_per_epoch = params["samples"] // params["batch_size"]
        else:
            raise ValueError(
                "Could not autodetect the number of steps per epoch. Please specify the steps_per_epoch parameter to "
                f"the {type(self).__name__}() or upgrade to the latest version of Keras."
            )

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Records the epoch."""
        self.current_epoch = epoch

    def on_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Sets the rate."""
        epoch = self.current_epoch
        if epoch < self.start_epoch or (self.end_epoch is not None and epoch >= self.end_epoch):
            return
        if not self.staircase:
            self._set_rate(epoch + batch / (self.steps_per_epoch or 1))
        elif batch == 0:
            self._set_rate(epoch)

    def _set_rate(self, epoch: float) -> None:
        optimizer = self.model.optimizer
        previous_rate = get_value(optimizer.lr)
        rate = (self.initial_lr or 0.0) * self.multiplier(epoch)
        set_value(optimizer.lr, rate)
        if self.momentum_correction and hasattr(optimizer, "momentum"):
            self._momentum = get_value(optimizer.momentum)
            set_value(optimizer.momentum, self._momentum * rate / previous_rate)

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """Restores the momentum."""
        if self._momentum:
            set_value(self.model.optimizer.momentum, self._momentum)
            self._momentum = 0.0

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Adds the rate to the logs, as `lr`."""
        if logs is not None:
            logs["lr"] = get_value(self.model.optimizer.lr)


class LearningRateWarmupCallback(LearningRateScheduleCallback):
    """Increases the learning rate from `initial_lr / hvd.size()` to `initial_lr`, batch by batch.

    Goyal et al., "Accurate, Large Minibatch SGD: Training ImageNet in 1 Hour" (2017), section 2.2.

    Args:
      initial_lr: the final rate, by default the optimizer's at the start of training.
      warmup_epochs: number of warm-up epochs.
      momentum_correction, steps_per_epoch: as in `LearningRateScheduleCallback`.
      verbose: whether rank 0 prints the final rate.
    """

    def __init__(
        self,
        initial_lr: float | None = None,
        warmup_epochs: int = 5,
        momentum_correction: bool = True,
        steps_per_epoch: int | None = None,
        verbose: int = 0,
    ):
        def multiplier(epoch: float) -> float:
            # At the start of the next batch.
            finished_epochs = epoch + 1.0 / (self.steps_per_epoch or 1)
            return (finished_epochs * (size() - 1) / warmup_epochs + 1) / size()

        super().__init__(
            initial_lr, multiplier, 0, warmup_epochs, False, momentum_correction, steps_per_epoch
        )
        self.verbose = verbose

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Adds the rate to the logs; prints it after the last warm-up epoch."""
        super().on_epoch_end(epoch, logs)
        if self.verbose > 0 and rank() == 0 and epoch + 1 == self.end_epoch:
            rate = get_value(self.model.optimizer.lr)
            print(f"\nEpoch {epoch + 1}: finished gradual learning rate warmup to {rate:g}.")


class BestModelCheckpoint(ModelCheckpoint):
    """Saves the best model according to `monitor`; the program sets `filepath` before training.

    Args:
      monitor, verbose, mode, save_freq: as in `tf.keras.callbacks.ModelCheckpoint`.
    """

    def __init__(
        self,
        monitor: str = "val_loss",
        verbose: int = 0,
        mode: str = "auto",
        save_freq: Any = "epoch",
    ):
        super().__init__("", monitor, verbose, True, False, mode, save_freq)
