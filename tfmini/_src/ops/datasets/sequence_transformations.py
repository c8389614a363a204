"""Datasets with more or fewer elements: repeat, take, skip, shard, concatenate, zip."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.opdef import Attr
from tfmini._src.ops.datasets.dataset_value import (
    ELEMENTS,
    INFINITE,
    UNKNOWN,
    Dataset,
    Element,
    Iterator,
    PassThroughIterator,
    RowIterator,
    Run,
    UnaryDataset,
    dataset_op,
    differ_in_types,
    merge_batches,
    repeat_count,
    scalar_argument,
    set_declared_types,
    types_text,
)


class _CountedDataset(UnaryDataset):
    def __init__(self, source: Dataset, count: int):
        super().__init__(source)
        self.count = count


class Repeat(_CountedDataset):
    """Repeats the elements `count` times, or indefinitely if `count` is negative."""

    def iterate(self, run: Run, path: str) -> Iterator:
        path += "/ForeverRepeat" if self.count < 0 else "/FiniteRepeat"
        if not self.count:
            return _EmptyIterator()
        first = self.source.iterate(run, path)
        iterator_class = _RepeatIterator if first.rows is None else _RepeatedRows
        return iterator_class(self, run, path, first)

    def cardinality(self) -> int:
        return repeat_count(self.source.cardinality(), self.count)


class _EmptyIterator(Iterator):
    def next(self) -> Element | None:
        return None

    def save(self) -> Any:
        return None

    def restore(self, state: Any) -> None:
        pass


class _RepeatIterator(PassThroughIterator):
    is_pure = property(lambda self: self._inner.is_pure)
    position = ("_remaining", "_has_begun")

    def __init__(self, dataset: Repeat, run: Run, path: str, first: Iterator):
        super().__init__(first)
        self._source = dataset.source
        self._run = run
        self._path = path
        self._remaining = dataset.count - 1  # remaining after this one
        self._has_begun = False

    def next(self) -> Element | None:
        while True:
            element = self._inner.next()
            if element is not None:
                self._has_begun = True
                return element
            if not self._start_over():
                return None

    def batch(self, count: int, drops_remainder: bool) -> tuple[int, Element | None]:
        filled = 0
        parts: list[tuple[np.ndarray, Element]] = []
        while filled < count:
            size, elements = self._inner.batch(count - filled, False)
            if elements is not None:
                self._has_begun = True
                parts.append((np.arange(filled, filled + size), elements))
                filled += size
            if filled < count and not self._start_over():
                break
        if not filled or (drops_remainder and filled < count):
            return filled, None
        return filled, parts[0][1] if len(parts) == 1 else merge_batches(parts, filled)

    def _start_over(self) -> bool:
        """Starts the next epoch; returns False after the last epoch, or if the dataset is empty."""
        if not self._remaining or (self._remaining < 0 and not self._has_begun):
            return False
        self._remaining -= 1
        self._inner = self._source.iterate(self._run, self._path)
        return True


class _RepeatedRows(_RepeatIterator, RowIterator):
    def __init__(self, dataset: Repeat, run: Run, path: str, first: Iterator):
        super().__init__(dataset, run, path, first)
        self.rows = first.rows  # type: ignore[assignment]

    next = RowIterator.next
    batch = RowIterator.batch

    def take(self, count: int) -> list[int]:
        indices = self._inner.take(count)
        while len(indices) < count:
            self._has_begun = self._has_begun or bool(indices)
            if not self._start_over():
                break
            indices += self._inner.take(count - len(indices))
        self._has_begun = self._has_begun or bool(indices)
        return indices


class Take(_CountedDataset):
    """The first `count` elements, or all elements if `count` is negative."""

    def iterate(self, run: Run, path: str) -> Iterator:
        if not self.count:
            return _EmptyIterator()
        inner = self.source.iterate(run, path + "/FiniteTake")
        if self.count < 0:
            return inner
        return (_TakeIterator if inner.rows is None else _TakeRowIterator)(inner, self.count)

    def cardinality(self) -> int:
        count = self.source.cardinality()
        if count == UNKNOWN:
            return count
        return self.count if count == INFINITE else min(count, self.count)


class _TakeIterator(Iterator):
    is_pure = property(lambda self: self._inner.is_pure)

    def __init__(self, inner: Iterator, count: int):
        self._inner: Iterator | None = inner
        self._remaining = count
        self.is_fresh = inner.is_fresh

    def next(self) -> Element | None:
        if not self._remaining:
            self._inner = None  # frees its elements
            return None
        self._remaining -= 1
        assert self._inner is not None
        return self._inner.next()

    def save(self) -> Any:
        return self._remaining, None if self._inner is None else self._inner.save()

    def restore(self, state: Any) -> None:
        self._remaining, inner = state
        if inner is None or self._inner is None:
            self._inner = None
        else:
            self._inner.restore(inner)


class _TakeRowIterator(_TakeIterator, RowIterator):
    def __init__(self, inner: Iterator, count: int):
        super().__init__(inner, count)
        self.rows = inner.rows  # type: ignore[assignment]

    next = RowIterator.next

    def take(self, count: int) -> list[int]:
        count = min(count, self._remaining)
        self._remaining -= count
        assert self._inner is not None
        return self._inner.take(count) if count else []


class Skip(_CountedDataset):
    """The elements after the first `count`; none if `count` is negative."""

    def iterate(self, run: Run, path: str) -> Iterator:
        if self.count < 0:
            return _EmptyIterator()
        return _SkipIterator(self.source.iterate(run, path + "/FiniteSkip"), self.count)

    def cardinality(self) -> int:
        count = self.source.cardinality()
        if count < 0:
            return count
        return 0 if self.count < 0 else max(0, count - self.count)


class _SkipIterator(PassThroughIterator):
    is_pure = property(lambda self: self._inner.is_pure)
    position = ("_remaining",)

    def __init__(self, inner: Iterator, count: int):
        super().__init__(inner)
        self._remaining = count

    def next(self) -> Element | None:
        self._skip()
        return self._inner.next()

    def batch(self, count: int, drops_remainder: bool) -> tuple[int, Element | None]:
        self._skip()
        return self._inner.batch(count, drops_remainder)

    def _skip(self) -> None:
        while self._remaining:
            self._remaining -= 1
            if self._inner.next() is None:
                self._remaining = 0


class Shard(UnaryDataset):
    """Every n-th element, starting at an index."""

    def __init__(self, source: Dataset, count: int, index: int, min_elements: bool):
        super().__init__(source)
        self.count = count
        self.index = index
        self.must_have = min_elements

    def iterate(self, run: Run, path: str) -> Iterator:
        return _ShardIterator(self, self.source.iterate(run, path + "/Shard"))

    def cardinality(self) -> int:
        count = self.source.cardinality()
        return count if count < 0 else len(range(self.index, count, self.count))


class _ShardIterator(PassThroughIterator):
    is_pure = property(lambda self: self._inner.is_pure)
    position = ("_position",)

    def __init__(self, dataset: Shard, inner: Iterator):
        super().__init__(inner)
        self._dataset = dataset
        self._position = 0

    def next(self) -> Element | None:
        dataset = self._dataset
        while True:
            element = self._inner.next()
            if element is None:
                return None
            self._position += 1
            if (self._position - 1) % dataset.count == dataset.index:
                if dataset.must_have:
                    self._check_shards()
                return element

    def _check_shards(self) -> None:
        """Checks by reading ahead that each shard has an element; raises InvalidArgumentError otherwise."""
        while self._position < self._dataset.count:
            if self._inner.next() is None:
                invalid(
                    f"There aren't enough elements in this dataset for each shard to have at least one element "
                    f"(# elems = {self._position}, # shards = {self._dataset.count}). If you are using datasets with "
                    "distribution strategy, consider turning dataset autosharding off with `tf.data.Options`."
                )
            self._position += 1


class Concatenate(Dataset):
    """The elements of one dataset followed by the elements of another."""

    inputs: Sequence[Dataset] = read_only()

    def __init__(self, first: Dataset, second: Dataset):
        self._inputs = first, second

    def with_inputs(self, inputs: Sequence[Dataset]) -> Dataset:
        return Concatenate(*inputs)

    def iterate(self, run: Run, path: str) -> Iterator:
        return _Chain(self._inputs, run, path + "/Concatenate")

    def cardinality(self) -> int:
        counts = [source.cardinality() for source in self._inputs]
        if INFINITE in counts:
            return INFINITE
        return UNKNOWN if UNKNOWN in counts else sum(counts)


class _Chain(Iterator):
    is_fresh = False
    is_pure = property(lambda self: self._inner.is_pure)

    def __init__(self, datasets: Sequence[Dataset], run: Run, path: str):
        self._datasets = datasets
        self._run = run
        self._path = path
        self._index = 0
        self._inner = datasets[0].iterate(run, f"{path}[0]")

    def next(self) -> Element | None:
        while True:
            element = self._inner.next()
            if element is not None or self._index == len(self._datasets) - 1:
                return element
            self._seek(self._index + 1)

    def _seek(self, index: int) -> None:
        self._index = index
        self._inner = self._datasets[index].iterate(self._run, f"{self._path}[{index}]")

    def save(self) -> Any:
        return self._index, self._inner.save()

    def restore(self, state: Any) -> None:
        index, inner = state
        self._seek(index)
        self._inner.restore(inner)


class Zip(Dataset):
    """The components of several datasets side by side; ends with the shortest dataset."""

    inputs: Sequence[Dataset] = read_only()

    def __init__(self, datasets: Sequence[Dataset]):
        self._inputs = tuple(datasets)
        if all(source.types for source in datasets):
            self.source_types = [dtype for source in datasets for dtype in source.types]

    def with_inputs(self, inputs: Sequence[Dataset]) -> Dataset:
        return Zip(inputs)

    def iterate(self, run: Run, path: str) -> Iterator:
        return _ZipIterator(
            [d.iterate(run, f"{path}/Zip[{n}]") for n, d in enumerate(self._inputs)]
        )

    def cardinality(self) -> int:
        counts = [source.cardinality() for source in self._inputs]
        if UNKNOWN in counts:
            return UNKNOWN
        return min((count for count in counts if count != INFINITE), default=INFINITE)


class _ZipIterator(Iterator):
    def __init__(self, inner: Sequence[Iterator]):
        self._inner = inner
        self._is_done = False
        self.is_fresh = all(iterator.is_fresh for iterator in inner)

    def next(self) -> Element | None:
        if self._is_done:
            return None
        result: Element = ()
        for iterator in self._inner:
            element = iterator.next()
            if element is None:
                self._is_done = True
                return None
            result += element
        return result

    @property
    def remaining(self) -> int | None:
        counts = [iterator.remaining for iterator in self._inner]
        return None if self._is_done or None in counts else min(counts)

    def batch(self, count: int, drops_remainder: bool) -> tuple[int, Element | None]:
        remaining = self.remaining
        if remaining is None:
            return super().batch(count, drops_remainder)
        self._is_done = remaining < count
        count = min(count, remaining)
        if not count:
            return 0, None
        result: Element = ()
        for iterator in self._inner:
            result += iterator.batch(count, drops_remainder)[1] or ()
        return count, result

    def save(self) -> Any:
        return self._is_done, [iterator.save() for iterator in self._inner]

    def restore(self, state: Any) -> None:
        self._is_done, inner = state
        for iterator, saved in zip(self._inner, inner):
            iterator.restore(saved)


@dataset_op("RepeatDataset", "input_dataset: variant, count: int64 -> handle: variant", **ELEMENTS)
def repeat_dataset_op(ctx, input_dataset, count):
    return set_declared_types(Repeat(input_dataset, scalar_argument(count, "count")), ctx)


@dataset_op("TakeDataset", "input_dataset: variant, count: int64 -> handle: variant", **ELEMENTS)
def take_dataset_op(ctx, input_dataset, count):
    return set_declared_types(Take(input_dataset, scalar_argument(count, "count")), ctx)


@dataset_op("SkipDataset", "input_dataset: variant, count: int64 -> handle: variant", **ELEMENTS)
def skip_dataset_op(ctx, input_dataset, count):
    return set_declared_types(Skip(input_dataset, scalar_argument(count, "count")), ctx)


@dataset_op(
    "ShardDataset",
    "input_dataset: variant, num_shards: int64, index: int64 -> handle: variant",
    require_non_empty=False,
    **ELEMENTS,
)
def shard_dataset_op(ctx, input_dataset, num_shards, index, *, require_non_empty):
    count, shard = scalar_argument(num_shards, "num_shards"), scalar_argument(index, "index")
    if count <= 0:
        invalid(f"Number of shards must be greater than zero (currently num_shards = {count}).")
    if not 0 <= shard < count:
        invalid(f"Index must be between 0 and {count - 1} (currently index = {shard}).")
    return set_declared_types(Shard(input_dataset, count, shard, require_non_empty), ctx)


@dataset_op(
    "ConcatenateDataset",
    "input_dataset: variant, another_dataset: variant -> handle: variant",
    **ELEMENTS,
)
def concatenate_dataset_op(ctx, input_dataset, another_dataset):
    if differ_in_types(input_dataset, another_dataset):
        text = "input dataset and dataset to concatenate have different output_types %s and %s"
        # TensorFlow's message lacks the first types too.
        invalid(text + types_text(another_dataset))
    return set_declared_types(Concatenate(input_dataset, another_dataset), ctx)


@dataset_op(
    "ZipDataset",
    "input_datasets: N * variant -> handle: variant",
    **ELEMENTS,
    N=Attr("int", minimum=1),
)
def zip_dataset_op(ctx, input_datasets):
    return set_declared_types(Zip(input_datasets), ctx)
