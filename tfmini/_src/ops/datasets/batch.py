"""Batching of equal shapes, batching with padding, and windows, which are themselves datasets."""

from __future__ import annotations

import copy
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base.errors import DataLossError, OpError, invalid
from tfmini._src.graph.opdef import Attr
from tfmini._src.ops.datasets.dataset_function import CapturedFunction
from tfmini._src.ops.datasets.dataset_value import (
    ELEMENTS,
    SHAPES,
    TYPE_LIST,
    TYPES,
    Dataset,
    Element,
    Iterator,
    Run,
    UnaryDataset,
    WrappingIterator,
    batch_count,
    dataset_op,
    scalar_argument,
    set_declared_types,
    stack,
)
from tfmini._src.ops.datasets.function_datasets import Map
from tfmini._src.ops.datasets.threaded_datasets import ParallelMap
from tfmini._src.ops.operands import dense


class Batch(UnaryDataset):
    """Batches of `size` elements.

    drops_remainder: whether to drop an incomplete last batch.
    is_fused: whether the batch absorbs its source, a map, which then has no path component.
    """

    def __init__(self, source: Any, size: int, drops_remainder: bool, is_fused: bool = False):
        if is_fused:
            source = copy.copy(source)
            source.token = ""
        super().__init__(source)
        self.size = size
        self.drops = drops_remainder
        self.is_fused = is_fused

    def iterate(self, run: Run, path: str) -> Iterator:
        path += "/MapAndBatch" if self.is_fused else "/BatchV2"
        iterator_class = _MapAndBatchIterator if self.is_fused else _BatchIterator
        return iterator_class(self.source.iterate(run, path), self.size, self.drops)

    def cardinality(self) -> int:
        return batch_count(self.source.cardinality(), self.size, self.drops)


class _BatchIterator(WrappingIterator):
    def __init__(self, inner: Iterator, size: int, drops_remainder: bool):
        super().__init__(inner)
        self._size = size
        self._drops_remainder = drops_remainder

    is_pure = property(lambda self: self._inner.is_pure)

    def next(self) -> Element | None:
        count, batch = self._inner.batch(self._size, self._drops_remainder)
        if count < self._size and self._drops_remainder:
            return None
        return batch


class _MapAndBatchIterator(_BatchIterator):
    """Map and batch fused as in TensorFlow, where an error discards the entire batch."""

    def next(self) -> Element | None:
        elements: list[Element] = []
        failed: OpError | None = None
        count = 0
        while count < self._size:
            try:
                element = self._inner.next()
            except OpError as error:
                failed = failed or error
            else:
                if element is None:
                    break
                elements.append(element)
            count += 1
        if failed is not None:
            raise failed
        # Components are copied as they arrive: mismatched ones are an error even in a batch that is dropped.
        columns = tuple([_fuse_column(parts) for parts in zip(*elements)])
        return None if not elements or (count < self._size and self._drops_remainder) else columns


def _fuse_column(parts: Sequence[Any]) -> Any:
    """Returns a column of a fused batch, whose elements need the same size but not the same shape."""
    first = dense(parts[0])
    column = np.empty((len(parts), *first.shape), first.dtype)
    for row, part in enumerate(parts):
        array = dense(part)
        if array.size != first.size:
            shapes = [list(shape) for shape in (array.shape, first.shape)]
            invalid(
                "Cannot add tensor to the batch: number of elements does not match. Shapes are: [tensor]: "
                f"{shapes[0]}, [batch]: {shapes[1]}".replace(", ", ",").replace("],[", "], [")
            )
        column[row] = array.reshape(first.shape)[()]
    return column


class _PaddedBatchIterator(WrappingIterator):
    def __init__(
        self,
        inner: Iterator,
        size: int,
        sizes: Sequence[Any],
        values: Sequence[Any],
        drops_remainder: bool,
    ):
        super().__init__(inner)
        self._size = size
        self._sizes = sizes
        self._values = values
        self._drops_remainder = drops_remainder

    def next(self) -> Element | None:
        elements: list[Element] = []
        while len(elements) < self._size:
            element = self._inner.next()
            if element is None:
                break
            elements.append(element)
        if not elements or (self._drops_remainder and len(elements) < self._size):
            return None
        columns = zip(zip(*elements), self._sizes, self._values)
        return tuple([_pad(n, *column) for n, column in enumerate(columns)])


