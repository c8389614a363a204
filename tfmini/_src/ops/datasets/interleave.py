"""Interleaving of the datasets that a function returns, or of datasets selected by a dataset of indices."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base.dtypes import int64
from tfmini._src.base.errors import CancelledError, DeadlineExceededError, OpError, invalid
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.opdef import Attr
from tfmini._src.ops.datasets.dataset_function import CapturedFunction, returned_dataset
from tfmini._src.ops.datasets.dataset_value import (
    ELEMENTS,
    TYPE_LIST,
    Dataset,
    Element,
    Iterator,
    Run,
    UnaryDataset,
    dataset_op,
    differ_in_types,
    merge_batches,
    scalar_argument,
    set_declared_types,
    types_text,
)
from tfmini._src.ops.datasets.threaded_datasets import PrefetchIterator


class Interleave(UnaryDataset):
    """Interleaved elements of `cycle` datasets at a time, in blocks of `block` elements.

    prefetch: the number of elements that a thread prefetches from each dataset.
    paths: the number of paths assigned in turn to the datasets; 0 for one per position in the cycle.
    token: the name of this dataset in these paths.
    """

    keeps_types = False

    def __init__(
        self,
        source: Dataset,
        function: CapturedFunction,
        cycle: int,
        block: int,
        prefetch: int = 0,
        paths: int = 0,
        token: str = "/Interleave",
    ):
        super().__init__(source)
        self.token = token
        self.functions = (function,)
        self.settings = cycle, block, prefetch, paths

    def iterate(self, run: Run, path: str) -> Iterator:
        path += self.token
        source = self.source.iterate(run, path)
        iterator_class = _ThreadedInterleaveIterator if self.settings[-1] else _InterleaveIterator
        return iterator_class(source, run, path, self.functions[0], *self.settings)


class _InterleaveIterator(Iterator):
    is_fresh = False

    @property
    def is_pure(self) -> bool:
        """Whether at least one iterator is open and all are pure."""
        inner = [iterator for iterator in (*self._open, self._outer) if iterator is not None]
        return any(self._open) and all(iterator.is_pure for iterator in inner)

    def __init__(
        self,
        outer: Iterator,
        run: Run,
        path: str,
        function: CapturedFunction,
        cycle: int,
        block: int,
        prefetch: int,
        paths: int,
    ):
        self._outer: Iterator | None = outer
        self._function = function.bind(run, path)
        self._run = run
        self._path = path
        self._open: list[Iterator | None] = [None] * cycle
        self._elements: list[Any] = [None] * cycle  # open datasets, with their numbers
        self._count = 0  # datasets opened so far
        self._block = block
        self._prefetch = prefetch
        self._paths = paths
        self._position = 0  # position in the cycle
        self._given = 0  # position in the block

    def next(self) -> Element | None:
        while True:
            current = self._open[self._position]
            if current is not None:
                element = current.next()
                if element is not None:
                    self._count_element()
                    return element
                self._open[self._position] = self._elements[self._position] = None
                self._advance()
            elif self._outer is not None:
                outer = self._outer.next()
                if outer is None:
                    self._outer = None
                else:
                    path_index = self._count % self._paths if self._paths else self._position
                    self._count += 1
                    self._open[self._position] = self._open_inner(outer, path_index)
                    self._elements[self._position] = outer, path_index
            elif any(self._open):
                self._advance()
            else:
                return None

    def _count_element(self) -> None:
        self._given += 1
        if self._given == self._block:
            self._advance()

    def _advance(self) -> None:
        self._given = 0
        self._position = (self._position + 1) % len(self._open)

    def _open_inner(self, element: Element, path_index: int) -> Iterator:
        dataset = self._run.rewrite(returned_dataset(self._function(element)))
        inner = dataset.iterate(self._run, f"{self._path}[{path_index}]")
        return PrefetchIterator(inner, self._prefetch, self._run) if self._prefetch else inner

    def save(self) -> Any:
        pairs = zip(self._open, self._elements)
        inner = [
            None if iterator is None or element is None else (*element, iterator.save())
            for iterator, element in pairs
        ]
        outer = None if self._outer is None else self._outer.save()
        return outer, self._position, self._given, self._count, inner

    def restore(self, state: Any) -> None:
        outer, self._position, self._given, self._count, inner = state
        if outer is None or self._outer is None:
            self._outer = None
        else:
            self._outer.restore(outer)
        for slot, saved in enumerate(inner):
            if saved is not None:
                element, path_index, position = saved
                opened = self._open_inner(element, path_index)
                opened.restore(position)
                self._open[slot], self._elements[slot] = opened, (element, path_index)


class _ThreadedInterleaveIterator(_InterleaveIterator):
    """Interleaving by threads, which pass an error on in place of an element."""

    def next(self) -> Element | None:
        try:
            return super().next()
        except (CancelledError, DeadlineExceededError):
            raise
        except OpError:
            if self._open[self._position] is None:  # the dataset could not be opened
                self._open[self._position] = _NoElements()
            self._count_element()
            raise


class _NoElements(Iterator):
    is_pure = True

    def next(self) -> None:
        return None


_FUNCTION: dict[str, Any] = {"f": Attr("func"), "Targuments": TYPE_LIST, **ELEMENTS}
_SIGNATURE = (
    "input_dataset: variant, other_arguments: Targuments, cycle_length: int64, block_length: int64"
)


@dataset_op("InterleaveDataset", f"{_SIGNATURE} -> handle: variant", **_FUNCTION)
def interleave_dataset_op(ctx, input_dataset, other_arguments, cycle_length, block_length):
    cycle, block = _cycle_and_block_length(
        cycle_length, block_length, "{} must be greater than zero."
    )
    function = CapturedFunction(ctx, "f", other_arguments)
    return set_declared_types(Interleave(input_dataset, function, cycle, block), ctx)


@dataset_op(
    "ParallelInterleaveDatasetV2",
    f"{_SIGNATURE}, num_parallel_calls: int64 -> handle: variant",
    **_FUNCTION,
    sloppy=False,
)
def parallel_interleave_dataset_v2_op(
    ctx, input_dataset, other_arguments, cycle_length, block_length, num_parallel_calls
):
    cycle, block = _cycle_and_block_length(cycle_length, block_length)
    calls = scalar_argument(num_parallel_calls, "num_parallel_calls")
    if calls < 1 and calls != -1:
        invalid("num_parallel_calls must be greater than zero.")
    if calls > cycle:
        invalid("num_parallel_calls must less than or equal to cycle_length.")
    function = CapturedFunction(ctx, "f", other_arguments)
    settings = cycle, block, 2 * block, sys.maxsize, "/ParallelInterleaveV2"
    return set_declared_types(Interleave(input_dataset, function, *settings), ctx)


@dataset_op(
    "ParallelInterleaveDataset",
    f"{_SIGNATURE}, sloppy: bool, buffer_output_elements: int64, prefetch_input_elements: int64 -> handle: variant",
    **_FUNCTION,
)
def parallel_interleave_dataset_op(
    ctx,
    input_dataset,
    other_arguments,
    cycle_length,
    block_length,
    sloppy,
    buffer_output_elements,
    prefetch_input_elements,
):
    if scalar_argument(cycle_length, "cycle_length") <= 0:
        invalid("`cycle_length` must be > 0")
    cycle, block = _cycle_and_block_length(cycle_length, block_length)
    buffered = scalar_argument(buffer_output_elements, "buffer_output_elements")
    if buffered <= 0:
        invalid("`buffer_output_elements` must be > 0")
    scalar_argument(sloppy, "sloppy")
    opened = scalar_argument(prefetch_input_elements, "prefetch_input_elements")
    if opened < 0:
        invalid("`prefetch_input_elements` must be >= 0")
    function = CapturedFunction(ctx, "f", other_arguments)
    settings = cycle, block, buffered, cycle + opened, "/ParallelInterleave"
    return set_declared_types(Interleave(input_dataset, function, *settings), ctx)


def _cycle_and_block_length(
    cycle_length: Any, block_length: Any, expected: str = "`{}` must be > 0"
) -> tuple[int, int]:
    cycle = scalar_argument(cycle_length, "cycle_length")
    if cycle == -1:
        cycle = os.cpu_count() or 1
    if cycle <= 0:
        invalid(expected.format("cycle_length"))
    block = scalar_argument(block_length, "block_length")
    if block <= 0:
        invalid(expected.format("block_length"))
    return cycle, block


class DirectedInterleave(Dataset):
    """Elements of several datasets, selected by the indices of a selector, until it or all datasets end."""

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
        return _DirectedInterleaveIterator(inner[0], inner[1:])


class _DirectedInterleaveIterator(Iterator):
    is_fresh = False

    def __init__(self, selector: Iterator, inner: Sequence[Iterator]):
        self._selector = selector
        self._inner: list[Iterator | None] = list(inner)
        self._open = len(self._inner)  # number of iterators that are not exhausted

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

    def batch(self, count: int, drops_remainder: bool) -> tuple[int, Element | None]:
        """Reads all choices before the elements, which is unobservable because elements are array rows."""
        if not self._reads_at_once():
            return super().batch(count, drops_remainder)
        filled = 0
        parts: list[tuple[np.ndarray, Element]] = []  # positions in the batch, and elements
        while filled < count and self._open:
            read, selectors = self._selector.batch(count - filled, False)
            if selectors is None:
                self._inner = []
                self._open = 0
                break
            choices = selectors[0]
            is_outside = (choices < 0) | (choices >= len(self._inner))
            if is_outside.any():
                self._check(int(choices[is_outside.argmax()]))
            filled += self._gather(choices, filled, parts)
        if not filled or (drops_remainder and filled < count):
            return filled, None
        return filled, merge_batches(parts, filled)

    def _reads_at_once(self) -> bool:
        alive_iterators = [iterator for iterator in self._inner if iterator is not None]
        return bool(self._selector.is_pure) and all(
            iterator.rows is not None or iterator.remaining is not None
            for iterator in alive_iterators
        )

    def _gather(
        self, choices: np.ndarray, first: int, parts: list[tuple[np.ndarray, Element]]
    ) -> int:
        """Adds the elements of these choices to `parts`, from position `first` on; returns their number."""
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
