"""`tf.train.summary_iterator`: iterates over an event file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.errors import DataLossError
from tfmini._src.formats.record_reader_writer import RecordReader


def summary_iterator(path: str) -> Iterator[Any]:
    """Iterates over the events of an event file.

    Yields:
      `tf.Event` messages; the first one contains the format version as `file_version`.

    Raises:
      NotFoundError: at the first event, if the file does not exist.
      DataLossError: if it is damaged or not an event file; the message contains the file and the offset. An event of
        which only the first bytes exist may still be being written and ends the file.

    Example:

      for event in tf.train.summary_iterator("/tmp/log/events.out.tfevents.1700000000.host"):
          for value in event.summary.value:
              print(event.step, value.tag, value.simple_value)
    """
    with RecordReader(os.fsencode(path)) as records:
        for index, record in enumerate(records):
            try:
                yield proto.Event.FromString(record)
            except proto.parse_errors()[0] as error:
                text = f"{error}\nin record {index} of {os.fsdecode(path)}"
                raise DataLossError(None, None, text) from None
