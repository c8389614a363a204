"""Run-time values of datasets and iterators."""

from __future__ import annotations

import copy
import functools
import itertools
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tfmini._src.base import proto
from tfmini._src.base.errors import CancelledError, invalid
from tfmini._src.base.locks import make_rlock
from tfmini._src.graph.op_traits.handle_kinds import (
    HANDLE_DEVICE,
    VariantKind,
    serialized_handle,
)
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.graph.shape_inference import with_rank, with_rank_at_most
from tfmini._src.ops.operands import HANDLE_TYPES, c_name, dense

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

# One array per component; scalar strings are bytes, nested datasets themselves.
Element = tuple[Any, ...]

TYPES = Attr("list(type)", minimum=1)
SHAPES = Attr("list(shape)", minimum=1)
TYPE_LIST = Attr("list(type)", minimum=0)
# Attrs with the types and shapes of a dataset's elements.
ELEMENTS: dict[str, Any] = {"output_types": TYPES, "output_shapes": SHAPES}

# Special cardinalities.
INFINITE = -1
UNKNOWN = -2


class Dataset:
    """The value of a dataset handle.

    types, shapes: types and shapes of the element components, as declared by the op; sources may determine the types.
    source_types: the component types if its sources determine them, else ().
    functions: the functions that compute its elements (`dataset_function.CapturedFunction`).
    op_type: the type of its op, or of the op that a rewrite replaces it with.
    """

    op_type = ""
    shape = ()
    variant_text = "Variant<type: tensorflow::DatasetVariantWrapper value: Dataset>"
    types: Sequence[Any] = ()
    source_types: Sequence[Any] = ()
    shapes: Sequence[Any] = ()
    functions: Sequence[Any] = ()

    def __init_subclass__(cls, **kwargs: Any):
        super().__init_subclass__(**kwargs)
        HANDLE_TYPES.add(cls)

    @property
    def inputs(self) -> Sequence[Dataset]:
        """The source datasets."""
        return ()

    def iterate(self, run: Run, path: str) -> Iterator:
        """Creates an iterator at the first element; the path identifies a position in the dataset tree within a run."""
        raise NotImplementedError

    def with_inputs(self, inputs: Sequence[Dataset]) -> Dataset:
        """Returns a copy with different source datasets."""
        return self

    def duplicate(self) -> Dataset:
        """Returns a deep copy that includes the sources, for a dataset that is used twice.

        Stateful functions of the copy have separate state.
        """
        twin = copy.copy(self.with_inputs([source.duplicate() for source in self.inputs]))
        twin.types, twin.shapes = self.types, self.shapes
        twin.functions = tuple([function.duplicate() for function in self.functions])
        return twin

    def cardinality(self) -> int:
        """Returns the number of elements, INFINITE or UNKNOWN, inferred as in TensorFlow without reading elements."""
        return UNKNOWN


DATASET = VariantKind(
    Dataset,
    "Dataset tensor must be a scalar of dtype DT_VARIANT.",
    "Tensor must be a Dataset object.",
)
# Numbers of the dataset inputs, for `taking`.
SOURCES = {
    "input_dataset": DATASET,
    "another_dataset": DATASET,
    "dataset": DATASET,
    "input_datasets": DATASET,
    "selector_input_dataset": DATASET,
    "data_input_datasets": DATASET,
}


class UnaryDataset(Dataset):
    """A dataset derived from another dataset; its component types are the same if it `keeps_types`.

    iterator: the iterator class, which is called with an iterator over the source and the `settings`.
    token: the path component of the source.
    """

    keeps_types = True
    iterator: Any = None
    token = ""

    def __init__(self, source: Dataset, *settings: Any):
        self.source = source
        self.settings = settings
        if self.keeps_types:
            self.source_types = source.types

    @property
    def inputs(self) -> Sequence[Dataset]:
        return (self.source,)

    def with_inputs(self, inputs: Sequence[Dataset]) -> Dataset:
        twin = copy.copy(self)
        twin.source = inputs[0]
        return twin

    def iterate(self, run: Run, path: str) -> Iterator:
        iterator: Iterator = self.iterator(
            self.source.iterate(run, path + self.token), *self.settings
        )
        return iterator


class SameSizeDataset(UnaryDataset):
    """A derived dataset with as many elements as its source."""

    def cardinality(self) -> int:
        return self.source.cardinality()


