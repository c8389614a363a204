"""Datasets of specified values: a single element, the rows of tensors, or a range."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base.errors import UnimplementedError, invalid
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.ops.datasets.dataset_value import (
    SHAPES,
    TYPES,
    Dataset,
    Element,
    Iterator,
    RowIterator,
    Rows,
    Run,
    handle_shape,
    scalar_argument,
    set_declared_types,
)
from tfmini._src.ops.datasets.shared_variables import current_values, is_shared, share_values
from tfmini._src.ops.operands import dense, shape_text, unwrap_string


class SingleElementDataset(Dataset):
    """A dataset of one element."""

    def __init__(self, element: Element):
        self.element = element

    def iterate(self, run: Run, path: str) -> Iterator:
        return _Single(self.element)

    def cardinality(self) -> int:
        return 1


class _Single(Iterator):
    is_fresh = False
    is_pure = True

    def __init__(self, element: Element):
        self._element = element
        self._is_done = False

    def next(self) -> Element | None:
        if self._is_done:
            return None
        self._is_done = True
        return self._element

    def save(self) -> Any:
        return self._is_done

    def restore(self, state: Any) -> None:
        self._is_done = state


class _SharedElement(Dataset):
    """A dataset of one element that is the value of a variable."""

    def __init__(self, element: Element):
        self._element = element

    def iterate(self, run: Run, path: str) -> Iterator:
        return _SharedSingle(self._element)

    def cardinality(self) -> int:
        return 1


class _SharedSingle(_Single):
    is_pure = False

    def next(self) -> Element | None:
        element = super().next()
        return element if element is None else current_values(element)


class Slices(Dataset):
    """A dataset of the rows of arrays."""

    def __init__(self, columns: Sequence[Any]):
        self.rows = Rows(columns)

    def iterate(self, run: Run, path: str) -> Iterator:
        return _RangeIterator(self.rows, len(self.rows.columns[0]))

    def cardinality(self) -> int:
        return len(self.rows.columns[0])


class _SharedRows(Rows):
    """Rows of arrays, one of which is the value of a variable."""

    def __init__(self, sources: Sequence[Any]):
        self._sources = sources

    columns = property(lambda self: [dense(value) for value in current_values(self._sources)])


class _SharedSlices(Slices):
    """A dataset of the rows of a variable's value."""

    def __init__(self, sources: Sequence[Any]):
        self.rows = _SharedRows(sources)

    def iterate(self, run: Run, path: str) -> Iterator:
        return _SharedRangeIterator(self.rows, self.cardinality())


class _RangeIterator(RowIterator):
    is_pure = True

    is_pure = True

    def __init__(self, rows: Rows, count: int):
        self.rows = rows
        self._position = 0
        self._count = count

    @property
    def remaining(self) -> int:
        return self._count - self._position

    def take(self, count: int) -> list[int]:
        start = self._position
        self._position = min(start + count, self._count)
        return list(range(start, self._position))

    def batch(self, count: int, drops_remainder: bool) -> tuple[int, Element | None]:
        start = self._position
        self._position = min(start + count, self._count)
        if start == self._position:
            return 0, None
        batch = self.rows.gather(slice(start, self._position))
        return self._position - start, tuple([c if c.base is None else c.copy() for c in batch])

    def save(self) -> Any:
        return self._position

    def restore(self, state: Any) -> None:
        self._position = state


class _SharedRangeIterator(_RangeIterator):
    is_pure = False


def _wrap_int64(integer: int) -> int:
    """Wraps a number to 64 bits."""
    return (integer + 2**63) % 2**64 - 2**63


