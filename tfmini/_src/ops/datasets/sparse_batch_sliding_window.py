"""Datasets of batches as SparseTensors, and of sliding windows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tfmini._src.base.errors import DataLossError, invalid
from tfmini._src.ops.datasets.dataset_value import (
    ELEMENTS,
    Element,
    Iterator,
    UnaryDataset,
    WrappingIterator,
    batch_count,
    dataset_op,
    scalar_argument,
    set_declared_types,
    stack,
)
from tfmini._src.ops.operands import dense


class _SparseBatches(WrappingIterator):
    is_fresh = False

    def __init__(self, inner: Iterator, size: int, dims: Sequence[int]):
        super().__init__(inner)
        self._size = size
        self._dims = dims

    def next(self) -> Element | None:
        rows: list[np.ndarray] = []
        dims = list(self._dims)
        while len(rows) < self._size:
            element = self._inner.next()
            if element is None:
                break
            row = dense(element[0])
            rows.append(row)
            if row.ndim != len(dims):
                self._raise_shape_error(row, "incompatible with")
            for axis, size in enumerate(row.shape):
                if self._dims[axis] < 0:
                    dims[axis] = max(dims[axis], size)
                elif size > self._dims[axis]:
                    self._raise_shape_error(row, "larger than")
        if not rows:
            return None
        shape = np.array([len(rows), *dims], np.int64)
        parts = np.empty(3, object)
        parts[0] = np.concatenate([_indices(index, row) for index, row in enumerate(rows)])
        parts[1] = np.concatenate([row.ravel() for row in rows])
        parts[2] = shape
        return (parts,)

    def _raise_shape_error(self, row: np.ndarray, issue: str) -> None:
        shapes = [
            f"[{','.join('?' if n < 0 else str(n) for n in s)}]" for s in (row.shape, self._dims)
        ]
        text = f"Input element had shape ({shapes[0]}) that is {issue} the row shape ({shapes[1]})."
        if issue == "larger than":
            raise DataLossError(None, None, text)
        invalid(text)


class SparseBatch(UnaryDataset):
    """Batches single-component elements as the rows of a SparseTensor.

    The shape of a row may contain -1 for the largest size in a batch.
    """

    keeps_types = False
    iterator, token = _SparseBatches, "/DenseToSparseBatch"

    def cardinality(self) -> int:
        return batch_count(self.source.cardinality(), self.settings[0], False)


def _indices(index: int, row: np.ndarray) -> np.ndarray:
    """Returns the indices within the batch of the values of a row."""
    indices = np.indices(row.shape).reshape(row.ndim, -1).T
    return np.insert(indices, 0, index, axis=1).astype(np.int64)


class _SlidingWindowIterator(WrappingIterator):
    position = ("_buffer", "_left_out")

    def __init__(self, inner: Iterator, size: int, shift: int, stride: int):
        super().__init__(inner)
        self._reach = (size - 1) * stride + 1
        self._shift = shift
        self._stride = stride
        self._buffer: list[Element] = []
        self._left_out = 0

    def next(self) -> Element | None:
        while self._left_out:
            if self._inner.next() is None:
                return None
            self._left_out -= 1
        while len(self._buffer) < self._reach:
            element = self._inner.next()
            if element is None:
                return None
            self._buffer.append(element)
        window = self._buffer[:: self._stride]
        self._left_out = max(0, self._shift - len(self._buffer))
        self._buffer = self._buffer[self._shift :]
        return stack(window)


class SlidingWindow(UnaryDataset):
    """Batches of `size` elements `stride` apart, each starting `shift` after the previous one; only full batches."""

    iterator, token = _SlidingWindowIterator, "/SlidingWindow"

    def cardinality(self) -> int:
        count, shift = self.source.cardinality(), self.settings[1]
        return count if count < 0 else count // shift  # including incomplete windows


@dataset_op(
    "DenseToSparseBatchDataset",
    "input_dataset: variant, batch_size: int64, row_shape: int64 -> handle: variant",
    **ELEMENTS,
)
def dense_to_sparse_batch_dataset_op(ctx, input_dataset, batch_size, row_shape):
    size = scalar_argument(batch_size, "batch_size")
    if size <= 0:
        invalid("Batch size must be greater than zero.")
    if row_shape.ndim != 1:
        invalid("row_shape must be a vector")
    for size_of_row in row_shape.tolist():
        if size_of_row < -1:
            invalid(f"Dimension {size_of_row} must be >= -1")
    return set_declared_types(SparseBatch(input_dataset, size, row_shape.tolist()), ctx)


@dataset_op(
    "SlidingWindowDataset",
    "input_dataset: variant, window_size: int64, window_shift: int64, window_stride: int64 -> handle: variant",
    **ELEMENTS,
)
def sliding_window_dataset_op(ctx, input_dataset, window_size, window_shift, window_stride):
    sizes = [
        scalar_argument(window_size, "window_size"),
        scalar_argument(window_shift, "window_shift"),
        scalar_argument(window_stride, "window_stride"),
    ]
    for size, name in zip(sizes, ("Window size", "Window shift", "window_stride")):
        if size <= 0:
            invalid(f"{name} must be greater than zero.")
    return set_declared_types(SlidingWindow(input_dataset, *sizes), ctx)
