"""Grouping by key: a function maps windows to datasets, or reduces each key to one result."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.graph.opdef import Attr
from tfmini._src.ops.datasets.batch import Elements
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
    set_declared_types,
)

_FUNCTION = Attr("func")


def _scalar_result(results: Element, function: str) -> int:
    """Converts the result of a function to an int."""
    if len(results) != 1 or np.size(results[0]) != 1:
        invalid(f"`{function}` must return a scalar int64.")
    return int(np.ravel(results[0])[0])


class GroupByWindow(UnaryDataset):
    """Datasets `reduce(key, window)` of windows of `size(key)` elements with equal keys; incomplete ones come last."""

    keeps_types = False

    def __init__(
        self,
        source: Dataset,
        key: CapturedFunction,
        reduce: CapturedFunction,
        size: CapturedFunction,
    ):
        super().__init__(source)
        self.functions = key, reduce, size

    def iterate(self, run: Run, path: str) -> Iterator:
        path += "/GroupByWindow"
        return _Windows(self.source.iterate(run, path), run, path, *self.functions)


class _Windows(Iterator):
    is_fresh = False

    def __init__(
        self,
        inner: Iterator,
        run: Run,
        path: str,
        key: CapturedFunction,
        reduce: CapturedFunction,
        size: CapturedFunction,
    ):
        self._inner: Iterator | None = inner
        self._run = run
        self._path = f"{path}[0]"  # path of all windows
        self._key, self._reduce, self._size = (f.bind(run, path) for f in (key, reduce, size))
        self._sizes: dict[int, int] = {}
        self._groups: dict[int, list[Element]] = {}
        self._current: Iterator | None = None
        self._flushed: tuple[int, list[Element]] = (0, [])  # the window being read

    def next(self) -> Element | None:
        while True:
            if self._current is not None:
                element = self._current.next()
                if element is not None:
                    return element
                self._current = None
            key = self._full_group()
            if key is None:
                if not self._groups:
                    return None
                key = min(self._groups)
            self._open(key)

    def _full_group(self) -> int | None:
        """Reads elements until a group is full and returns its key, or None at the end."""
        while self._inner is not None:
            element = self._inner.next()
            if element is None:
                self._inner = None
                break
            key = _scalar_result(self._key(element), "key_func")
            size = self._sizes.get(key)
            if size is None:
                size = _scalar_result(self._size((np.int64(key),)), "window_size_func")
                if size <= 0:
                    invalid(f"Window size must be greater than zero, but got {size}.")
                self._sizes[key] = size
            group = self._groups.setdefault(key, [])
            group.append(element)
            if len(group) == size:
                return key
        return None

    def save(self) -> Any:
        current = None
        if self._current is not None:
            current = self._flushed, self._current.save()
        inner = None if self._inner is None else self._inner.save()
        return list(self._sizes.items()), list(self._groups.items()), current, inner

    def restore(self, state: Any) -> None:
        sizes, groups, current, inner = state
        self._sizes, self._groups = dict(sizes), dict(groups)
        if inner is None or self._inner is None:
            self._inner = None
        else:
            self._inner.restore(inner)
        if current is not None:
            (key, elements), position = current
            previous = self._groups.pop(key, None)
            self._groups[key] = elements
            self._open(key)
            if previous is not None:
                self._groups[key] = previous
            assert self._current is not None
            self._current.restore(position)

    def _open(self, key: int) -> None:
        elements = self._groups.pop(key)
        self._flushed = key, elements
        results = self._reduce((np.int64(key), Elements(elements)))
        dataset = self._run.rewrite(returned_dataset(results))
        self._current = dataset.iterate(self._run, self._path)


class GroupByReducer(UnaryDataset):
    """One result per key, in key order: `reduce` folds the elements from `first(key)`; `last(state)` is the result."""

    keeps_types = False

    def __init__(
        self,
        source: Dataset,
        key: CapturedFunction,
        first: CapturedFunction,
        reduce: CapturedFunction,
        last: CapturedFunction,
    ):
        super().__init__(source)
        self.functions = key, first, reduce, last

    def iterate(self, run: Run, path: str) -> Iterator:
        path += "/GroupByReducer"
        inner = self.source.iterate(run, path)
        return _ReduceIterator(inner, *(function.bind(run, path) for function in self.functions))


class _ReduceIterator(Iterator):
    is_fresh = False

    def __init__(self, inner: Iterator, key: Any, first: Any, reduce: Any, last: Any):
        self._inner: Iterator | None = inner
        self._key, self._first, self._reduce, self._last = key, first, reduce, last
        self._states: dict[int, Element] = {}
        self._keys: list[int] = []  # in reverse order

    def next(self) -> Element | None:
        states = self._states
        while self._inner is not None:
            element = self._inner.next()
            if element is None:
                self._inner = None
                self._keys = sorted(states, reverse=True)
                break
            key = _scalar_result(self._key(element), "key_func")
            if key not in states:
                states[key] = self._first((np.int64(key),))
            states[key] = self._reduce((*states[key], *element))
        if not self._keys:
            return None
        return self._last(states.pop(self._keys.pop()))

    def save(self) -> Any:
        inner = None if self._inner is None else self._inner.save()
        return list(self._states.items()), self._keys, inner

    def restore(self, state: Any) -> None:
        states, self._keys, inner = state
        self._states = dict(states)
        if inner is None or self._inner is None:
            self._inner = None
        else:
            self._inner.restore(inner)


@dataset_op(
    "GroupByWindowDataset",
    "input_dataset: variant, key_func_other_arguments: Tkey_func_other_arguments, reduce_func_other_arguments: "
    "Treduce_func_other_arguments, window_size_func_other_arguments: Twindow_size_func_other_arguments -> "
    "handle: variant",
    key_func=_FUNCTION,
    reduce_func=_FUNCTION,
    window_size_func=_FUNCTION,
    Tkey_func_other_arguments=TYPE_LIST,
    Treduce_func_other_arguments=TYPE_LIST,
    Twindow_size_func_other_arguments=TYPE_LIST,
    **ELEMENTS,
)
def group_by_window_dataset_op(
    ctx,
    input_dataset,
    key_func_other_arguments,
    reduce_func_other_arguments,
    window_size_func_other_arguments,
):
    result = GroupByWindow(
        input_dataset,
        CapturedFunction(ctx, "key_func", key_func_other_arguments),
        CapturedFunction(ctx, "reduce_func", reduce_func_other_arguments),
        CapturedFunction(ctx, "window_size_func", window_size_func_other_arguments),
    )
    return set_declared_types(result, ctx)


@dataset_op(
    "GroupByReducerDataset",
    "input_dataset: variant, key_func_other_arguments: Tkey_func_other_arguments, init_func_other_arguments: "
    "Tinit_func_other_arguments, reduce_func_other_arguments: Treduce_func_other_arguments, "
    "finalize_func_other_arguments: Tfinalize_func_other_arguments -> handle: variant",
    stateful=True,
    key_func=_FUNCTION,
    init_func=_FUNCTION,
    reduce_func=_FUNCTION,
    finalize_func=_FUNCTION,
    Tkey_func_other_arguments=TYPE_LIST,
    Tinit_func_other_arguments=TYPE_LIST,
    Treduce_func_other_arguments=TYPE_LIST,
    Tfinalize_func_other_arguments=TYPE_LIST,
    **ELEMENTS,
)
def group_by_reducer_dataset_op(
    ctx,
    input_dataset,
    key_func_other_arguments,
    init_func_other_arguments,
    reduce_func_other_arguments,
    finalize_func_other_arguments,
):
    result = GroupByReducer(
        input_dataset,
        CapturedFunction(ctx, "key_func", key_func_other_arguments),
        CapturedFunction(ctx, "init_func", init_func_other_arguments),
        CapturedFunction(ctx, "reduce_func", reduce_func_other_arguments),
        CapturedFunction(ctx, "finalize_func", finalize_func_other_arguments),
    )
    return set_declared_types(result, ctx)
