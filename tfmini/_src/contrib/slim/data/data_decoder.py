"""`tf.contrib.slim.data_decoder`: interface of the decoding of records into items."""

from __future__ import annotations

import abc
from typing import Any

from tfmini._src.graph.tensor import TensorLike


class DataDecoder(abc.ABC):
    """Interface of decoders: tensors, by item name, from a record."""

    @abc.abstractmethod
    def decode(self, data: TensorLike, items: Any) -> Any:
        """The tensors of items.

        Args:
          data: a record, a scalar string Tensor.
          items: a list of names.
        """

    @abc.abstractmethod
    def list_items(self) -> Any:
        """The names of all items."""
