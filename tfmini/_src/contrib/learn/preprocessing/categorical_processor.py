"""Maps rows of categories to rows of ids, with a vocabulary per column."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from tfmini._src.base.names.deprecation import deprecated, undecorated
from tfmini._src.contrib.learn.pandas_io import extract_pandas_matrix
from tfmini._src.contrib.learn.preprocessing.categorical_vocabulary import CategoricalVocabulary
from tfmini._src.graph.tensor import TensorLike


class CategoricalProcessor:
    """Maps rows of categories to rows of int64 ids; 0 for NaN and unknown categories.

    Args:
      min_frequency: only categories seen more often are assigned ids; 0 for all.
      share: whether all columns share one vocabulary.
      vocabularies: an initial `CategoricalVocabulary` per column.

    Attributes:
      vocabularies_: vocabulary of each column.

    Example:
      processor = tf.contrib.learn.preprocessing.CategoricalProcessor()
      rows = list(processor.fit_transform([["a", "x"], ["b", "x"]]))  # [1, 1] and [2, 1]
    """

    @deprecated(None, "Please use tensorflow/transform or tf.data for sequence processing.")
    def __init__(
        self,
        min_frequency: int = 0,
        share: bool = False,
        vocabularies: list[CategoricalVocabulary] | None = None,
    ) -> None:
        self.min_frequency = min_frequency
        self.share = share
        self.vocabularies_ = vocabularies

    def freeze(self, freeze: bool = True) -> None:
        """Freezes the vocabularies, so that new categories are unknown, or unfreezes them."""
        for vocabulary in self.vocabularies_:  # type: ignore[union-attr]  # None raises, as in TensorFlow
            vocabulary.freeze(freeze)

    def fit(self, x: TensorLike, unused_y: object = None) -> CategoricalProcessor:
        """Learns the categories of a matrix, a data frame or rows, and freezes the vocabularies; returns itself."""
        for row in undecorated(extract_pandas_matrix)(x):
            if self.vocabularies_ is None:
                shared = CategoricalVocabulary() if self.share else None
                self.vocabularies_ = [shared or CategoricalVocabulary() for _ in row]
            for column, value in enumerate(row):
                if not _is_nan(value):
                    self.vocabularies_[column].add(value)
        if self.min_frequency > 0:
            for vocabulary in self.vocabularies_:  # type: ignore[union-attr]
                vocabulary.trim(self.min_frequency)
        self.freeze()
        return self

    def fit_transform(self, x: Iterable[Any], unused_y: object = None) -> Iterator[np.ndarray]:
        """Learns the categories of rows and returns their ids, in two passes."""
        return self.fit(x).transform(x)

    def transform(self, x: Iterable[Any]) -> Iterator[np.ndarray]:
        """Yields a row of int64 ids for each row."""
        self.freeze()
        for row in undecorated(extract_pandas_matrix)(x):
            ids = [
                0 if _is_nan(value) else self.vocabularies_[column].get(value)  # type: ignore[index]
                for column, value in enumerate(row)
            ]
            yield np.array(ids, np.int64)


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)