class PassThroughDataset(SameSizeDataset):
    """The elements of another dataset, for ops that only contribute a path component or affect other datasets."""

    def __init__(self, source: Dataset, token: str):
        super().__init__(source)
        self.token = f"/{token}"

    def iterate(self, run: Run, path: str) -> Iterator:
        return self.source.iterate(run, path + self.token)


def batch_count(count: int, size: int, drops_remainder: bool) -> int:
    """Returns the number of batches of `size` elements in `count` elements; negative counts are returned unchanged."""
    if count < 0:
        return count
    return count // size if drops_remainder else -(-count // size)


def repeat_count(count: int, times: int) -> int:
    """Returns the number of elements in `times` epochs of `count` elements; if `times` is negative, infinite."""
    if times < 0:
        return INFINITE if count else 0
    return count * times if count >= 0 or not times else count


class Rows:
    """Arrays whose rows are elements."""

    def __init__(self, columns: Sequence[Any]):
        self.columns = columns

    def row(self, index: int) -> Element:
        return tuple([column[index] for column in self.columns])

    def gather(self, indices: Any) -> Element:
        """Gathers rows as a batch."""
        if indices.__class__ is slice:
            return tuple([column[indices] for column in self.columns])
        return tuple([column.take(indices, 0) for column in self.columns])


class Iterator:
    """Iterator over the elements of a dataset.

    rows: the source arrays if elements are array rows; `take` then returns row numbers.
    is_fresh: whether no other object refers to the returned arrays.
    is_pure: whether computing elements ahead of time is unobservable.
    remaining: the number of elements left, if known and cheap to read as a batch.
    """

    remaining: Any = None
    rows: Rows | None = None
    is_fresh = True
    is_pure: Any = False

    def next(self) -> Element | None:
        """Returns the next element, or None at the end."""
        raise NotImplementedError

    def take(self, count: int) -> list[int]:
        """Returns the indices of the next rows, fewer than `count` only at the end."""
        raise NotImplementedError

    def batch(self, count: int, drops_remainder: bool) -> tuple[int, Element | None]:
        """Reads up to `count` elements; returns their number and the batch, or None if dropped as incomplete."""
        elements: list[Element] = []
        while len(elements) < count:
            element = self.next()
            if element is None:
                break
            elements.append(element)
        if not elements or (drops_remainder and len(elements) < count):
            return len(elements), None
        return len(elements), stack(elements)

    def save(self) -> Any:
        """Returns the position of the iterator as plain data for `restore`."""
        invalid(f"{type(self).__name__} cannot be saved")

    def restore(self, state: Any) -> None:
        """Moves to a position that another iterator saved."""
        invalid(f"{type(self).__name__} cannot be restored")


class WrappingIterator(Iterator):
    """Iterator over another iterator; its position consists of the inner position and the attributes in `position`."""

    position: tuple[str, ...] = ()

    def __init__(self, inner: Iterator):
        self._inner = inner

    def save(self) -> Any:
        inner = self._inner.save()
        return (*(getattr(self, name) for name in self.position), inner) if self.position else inner

    def restore(self, state: Any) -> None:
        if self.position:
            *fields, state = state
            self.__dict__.update(zip(self.position, fields))
        self._inner.restore(state)


class PassThroughIterator(WrappingIterator):
    """Iterator that passes through the elements of another iterator."""

    def __init__(self, inner: Iterator):
        super().__init__(inner)
        self.is_fresh = inner.is_fresh


class RowIterator(Iterator):
    """Iterator over rows by index."""

    is_fresh = False
    rows: Rows

    def next(self) -> Element | None:
        indices = self.take(1)
        return self.rows.row(indices[0]) if indices else None

    def batch(self, count: int, drops_remainder: bool) -> tuple[int, Element | None]:
        indices = self.take(count)
        if not indices:
            return 0, None
        return len(indices), self.rows.gather(np.asarray(indices))


