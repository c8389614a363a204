"""`tf.contrib.slim.data_provider`: interface to the items of examples as tensors."""

from __future__ import annotations

from collections.abc import KeysView, Sequence
from typing import Any

from tfmini._src.graph.tensor import TensorLike


class DataProvider:
    """Provides tensors by item name.

    Args:
      items_to_tensors: a dict from name to tensor.
      num_samples: number of examples, or None.
    """

    def __init__(self, items_to_tensors: dict[str, Any], num_samples: TensorLike):
        self._items_to_tensors = items_to_tensors
        self._num_samples = num_samples

    def get(self, items: Sequence[str]) -> list[Any]:
        """Returns the tensors of a list of items; raises ValueError for unknown items or other types."""
        self._validate_items(items)
        return [self._items_to_tensors[item] for item in items]

    def list_items(self) -> KeysView[str]:
        """Returns the names of all items."""
        return self._items_to_tensors.keys()

    def num_samples(self) -> Any:
        """Returns the number of examples."""
        return self._num_samples

    def _validate_items(self, items: Any) -> None:
        if not isinstance(items, list | tuple):
            raise ValueError("items must be a list or tuple")
        names = self.list_items()
        for item in items:
            if item not in names:
                raise ValueError(f"Item [{item}] is invalid. Valid entries include: {names}")
