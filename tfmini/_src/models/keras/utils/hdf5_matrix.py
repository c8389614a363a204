"""HDF5 datasets as arrays that are read lazily."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base.read_only import read_only
from tfmini._src.formats.hdf5 import require_h5py


class HDF5Matrix:
    """A slice of an HDF5 dataset for training, read on demand.

    Args:
      datapath: file path; all readers share the open file.
      dataset: name of the dataset.
      start: first row.
      end: end row, exclusive.
      normalizer: function applied to the loaded rows.

    Raises:
      ImportError: if h5py is not installed.

    Example:
      x = tf.keras.utils.HDF5Matrix("data.h5", "x", end=1000)
    """

    refs: Any = defaultdict(int)

    def __init__(
        self,
        datapath: str,
        dataset: str,
        start: int = 0,
        end: int | None = None,
        normalizer: Callable[..., Any] | None = None,
    ):
        h5py = require_h5py("The use of HDF5Matrix requires HDF5 and h5py installed.")
        if datapath not in self.refs:
            self.refs[datapath] = h5py.File(datapath, "r")
        self.data = self.refs[datapath][dataset]
        self.start = start
        self.end = self.data.shape[0] if end is None else end
        self.normalizer = normalizer

    def __len__(self) -> int:
        """Returns the number of rows in the slice."""
        return self.end - self.start

    def __getitem__(self, key: Any) -> Any:
        """Returns the rows at an index, a slice, or an ascending list of indices.

        Raises:
          IndexError: for out-of-range indices.
        """
        rows: Any
        if isinstance(key, slice):
            stop = len(self) if key.stop is None else key.stop
            rows, last = slice((key.start or 0) + self.start, stop + self.start), stop - 1
        elif isinstance(key, (int, np.integer)):
            rows, last = key + self.start, key
        else:
            rows, last = [int(row) + self.start for row in key], max(key)
        if last + self.start >= self.end:
            raise IndexError(f"row {last} of {len(self)}")
        rows_read = self.data[rows]
        return rows_read if self.normalizer is None else self.normalizer(rows_read)

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the slice."""
        return (len(self), *self.data.shape[1:])

    dtype: Any = read_only("The dtype of the dataset.", "data.dtype")
    ndim: int = read_only("Number of axes.", "data.ndim")

    @property
    def size(self) -> Any:
        """Number of elements in the slice."""
        return np.prod(self.shape)