class Run:
    """Lifetime of a graph iterator, from one initialization to the next.

    functions: the state of the functions called by its datasets; seeds: the state of shuffles across epochs, by path.
    rewrite: the rewrite applied to datasets returned by functions.
    watcher: the statistics receiver of the datasets and the prefix of their tags, or None.
    threads: the pool on which subsequently created datasets call their functions; None for separate threads.
    """

    def __init__(self) -> None:
        self.functions: dict[Any, Any] = {}
        self.seeds: dict[str, Any] = {}
        self.rewrite: Callable[[Dataset], Dataset] = lambda dataset: dataset
        self.watcher: tuple[Any, str] | None = None
        self.threads: ThreadPoolExecutor | None = None
        self._lock = make_rlock()  # garbage collection may close an iterator at any time
        self._tokens = itertools.count(1)
        self._close_callbacks: dict[int, Callable[[], None]] = {}
        self.is_closed = False

    def on_close(self, function: Callable[[], None]) -> int:
        """Calls `function()` when the run ends, unless `forget` is called with the returned token first."""
        token = next(self._tokens)
        with self._lock:
            if not self.is_closed:
                self._close_callbacks[token] = function
                return token
        raise CancelledError(None, None, "Iterator was closed")

    def forget(self, token: int) -> None:
        self._close_callbacks.pop(token, None)

    def close(self) -> None:
        """Runs the registered close functions, which stop threads and end waits."""
        with self._lock:
            self.is_closed = True
            closing, self._close_callbacks = self._close_callbacks, {}
        for function in closing.values():
            function()


def stack(elements: Sequence[Element]) -> Element:
    """Batches elements of equal shape."""
    return tuple([_batched_component(parts, index) for index, parts in enumerate(zip(*elements))])


def merge_batches(parts: Sequence[tuple[np.ndarray, Element]], count: int) -> Element:
    """Merges batches into one batch of `count` elements; each part is (row numbers of its elements, batch)."""
    columns = []
    for index, first in enumerate(parts[0][1]):
        if any(elements[index].shape[1:] != first.shape[1:] for _, elements in parts):
            return _merge_elementwise(parts, count)
        column = np.empty((count, *first.shape[1:]), first.dtype)
        for positions, elements in parts:
            column[positions] = elements[index]
        columns.append(column)
    return tuple(columns)


def _merge_elementwise(parts: Sequence[tuple[np.ndarray, Element]], count: int) -> Element:
    """Merges batches element by element, which raises the error for differing shapes."""
    rows: list[Any] = [None] * count
    for positions, elements in parts:
        for row, position in enumerate(positions.tolist()):
            rows[position] = tuple([column[row, ...] for column in elements])
    return stack(rows)


def _batched_component(parts: Sequence[Any], component: int) -> Any:
    first = parts[0]
    if first.__class__ in HANDLE_TYPES:
        column = np.empty(len(parts), object)
        for row, part in enumerate(parts):
            if part.__class__ not in HANDLE_TYPES:
                _are_different(component, row, first, part)
        column[:] = parts
        return column
    shape = first.shape
    if not shape:
        for row, part in enumerate(parts):
            if part.__class__ in HANDLE_TYPES or part.shape != shape:
                _are_different(component, row, first, part)
        return np.array(parts, first.dtype)
    column = np.empty((len(parts), *shape), first.dtype)
    for row, part in enumerate(parts):
        if part.__class__ in HANDLE_TYPES or part.shape != shape:
            _are_different(component, row, first, part)
        column[row] = part
    return column


def _are_different(component: int, row: int, first: Any, other: Any) -> None:
    a, b = (f"[{','.join(map(str, dense(value).shape))}]" for value in (first, other))
    invalid(
        f"Cannot batch tensors with different shapes in component {component}. First element had shape {a} and element "
        f"{row} had shape {b}."
    )


_SCALARS = frozenset(
    (
        *("count", "buffer_size", "seed", "seed2", "batch_size", "drop_remainder", "start"),
        *("stop", "step", "size", "shift", "stride", "num_shards", "index", "filename"),
        *("compression_type", "tag", "cache", "seed_generator"),
    )
)


