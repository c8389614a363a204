"""Documents as rows of bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from tfmini._src.base.names.deprecation import deprecated


class ByteProcessor:
    """Maps documents to rows of bytes, uint8, of one length: cut, or filled with zeros.

    Args:
      max_document_length: the length of a row.

    Example:
      processor = tf.contrib.learn.preprocessing.ByteProcessor(4)
      next(processor.transform(["abc"]))  # [97, 98, 99, 0]
    """

    @deprecated(None, "Please use tensorflow/transform or tf.data.")
    def __init__(self, max_document_length: int) -> None:
        self.max_document_length = max_document_length

    def fit(self, x: Any) -> None:
        """Does nothing: there is nothing to learn."""

    def fit_transform(self, x: Iterable[str | bytes]) -> Iterator[np.ndarray]:
        """The same as `transform`."""
        return self.transform(x)

    def reverse(self, x: Iterable[np.ndarray]) -> Iterator[str]:
        """Yields the text of each row, "" where it is no UTF-8."""
        for row in x:
            try:
                yield np.trim_zeros(row.astype(np.int8), trim="b").tobytes().decode()
            except UnicodeDecodeError:
                yield ""

    def transform(self, x: Iterable[str | bytes]) -> Iterator[np.ndarray]:
        """Yields a row for each document, text or bytes."""
        for document in x:
            data = document.encode() if isinstance(document, str) else document
            row = np.frombuffer(memoryview(data)[: self.max_document_length], np.uint8)
            yield np.pad(row, (0, self.max_document_length - len(row)))