class PaddedBatch(UnaryDataset):
    """Batches of elements, each component padded to a specified size or, if that is -1, to the largest in the batch."""

    iterator, token = _PaddedBatchIterator, "/PaddedBatchV2"

    def cardinality(self) -> int:
        return batch_count(self.source.cardinality(), self.settings[0], self.settings[3])


def _pad(component: int, parts: Sequence[Any], sizes: Any, value: Any) -> Any:
    arrays = [dense(part) for part in parts]
    expected = sizes.tolist()
    for array in arrays:
        if array.ndim != len(expected):
            invalid(
                "All elements in a batch must have the same rank as the padded shape for component"
                f"{component}: expected rank {len(expected)} but got element with rank {array.ndim}"
            )
    max_shape = [max(axis) for axis in zip(*(array.shape for array in arrays))]
    for size, largest in zip(expected, max_shape):
        if 0 <= size < largest:
            text = "Attempted to pad to a smaller size than the input element."
            raise DataLossError(None, None, text)
    dims = [largest if size < 0 else size for size, largest in zip(expected, max_shape)]
    batch = np.empty((len(arrays), *dims), arrays[0].dtype)
    batch[...] = value
    for row, array in enumerate(arrays):
        # `...`: a scalar string is stored as itself.
        region: Any = (
            row,
            ...,
            *map(slice, array.shape),
        )
        batch[region] = array
    return batch


class _Windows(Iterator):
    def __init__(self, inner: Iterator, size: int, shift: int, stride: int, drops_remainder: bool):
        self._inner = inner
        self._size = size
        self._shift = shift
        self._stride = stride
        self._drops_remainder = drops_remainder
        self._buffer: list[Element] = []
        self._is_done = False
        self._elements_to_skip = 0  # elements to skip before the next window

    def next(self) -> Element | None:
        reach = (self._size - 1) * self._stride + 1
        while self._elements_to_skip and not self._is_done:
            self._elements_to_skip -= 1
            self._read()
            if self._buffer:
                self._buffer.pop()
        while len(self._buffer) < reach and not self._is_done:
            self._read()
        buffer = self._buffer
        if not buffer or (self._drops_remainder and len(buffer) < reach):
            return None
        window = buffer[: reach : self._stride]
        self._elements_to_skip = max(0, self._shift - len(buffer))
        self._buffer = buffer[self._shift :]
        for element in window:
            if isinstance(element, OpError):
                raise element
        return tuple([Elements([(part,) for part in parts]) for parts in zip(*window)])

    def _read(self) -> None:
        """Reads an element; the windows that contain an element report its error."""
        try:
            element: Any = self._inner.next()
        except OpError as error:
            element = error
        if element is None:
            self._is_done = True
        else:
            self._buffer.append(element)