# Ranks of further arguments, by op.
_RANKS: dict[str, dict[str, int]] = {
    "AssertNextDataset": {"transformations": 1},
    "CSVDataset": {
        **dict.fromkeys(("header", "field_delim", "use_quote_delim", "na_value"), 0),
        "select_cols": 1,
    },
    "DenseToSparseBatchDataset": {"row_shape": 1},
    "FixedLengthRecordDataset": dict.fromkeys(("header_bytes", "record_bytes", "footer_bytes"), 0),
    "FixedLengthRecordDatasetV2": dict.fromkeys(
        ("header_bytes", "record_bytes", "footer_bytes"), 0
    ),
    "MapAndBatchDataset": dict.fromkeys(("batch_size", "num_parallel_calls", "drop_remainder"), 0),
    "SlidingWindowDataset": dict.fromkeys(("window_size", "window_shift", "window_stride"), 0),
    "SqlDataset": dict.fromkeys(("driver_name", "data_source_name", "query"), 0),
}
_MAX_RANKS: dict[str, dict[str, int]] = {
    "FixedLengthRecordDataset": {"filenames": 1},
    "FixedLengthRecordDatasetV2": {"filenames": 1},
    "SleepDataset": {"input_dataset": 0, "sleep_microseconds": 0},
    "TextLineDataset": {"filenames": 1},
    "TFRecordDataset": {"filenames": 1},
}


def handle_shape(op: Any) -> tuple:
    """Returns the static shape of a handle; also validates the arguments of ops in `_RANKS` or without functions."""
    ranks = _RANKS.get(op.type.removeprefix("Experimental"), {})
    max_ranks = _MAX_RANKS.get(op.type.removeprefix("Experimental"), {})
    if ranks or not op.opdef.takes_functions:
        index = 0
        for arg in op.opdef.inputs:
            if arg.name in ranks:
                with_rank(op.inputs[index]._dims, ranks[arg.name])
            elif arg.name in max_ranks:
                with_rank_at_most(op.inputs[index]._dims, max_ranks[arg.name])
            elif arg.name in _SCALARS and not op.opdef.takes_functions:
                with_rank(op.inputs[index]._dims, 0)
            if arg.type_list_attr:
                index += len(op.attrs[arg.type_list_attr])
            else:
                index += op.attrs[arg.number_attr] if arg.number_attr else 1
    return ()


# The `op` decorator of ops that return a dataset handle, computed from other datasets.
dataset_op = functools.partial(op, infer=handle_shape, handles=SOURCES)


def set_declared_types(dataset: Dataset, ctx: Any) -> Dataset:
    """Sets the types and shapes of a dataset to those declared by its op, unless its sources determine the types."""
    stated = ctx.attrs.get("output_types") or ctx.attrs.get("Toutput_types") or ()
    dataset.types = dataset.source_types or stated
    dataset.shapes = ctx.attrs.get("output_shapes") or ()
    dataset.op_type = ctx.op.type
    return dataset


def differ_in_types(a: Dataset, b: Dataset) -> bool:
    """Whether the component types of both datasets are known and differ."""
    return bool(a.types and b.types) and [*a.types] != [*b.types]


def types_text(dataset: Dataset) -> str:
    """Formats the component types of a dataset as TensorFlow does."""
    return ", ".join(map(c_name, dataset.types))


def to_string_handle(iterator: Any) -> bytes:
    """Returns the string form of a handle, which identifies the iterator in other graphs."""
    for text in (iterator.container, iterator.name):
        try:
            text.encode()
        except UnicodeEncodeError:
            invalid("Could not parse string_handle as a valid ResourceHandle")
    return serialized_handle(iterator)


def handle_device(device: str) -> str:
    """Returns the device of the handle that an iterator op on `device` produces: `device` if it is a CPU."""
    return device if "/device:CPU:" in device else HANDLE_DEVICE


def parse_handle(string_handle: bytes, device: str = HANDLE_DEVICE) -> Any:
    """Splits the string form of a handle, which must belong to this device."""
    handle = proto.ResourceHandleProto()
    try:
        handle.ParseFromString(string_handle)
    except Exception:  # protobuf's exception classes depend on its version
        invalid("Could not parse string_handle as a valid ResourceHandle")
    if handle.device != device:
        invalid(
            f'Attempted create an iterator on device "{device}" from handle defined on device "{handle.device}"'
        )
    return handle


def string_argument(value: Any, name: str) -> str:
    """Converts a scalar string argument to str."""
    if value.__class__ is not bytes:
        invalid(f"{name} must be a scalar")
    return os.fsdecode(value)


def scalar_argument(value: Any, name: str) -> Any:
    """Converts a scalar argument to a Python number."""
    if value.__class__ is np.ndarray and value.ndim == 0:
        return value.item()
    if np.ndim(value):
        invalid(f"{name} must be a scalar")
    return np.asarray(value)[()].item()