class Range(Dataset):
    """A dataset of the numbers in a range."""

    def __init__(self, elements: range):
        self.range = elements

    def iterate(self, run: Run, path: str) -> Iterator:
        return _RangeIterator(_Numbers(self.range), self._count())

    def cardinality(self) -> int:
        """Returns the cardinality in 64-bit arithmetic as TensorFlow does, incorrect above 2**63 - 1 numbers."""
        elements = self.range
        sign = 1 if elements.step > 0 else -1
        last = _wrap_int64(sign * (elements.stop - elements.start) - 1)
        step = _wrap_int64(abs(elements.step))
        quotient = abs(last) // abs(step)
        return max(0, _wrap_int64(1 + (quotient if (last < 0) == (step < 0) else -quotient)))

    def _count(self) -> int:
        """Returns the number of elements, which may exceed the limit of `len`, 2**63 - 1."""
        elements = self.range
        return max(0, -((elements.start - elements.stop) // elements.step))


class _Numbers(Rows):
    """The numbers of a range, as rows."""

    def __init__(self, elements: range):
        super().__init__(())
        self._range = elements

    def row(self, index: int) -> Element:
        return (np.int64(self._range[index]),)

    def gather(self, indices: Any) -> Element:
        number_range = self._range
        if indices.__class__ is slice:
            part = number_range[indices]
            result = np.arange(len(part))
            if part.step != 1:
                result *= part.step
            result += part.start
            return (result,)
        return (number_range.start + number_range.step * indices,)


class SparseSlices(Dataset):
    """A dataset of the rows of a SparseTensor."""

    def __init__(self, indices: Any, values: Any, dims: Any):
        self.parts = indices, values, dims

    def iterate(self, run: Run, path: str) -> Iterator:
        return _SparseRows(*self.parts)

    def cardinality(self) -> int:
        return int(self.parts[2][0])


class _SparseRows(Iterator):
    def __init__(self, indices: Any, values: Any, dims: Any):
        self._indices, self._values, self._dims = indices, values, dims
        self._row = 0
        self._position = 0

    def next(self) -> Element | None:
        if self._row >= self._dims[0]:
            return None
        first = self._position
        rows = self._indices[:, 0]
        while self._position < len(rows) and rows[self._position] == self._row:
            self._position += 1
        element_slice = slice(first, self._position)
        self._row += 1
        return (
            self._indices[element_slice, 1:].copy(),
            self._values[element_slice].copy(),
            self._dims[1:].copy(),
        )

    def save(self) -> Any:
        return self._row, self._position

    def restore(self, state: Any) -> None:
        self._row, self._position = state


@op(
    "TensorDataset",
    "components: Toutput_types -> handle: variant",
    infer=handle_shape,
    stateful=True,
    Toutput_types=TYPES,
    output_shapes=SHAPES,
)
def tensor_dataset_op(ctx, components):
    components = share_values(ctx, "", components)
    values = tuple([_copy_if_needed(value, "components" in ctx.owned) for value in components])
    return set_declared_types(
        (_SharedElement if is_shared(values) else SingleElementDataset)(values), ctx
    )


@op(
    "TensorSliceDataset",
    "components: Toutput_types -> handle: variant",
    infer=handle_shape,
    stateful=True,
    Toutput_types=TYPES,
    output_shapes=SHAPES,
)
def tensor_slice_dataset_op(ctx, components):
    components = share_values(ctx, "", components)
    values = [_copy_if_needed(value, "components" in ctx.owned) for value in components]
    columns = [dense(value) for value in current_values(values)]
    for column in columns:
        if not column.ndim:
            invalid("All components must be at least 1-dimensional")
        if len(column) != len(columns[0]):
            invalid("All components must have the same size in the 0th dimension")
    return set_declared_types(_SharedSlices(values) if is_shared(values) else Slices(columns), ctx)


@op(
    "SparseTensorSliceDataset",
    "indices: int64, values: Tvalues, dense_shape: int64 -> handle: variant",
    infer=handle_shape,
    stateful=True,
    Tvalues=Attr("type"),
)
def sparse_tensor_slice_dataset_op(ctx, indices, values, dense_shape):
    if indices.ndim != 2:
        invalid(f"Input indices should be a matrix but received shape {list(indices.shape)}")
    if np.ndim(values) != 1:  # TensorFlow's message contains the shape of the indices
        invalid(f"Input values should be a vector but received shape {shape_text(indices.shape)}")
    if np.ndim(dense_shape) != 1:
        shape = shape_text(np.shape(dense_shape))
        invalid(f"Input shape should be a vector but received shape {shape}")
    if len(dense_shape) != indices.shape[1]:
        invalid("Order length must be SparseTensor rank.")
    previous = -1
    for row, index in enumerate(indices[:, 0].tolist()):
        if index < previous:
            raise _unordered_error(row, index, previous)
        previous = index
    parts = [_copy_if_needed(value, False) for value in (indices, values, dense_shape)]
    return SparseSlices(*parts)


@op(
    "RangeDataset",
    "start: int64, stop: int64, step: int64 -> handle: variant",
    infer=handle_shape,
    stateful=True,
    output_types=TYPES,
    output_shapes=SHAPES,
)
def range_dataset_op(ctx, start, stop, step):
    first, end, delta = (
        scalar_argument(value, name)
        for value, name in ((start, "start"), (stop, "stop"), (step, "step"))
    )
    if not delta:
        invalid("step must be a non-zero integer.")
    return set_declared_types(Range(range(first, end, delta)), ctx)


def _copy_if_needed(value: Any, is_owned: bool) -> Any:
    """Copies a value that must outlive the step."""
    if isinstance(value, np.ndarray) and not is_owned:
        return unwrap_string(value.copy())
    return value


def _unordered_error(row: int, index: int, previous: int) -> UnimplementedError:
    text = (
        "The SparseTensor must be ordered in the batch dimension; handling arbitrarily ordered input is not currently "
        f"supported. Row {row} is of {index}, the one before of {previous}."
    )
    return UnimplementedError(None, None, text)
