"""`tf.contrib.slim.dataset`: description of a data set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.graph.tensor import TensorLike

if TYPE_CHECKING:
    from tfmini._src.contrib.slim.data.data_decoder import DataDecoder
    from tfmini._src.ops.queues.reader import ReaderBase


class Dataset:
    """Description of a data set: its files, reader, decoder, and items.

    Args:
      data_sources: file path with wildcards, or a list of them.
      reader: a reader class, e.g. `tf.TFRecordReader`.
      decoder: a DataDecoder.
      num_samples: number of examples.
      items_to_descriptions: a dict from item to description.
      **kwargs: additional attributes.

    Example:
      digits = slim.dataset.Dataset(
          "/tmp/mnist_*.tfrecord", tf.TFRecordReader, decoder, 60000, {"label": "0 to 9"}, num_classes=10
      )
    """

    def __init__(
        self,
        data_sources: str | Sequence[str],
        reader: type[ReaderBase],
        decoder: DataDecoder,
        num_samples: TensorLike,
        items_to_descriptions: Mapping[str, str],
        **kwargs: Any,
    ):
        self.data_sources = data_sources
        self.reader = reader
        self.decoder = decoder
        self.num_samples = num_samples
        self.items_to_descriptions = items_to_descriptions
        self.__dict__.update(kwargs)
