"""`tf.contrib.slim.dataset_data_provider`: reads the items of a Dataset, one example per step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfmini._src.contrib.slim.data.data_provider import DataProvider
from tfmini._src.contrib.slim.data.parallel_reader import parallel_read

if TYPE_CHECKING:
    from tfmini._src.contrib.slim.data.dataset import Dataset


class DatasetDataProvider(DataProvider):
    """Reads a Dataset in background threads, and decodes one record per step.

    Args:
      dataset: a `slim.dataset.Dataset`.
      num_readers: number of parallel readers; a single one with `shuffle=False` preserves the record order.
      reader_kwargs: keyword arguments of the reader class.
      shuffle: whether to shuffle files and records.
      num_epochs: number of epochs, which requires initialized local variables; None for unlimited.
      common_queue_capacity: capacity of the queue in records.
      common_queue_min: minimum number of records in a shuffling queue.
      record_key: name of the item with the record key.
      seed: shuffling seed.
      scope: name scope of the reading nodes.

    Raises:
      ValueError: if an item of the data set has the name `record_key`.

    Example:
      provider = slim.dataset_data_provider.DatasetDataProvider(digits, num_readers=4)
      image, label = provider.get(["image", "label"])
      images, labels = tf.train.batch([image, label], 32)
    """

    def __init__(
        self,
        dataset: Dataset,
        num_readers: int = 1,
        reader_kwargs: dict[str, Any] | None = None,
        shuffle: bool = True,
        num_epochs: int | None = None,
        common_queue_capacity: int = 256,
        common_queue_min: int = 128,
        record_key: str = "record_key",
        seed: int | None = None,
        scope: str | None = None,
    ):
        key, record = parallel_read(
            dataset.data_sources,
            reader_class=dataset.reader,
            num_epochs=num_epochs,
            num_readers=num_readers,
            reader_kwargs=reader_kwargs,
            shuffle=shuffle,
            capacity=common_queue_capacity,
            min_after_dequeue=common_queue_min,
            seed=seed,
            scope=scope,
        )
        items = dataset.decoder.list_items()
        tensors = dict(zip(items, dataset.decoder.decode(record, items)))
        if record_key in tensors:
            text = "The item name used for `record_key` cannot also be used for a dataset item: %s"
            raise ValueError(text, record_key)
        tensors[record_key] = key
        super().__init__(items_to_tensors=tensors, num_samples=dataset.num_samples)
