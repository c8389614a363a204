"""A callback that calls functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.models.keras.callbacks.callback import Callback


class LambdaCallback(Callback):
    """A callback that calls the given functions.

    Args:
      on_epoch_begin, on_epoch_end, on_batch_begin, on_batch_end: functions of an index and a dict.
      on_train_begin, on_train_end: functions of a dict.
      **kwargs: other attributes.
    """

    def __init__(
        self,
        on_epoch_begin: Callable[..., Any] | None = None,
        on_epoch_end: Callable[..., Any] | None = None,
        on_batch_begin: Callable[..., Any] | None = None,
        on_batch_end: Callable[..., Any] | None = None,
        on_train_begin: Callable[..., Any] | None = None,
        on_train_end: Callable[..., Any] | None = None,
        **kwargs: Any,
    ):
        super().__init__()
        values = {
            "on_epoch_begin": on_epoch_begin,
            "on_epoch_end": on_epoch_end,
            "on_batch_begin": on_batch_begin,
            "on_batch_end": on_batch_end,
            "on_train_begin": on_train_begin,
            "on_train_end": on_train_end,
        }
        vars(self).update(kwargs)
        vars(self).update({name: f for name, f in values.items() if f is not None})
