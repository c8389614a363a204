"""`tf.contrib.slim.dataset_data_provider`: the items of a Dataset, one example per step."""

from __future__ import annotations

from typing import Any

from tfmini._src.contrib.slim.data.data_provider import DataProvider
from tfmini._src.contrib.slim.data.parallel_reader import parallel_read


class DatasetDataProvider(DataProvider):
    """Reads a Dataset in background threads, and decodes one record per step.

    Args:
      dataset: a `slim.dataset.Dataset`.
      num_readers: how many readers work at the same time; one, and `shuffle=False`, keep the order of the records.
      reader_kwargs: keywords of the reader's class.
      shuffle: whether files and records are mixed.
      num_epochs: how often the files are read, None forever; it needs local variables to be initialized.
      common_queue_capacity: how many records wait.
      common_queue_min: how many stay, when they are mixed, for others to be mixed with.
      record_key: the name of the item that is a record's key.
      seed: of the order.
      scope: a name scope of the nodes that read.

    Raises:
      ValueError: if an item of the data set has the name of the key.

    Example:
      provider = slim.dataset_data_provider.DatasetDataProvider(digits, num_readers=4)
      image, label = provider.get(["image", "label"])
      images, labels = tf.train.batch([image, label], 32)
    """

    def __init__(
        self,
        dataset: Any,
        num_readers: int = 1,
        reader_kwargs: Any = None,
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