class Window(UnaryDataset):
    """Windows of `size` elements, `stride` apart, as datasets; each window starts `shift` after the previous one."""

    keeps_types = False
    iterator, token = _Windows, "/Window"

    def cardinality(self) -> int:
        size, shift, stride, drops_remainder = self.settings
        count = self.source.cardinality()
        if count >= 0 and drops_remainder:
            return max(0, (count - (size - 1) * stride - 1) // shift + 1)
        return batch_count(count, shift, False)


class Elements(Dataset):
    """A dataset of elements that are already in memory."""

    def __init__(self, elements: Sequence[Element]):
        self._elements = elements

    def iterate(self, run: Run, path: str) -> Iterator:
        return _ElementIterator(self._elements)


class _ElementIterator(Iterator):
    is_fresh = False

    def __init__(self, elements: Sequence[Element]):
        self._elements = elements
        self._position = 0

    def next(self) -> Element | None:
        if self._position == len(self._elements):
            return None
        self._position += 1
        return self._elements[self._position - 1]

    def batch(self, count: int, drops_remainder: bool) -> tuple[int, Element | None]:
        elements = self._elements[self._position : self._position + count]
        self._position += len(elements)
        if not elements or (drops_remainder and len(elements) < count):
            return len(elements), None
        return len(elements), stack(elements)

    def save(self) -> Any:
        return self._position

    def restore(self, state: Any) -> None:
        self._position = state


@dataset_op(
    "BatchDataset", "input_dataset: variant, batch_size: int64 -> handle: variant", **ELEMENTS
)
def batch_dataset_op(ctx, input_dataset, batch_size):
    return set_declared_types(Batch(input_dataset, _batch_size(batch_size), False), ctx)


@dataset_op(
    "BatchDatasetV2",
    "input_dataset: variant, batch_size: int64, drop_remainder: bool -> handle: variant",
    parallel_copy=False,
    **ELEMENTS,
)
def batch_dataset_v2_op(ctx, input_dataset, batch_size, drop_remainder):
    drops_remainder = bool(scalar_argument(drop_remainder, "drop_remainder"))
    return set_declared_types(Batch(input_dataset, _batch_size(batch_size), drops_remainder), ctx)


@dataset_op(
    "MapAndBatchDataset",
    "input_dataset: variant, other_arguments: Targuments, batch_size: int64, num_parallel_calls: int64, "
    "drop_remainder: bool -> handle: variant",
    f=Attr("func"),
    Targuments=TYPE_LIST,
    **ELEMENTS,
    preserve_cardinality=False,
)
def map_and_batch_dataset_op(
    ctx, input_dataset, other_arguments, batch_size, num_parallel_calls, drop_remainder
):
    size, drops_remainder = (
        _batch_size(batch_size, "batch_size"),
        bool(scalar_argument(drop_remainder, "drop_remainder")),
    )
    calls = scalar_argument(num_parallel_calls, "num_parallel_calls")
    if calls < 1 and calls != -1:
        invalid("num_parallel_calls must be greater than zero.")
    function = CapturedFunction(ctx, "f", other_arguments)
    if calls == 1:
        mapped: Dataset = Map(input_dataset, function)
    else:
        mapped = ParallelMap(input_dataset, function, min(calls, os.cpu_count() or 1))
    mapped.op_type = ctx.op.type
    return set_declared_types(Batch(mapped, size, drops_remainder, True), ctx)


_PADDED_ATTRS: dict[str, Any] = {
    "Toutput_types": TYPES,
    "output_shapes": SHAPES,
    "N": Attr("int", minimum=1),
}


@dataset_op(
    "PaddedBatchDataset",
    "input_dataset: variant, batch_size: int64, padded_shapes: N * int64, padding_values: Toutput_types -> "
    "handle: variant",
    **_PADDED_ATTRS,
)
def padded_batch_dataset_op(ctx, input_dataset, batch_size, padded_shapes, padding_values):
    size = _batch_size(batch_size)
    _check_padding(padded_shapes, padding_values)
    return set_declared_types(
        PaddedBatch(input_dataset, size, padded_shapes, padding_values, False), ctx
    )


@dataset_op(
    "PaddedBatchDatasetV2",
    "input_dataset: variant, batch_size: int64, padded_shapes: N * int64, padding_values: Toutput_types, "
    "drop_remainder: bool -> handle: variant",
    parallel_copy=False,
    **_PADDED_ATTRS,
)
def padded_batch_dataset_v2_op(
    ctx, input_dataset, batch_size, padded_shapes, padding_values, drop_remainder
):
    size, drops_remainder = (
        _batch_size(batch_size),
        bool(scalar_argument(drop_remainder, "drop_remainder")),
    )
    _check_padding(padded_shapes, padding_values)
    return set_declared_types(
        PaddedBatch(input_dataset, size, padded_shapes, padding_values, drops_remainder), ctx
    )


@dataset_op(
    "WindowDataset",
    "input_dataset: variant, size: int64, shift: int64, stride: int64, drop_remainder: bool -> handle: variant",
    **ELEMENTS,
)
def window_dataset_op(ctx, input_dataset, size, shift, stride, drop_remainder):
    values = {"size": size, "shift": shift, "stride": stride}
    settings = {name: scalar_argument(value, name) for name, value in values.items()}
    for name, value in settings.items():
        if value <= 0:
            invalid(f"Window {name} must be greater than zero.")
    drops_remainder = bool(scalar_argument(drop_remainder, "drop_remainder"))
    return set_declared_types(Window(input_dataset, *settings.values(), drops_remainder), ctx)


def _check_padding(shapes: Any, values: Any) -> None:
    if any(np.ndim(shape) != 1 for shape in shapes):
        invalid("All padded shapes must be vectors")
    for size in np.concatenate([np.asarray(shape) for shape in shapes]).tolist():
        if size < -1:
            invalid(f"Dimension {size} must be >= -1")
    if any(np.ndim(value) for value in values):
        invalid("All padding values must be scalars")


def _batch_size(value: Any, name: str = "Batch size") -> int:
    size = scalar_argument(value, "batch_size")
    if size <= 0:
        invalid(f"{name} must be greater than zero.")
    return size
