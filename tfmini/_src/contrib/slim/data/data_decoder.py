"""`tf.contrib.slim.data_decoder`: interface for decoding records into items."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import Any

from tfmini._src.graph.tensor import TensorLike


class DataDecoder(abc.ABC):
    """Interface of decoders from records to tensors by item name."""

    @abc.abstractmethod
    def decode(self, data: TensorLike, items: Sequence[str]) -> Any:
        """Decodes a record into a list of item tensors.

        Args:
          data: a record, a scalar string Tensor.
          items: list of item names.
        """

    @abc.abstractmethod
    def list_items(self) -> Any:
        """Returns the names of all items."""
