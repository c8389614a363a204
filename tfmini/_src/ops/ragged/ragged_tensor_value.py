"""`RaggedTensorValue`: the value of a ragged tensor in feeds and fetches."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.read_only import read_only
from tfmini._src.graph.tensor import TensorLike


class RaggedTensorValue:
    """The value of a RaggedTensor as numpy arrays.

    Args:
      values: the concatenated rows, an array or a RaggedTensorValue.
      row_splits: int32 or int64 vector that starts with 0, followed by the end of each row.

    Raises:
      TypeError: for other types; ValueError: if the dtype of the splits of `values` differs.

    Example: `RaggedTensorValue(np.array([1, 2, 3]), np.array([0, 2, 3]))` is [[1, 2], [3]].
    """

    _is_ragged = True

    def __init__(self, values: TensorLike, row_splits: TensorLike):
        arrays = (np.ndarray, np.generic)
        if not (
            isinstance(row_splits, arrays)
            and row_splits.dtype in (np.int64, np.int32)
            and row_splits.ndim == 1
        ):
            raise TypeError("row_splits must be a 1D int32 or int64 numpy array")
        if not isinstance(values, (*arrays, RaggedTensorValue)):
            raise TypeError("values must be a numpy array or a RaggedTensorValue")
        if isinstance(values, RaggedTensorValue) and row_splits.dtype != values.row_splits.dtype:
            raise ValueError("row_splits and values.row_splits must have the same dtype")
        self._values: Any = values
        self._row_splits: Any = row_splits

    row_splits: Any = read_only("The row boundaries, [rows + 1]: a zero, then the end of each row.")
    values: Any = read_only("The concatenated rows: an array or a RaggedTensorValue.")
    dtype: Any = read_only("The numpy dtype of the values.", "_values.dtype")

    @property
    def flat_values(self) -> Any:
        """The innermost values as an array."""
        return self._levels()[-1].values

    @property
    def nested_row_splits(self) -> tuple[Any, ...]:
        """The row splits of all ragged dimensions, outermost first."""
        return tuple(level.row_splits for level in self._levels())

    @property
    def ragged_rank(self) -> int:
        """The number of ragged dimensions."""
        return len(self._levels())

    @property
    def shape(self) -> tuple[Any, ...]:
        """The shape as a tuple, with None for ragged dimensions."""
        return (self._row_splits.shape[0] - 1, None, *self._values.shape[1:])

    def _levels(self) -> list[RaggedTensorValue]:
        levels = [self]
        while isinstance(levels[-1].values, RaggedTensorValue):
            levels.append(levels[-1].values)
        return levels

    def __str__(self) -> str:
        return f"<tf.RaggedTensorValue {self.to_list()}>"

    def __repr__(self) -> str:
        return f"tf.RaggedTensorValue(values={self._values!r}, row_splits={self._row_splits!r})"

    def to_list(self) -> list[Any]:
        """Returns the rows as nested lists."""
        inner = self._values
        items = inner.to_list() if isinstance(inner, RaggedTensorValue) else inner.tolist()
        row_splits = self._row_splits.tolist()
        return [items[start:end] for start, end in zip(row_splits, row_splits[1:])]
