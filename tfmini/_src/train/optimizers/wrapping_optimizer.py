"""Base class of optimizers that keep their variables in another optimizer."""

from __future__ import annotations

from typing import Any

from tfmini._src.train.optimizers.optimizer import Optimizer


class WrappingOptimizer(Optimizer):
    """An optimizer whose gradients and slots are those of another, `_opt`."""

    _opt: Optimizer

    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any:
        """Delegates to the wrapped optimizer."""
        return self._opt.compute_gradients(*args, **kwargs)

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """Delegates to the wrapped optimizer."""
        return self._opt.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any:
        """Delegates to the wrapped optimizer."""
        return self._opt.get_slot_names(*args, **kwargs)
