"""Datasets that filter elements, or choose each from one of several datasets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base.dtypes import int64
from tfmini._src.base.errors import CancelledError, OpError, invalid
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.opdef import Attr
from tfmini._src.ops.datasets.dataset_function import Captured
from tfmini._src.ops.datasets.dataset_value import (
    ELEMENTS,
    TYPE_LIST,
    Dataset,
    Element,
    Iterator,
    Passing,
    Run,
    SameSize,
    Unary,
    dataset_op,
    differ_in_types,
    merge_batches,
    scalar_of,
    set_declared_types,
    types_text,
)
from tfmini._src.ops.datasets.shuffle import Words
from tfmini._src.ops.operands import dense


class DirectedInterleave(Dataset):
    """Interleaves several datasets by the indices of a selector, until it or all of them end."""

    inputs: Sequence[Dataset] = read_only()

    def __init__(self, selector: Dataset, datasets: Sequence[Dataset]):
        self._inputs = (selector, *datasets)

    def with_inputs(self, inputs: Sequence[Dataset]) -> Dataset:
        return DirectedInterleave(inputs[0], inputs[1:])

    def iterate(self, run: Run, path: str) -> Iterator:
        inner = [
            dataset.iterate(run, f"{path}/DirectedInterleave[{index}]")
            for index, dataset in enumerate(self._inputs)
        ]
        return _DirectedInterleaved(inner[0], inner[1:])


class _DirectedInterleaved(Iterator):
    is_fresh = False

    def __init__(self, selector: Iterator, inner: Sequence[Iterator]):
        self._selector = selector
        self._inner: list[Iterator | None] = list(inner)
        self._open = len(self._inner)  # not exhausted

    def next(self) -> Element | None:
        inner = self._inner
        while self._open:
            selector = self._selector.next()
            if selector is None:
                self._inner = []
                self._open = 0
                return None
            index = self._check(int(selector[0]))
            current = inner[index]
            if current is not None:
                element = current.next()
                if element is not None:
                    return element
                self._end(index)
        return None

    def _check(self, index: int) -> int:
        if not 0 <= index < len(self._inner):
            invalid(f"Selector index out of range: {index} >= {len(self._inner)}")
        return index

    def _end(self, index: int) -> None:
        self._inner[index] = None
        self._open -= 1

    def batch(self, count: int, drops: bool) -> tuple[int, Element | None]:
        """Reads all choices first, then the elements of each dataset: unobservable, as elements are array rows."""
        if not self._reads_at_once():
            return super().batch(count, drops)
        filled = 0
        parts: list[tuple[np.ndarray, Element]] = []  # places in the batch, and elements
        while filled < count and self._open:
            read, selectors = self._selector.batch(count - filled, False)
            if selectors is None:
                self._inner = []
                self._open = 0
                break
            choices = selectors[0]
            outside = (choices < 0) | (choices >= len(self._inner))
            if outside.any():
                self._check(int(choices[outside.argmax()]))
            filled += self._gather(choices, filled, parts)
        if not filled or (drops and filled < count):
            return filled, None
        return filled, merge_batches(parts, filled)

    def _reads_at_once(self) -> bool:
        alive = [iterator for iterator in self._inner if iterator is not None]
        return bool(self._selector.is_pure) and all(
            iterator.rows is not None or iterator.remaining is not None for iterator in alive
        )

    def _gather(
        self, choices: np.ndarray, first: int, parts: list[tuple[np.ndarray, Element]]
    ) -> int:
        """Adds the elements of these choices to `parts`, from position `first` on; returns the number of elements."""
        is_filled = np.zeros(len(choices), bool)
        read = []
        for index, current in enumerate(self._inner):
            positions = np.flatnonzero(choices == index)
            if current is None or not positions.size:
                continue
            size, elements = current.batch(len(positions), False)
            if size < len(positions):
                self._end(index)
            if elements is not None:
                is_filled[positions[:size]] = True
                read.append((positions[:size], elements))
        order = np.cumsum(is_filled) + (first - 1)
        parts += [(order[positions], elements) for positions, elements in read]
        return int(is_filled.sum())

    def save(self) -> Any:
        positions = [None if iterator is None else iterator.save() for iterator in self._inner]
        return self._selector.save(), positions

    def restore(self, state: Any) -> None:
        selector, positions = state
        self._selector.restore(selector)
        self._inner = self._inner[: len(positions)]
        self._open = sum(saved is not None for saved in positions)
        for index, (iterator, saved) in enumerate(zip(self._inner, positions)):
            if saved is None:
                self._inner[index] = None
            elif iterator is not None:
                iterator.restore(saved)


class TakeWhile(Unary):
    """Elements up to the first for which a predicate is False."""

    def __init__(self, source: Dataset, function: Captured):
        super().__init__(source)
        self.functions = (function,)

    def iterate(self, run: Run, path: str) -> Iterator:
        path += "/TakeWhile"
        return _TakeWhileIterator(self.source.iterate(run, path), self.functions[0].bind(run, path))


class _TakeWhileIterator(Passing):
    position = ("_is_done",)

    def __init__(self, inner: Iterator, function: Any):
        super().__init__(inner)
        self._function = function
        self._is_done = False

    def next(self) -> Element | None:
        if self._is_done:
            return None
        element = self._inner.next()
        if element is None:
            return None
        results = self._function(element)
        if len(results) != 1 or np.size(results[0]) != 1:
            invalid("`predicate` must returns a scalar bool tensor.")
        if results[0]:
            return element
        self._is_done = True
        return None


class _Distinct(Passing):
    def __init__(self, inner: Iterator):
        super().__init__(inner)
        self._seen: set[Any] = set()

    def next(self) -> Element | None:
        while True:
            element = self._inner.next()
            if element is None:
                return None
            array = dense(element[0])
            key = array.shape, tuple(array.ravel().tolist())
            if key not in self._seen:
                self._seen.add(key)
                return element

    def save(self) -> Any:
        return list(self._seen), self._inner.save()

    def restore(self, state: Any) -> None:
        elements, inner = state
        self._seen = set(elements)
        self._inner.restore(inner)


class Unique(Unary):
    """The distinct elements, each at its first occurrence."""

    iterator, token = _Distinct, "/Unique"


class _WithoutErrors(Passing):
    def next(self) -> Element | None:
        while True:
            try:
                return self._inner.next()
            except CancelledError:
                raise
            except OpError:
                continue


class WithoutErrors(SameSize):
    """The elements whose computation raises no error."""

    iterator, token = _WithoutErrors, "/IgnoreErrors"


class _FilteredByLast(Passing):
    def next(self) -> Element | None:
        while (element := self._inner.next()) is not None:
            if element[-1]:
                return element[:-1]
        return None


class FilterByLast(Unary):
    """The elements whose last component is True, without that component."""

    keeps_types = False
    iterator, token = _FilteredByLast, "/FilterByLastComponent"


class _Sampled(Passing):
    save, restore = Iterator.save, Iterator.restore  # the position in the words is not saved

    def __init__(self, inner: Iterator, rate: float, seeds: tuple[int, int]):
        super().__init__(inner)
        self._rate = np.float32(rate)
        self._words = Words(seeds)

    def next(self) -> Element | None:
        while (element := self._inner.next()) is not None:
            mantissa = np.uint32(self._words.next() & 0x7FFFFF | 0x3F800000)
            if mantissa.view(np.float32) - np.float32(1) < self._rate:
                return element
        return None


class Sample(Unary):
    """Samples each element with probability `rate`."""

    iterator, token = _Sampled, "/Sampling"


@dataset_op(
    "DirectedInterleaveDataset",
    "selector_input_dataset: variant, data_input_datasets: N * variant -> handle: variant",
    **ELEMENTS,
    N=Attr("int", minimum=1),
)
def directed_interleave_dataset_op(ctx, selector_input_dataset, data_input_datasets):
    selector = selector_input_dataset
    if selector.types and tuple(selector.types) != (int64,):
        invalid("The selector input must be a dataset of scalar int64 elements.")
    first = data_input_datasets[0]
    for index, dataset in enumerate(data_input_datasets):
        if differ_in_types(first, dataset):
            invalid(
                f"All inputs must have the same output_dtypes. First input has types {types_text(first)}, and input "
                f"{index} has types {types_text(dataset)}"
            )
    return set_declared_types(DirectedInterleave(selector_input_dataset, data_input_datasets), ctx)


@dataset_op(
    "TakeWhileDataset",
    "input_dataset: variant, other_arguments: Targuments -> handle: variant",
    predicate=Attr("func"),
    Targuments=TYPE_LIST,
    **ELEMENTS,
)
def take_while_dataset_op(ctx, input_dataset, other_arguments):
    return set_declared_types(
        TakeWhile(input_dataset, Captured(ctx, "predicate", other_arguments)), ctx
    )


@dataset_op("UniqueDataset", "input_dataset: variant -> handle: variant", **ELEMENTS)
def unique_dataset_op(ctx, input_dataset):
    return set_declared_types(Unique(input_dataset), ctx)


@dataset_op("IgnoreErrorsDataset", "input_dataset: variant -> handle: variant", **ELEMENTS)
def ignore_errors_dataset_op(ctx, input_dataset):
    return set_declared_types(WithoutErrors(input_dataset), ctx)


@dataset_op("FilterByLastComponentDataset", "input_dataset: variant -> output: variant", **ELEMENTS)
def filter_by_last_component_dataset_op(ctx, input_dataset):
    return set_declared_types(FilterByLast(input_dataset), ctx)


@dataset_op(
    "SamplingDataset",
    "input_dataset: variant, rate: float32, seed: int64, seed2: int64 -> handle: variant",
    **ELEMENTS,
)
def sampling_dataset_op(ctx, input_dataset, rate, seed, seed2):
    seeds = scalar_of(seed, "seed"), scalar_of(seed2, "seed2")
    return set_declared_types(Sample(input_dataset, scalar_of(rate, "rate"), seeds), ctx)
