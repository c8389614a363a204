"""Stops training on NaN losses."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.models.keras.callbacks.callback import Callback


class TerminateOnNaN(Callback):
    """Stops training when a batch loss is not finite."""

    def on_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Checks the loss."""
        loss = (logs or {}).get("loss")
        if loss is not None and not np.isfinite(loss):
            print(f"Batch {batch}: Invalid loss, terminating training")
            self.model.stop_training = True
