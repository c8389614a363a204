"""Datasets that filter elements: up to a condition, distinct, without errors, by a flag, or at random."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.errors import CancelledError, OpError, invalid
from tfmini._src.graph.opdef import Attr
from tfmini._src.ops.datasets.dataset_function import CapturedFunction
from tfmini._src.ops.datasets.dataset_value import (
    ELEMENTS,
    TYPE_LIST,
    Dataset,
    Element,
    Iterator,
    PassThroughIterator,
    Run,
    SameSizeDataset,
    UnaryDataset,
    dataset_op,
    scalar_argument,
    set_declared_types,
)
from tfmini._src.ops.datasets.shuffle import Words
from tfmini._src.ops.operands import dense


class TakeWhile(UnaryDataset):
    """Elements up to the first one for which a predicate is False."""

    def __init__(self, source: Dataset, function: CapturedFunction):
        super().__init__(source)
        self.functions = (function,)

    def iterate(self, run: Run, path: str) -> Iterator:
        path += "/TakeWhile"
        return _TakeWhileIterator(self.source.iterate(run, path), self.functions[0].bind(run, path))


class _TakeWhileIterator(PassThroughIterator):
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


class _Distinct(PassThroughIterator):
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


class Unique(UnaryDataset):
    """The distinct elements, in order of first occurrence."""

    iterator, token = _Distinct, "/Unique"


class _IgnoreErrorsIterator(PassThroughIterator):
    def next(self) -> Element | None:
        while True:
            try:
                return self._inner.next()
            except CancelledError:
                raise
            except OpError:
                continue


class IgnoreErrorsDataset(SameSizeDataset):
    """The elements that are computed without errors."""

    iterator, token = _IgnoreErrorsIterator, "/IgnoreErrors"


class _FilteredByLast(PassThroughIterator):
    def next(self) -> Element | None:
        while (element := self._inner.next()) is not None:
            if element[-1]:
                return element[:-1]
        return None


class FilterByLast(UnaryDataset):
    """The elements whose last component is True, with that component removed."""

    keeps_types = False
    iterator, token = _FilteredByLast, "/FilterByLastComponent"


class _SamplingIterator(PassThroughIterator):
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


class Sample(UnaryDataset):
    """Samples each element with probability `rate`."""

    iterator, token = _SamplingIterator, "/Sampling"


@dataset_op(
    "TakeWhileDataset",
    "input_dataset: variant, other_arguments: Targuments -> handle: variant",
    predicate=Attr("func"),
    Targuments=TYPE_LIST,
    **ELEMENTS,
)
def take_while_dataset_op(ctx, input_dataset, other_arguments):
    return set_declared_types(
        TakeWhile(input_dataset, CapturedFunction(ctx, "predicate", other_arguments)), ctx
    )


@dataset_op("UniqueDataset", "input_dataset: variant -> handle: variant", **ELEMENTS)
def unique_dataset_op(ctx, input_dataset):
    return set_declared_types(Unique(input_dataset), ctx)


@dataset_op("IgnoreErrorsDataset", "input_dataset: variant -> handle: variant", **ELEMENTS)
def ignore_errors_dataset_op(ctx, input_dataset):
    return set_declared_types(IgnoreErrorsDataset(input_dataset), ctx)


@dataset_op("FilterByLastComponentDataset", "input_dataset: variant -> output: variant", **ELEMENTS)
def filter_by_last_component_dataset_op(ctx, input_dataset):
    return set_declared_types(FilterByLast(input_dataset), ctx)


@dataset_op(
    "SamplingDataset",
    "input_dataset: variant, rate: float32, seed: int64, seed2: int64 -> handle: variant",
    **ELEMENTS,
)
def sampling_dataset_op(ctx, input_dataset, rate, seed, seed2):
    seeds = scalar_argument(seed, "seed"), scalar_argument(seed2, "seed2")
    return set_declared_types(Sample(input_dataset, scalar_argument(rate, "rate"), seeds), ctx)
