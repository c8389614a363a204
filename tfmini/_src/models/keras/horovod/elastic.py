"""Elastic training of Keras models: states and their callbacks, `horovod.tensorflow.keras.elastic`."""

from __future__ import annotations

from typing import Any

from tfmini._src.distribute.horovod.elastic import TensorFlowKerasState, run
from tfmini._src.models.keras.callbacks.callback import Callback

__all__ = [
    "CommitStateCallback",
    "KerasState",
    "UpdateBatchStateCallback",
    "UpdateEpochStateCallback",
    "run",
]

KerasState = TensorFlowKerasState


class CommitStateCallback(Callback):
    """Commits a state after every `batches_per_commit` batches, and at the end of each epoch."""

    def __init__(self, state: Any, batches_per_commit: int = 1):
        super().__init__()
        self.state = state
        self.batches_per_commit = batches_per_commit
        self.batches_remaining = batches_per_commit

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """Commits the state if due."""
        self.batches_remaining -= 1
        if self.batches_remaining == 0:
            self._commit()

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Commits the state."""
        self._commit()

    def _commit(self) -> None:
        self.batches_remaining = self.batches_per_commit
        self.state.commit()


class UpdateBatchStateCallback(Callback):
    """Stores the number of finished batches (0 after an epoch) in `state.batch`; must precede commit callbacks."""

    def __init__(self, state: Any):
        super().__init__()
        self.state = state

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """Records the batch."""
        self.state.batch = batch + 1

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Resets the count."""
        self.state.batch = 0


class UpdateEpochStateCallback(Callback):
    """Stores the number of finished epochs in `state.epoch`, for `fit(initial_epoch=state.epoch)`."""

    def __init__(self, state: Any):
        super().__init__()
        self.state = state

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Records the epoch."""
        self.state.epoch = epoch + 1
