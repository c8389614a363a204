"""Datasets that call functions: map, filter, flat_map, scan, reduce."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from tfmini._src.base.errors import (
    CancelledError,
    OpError,
    invalid,
)
from tfmini._src.graph.opdef import Attr, op_with_handles
from tfmini._src.ops.datasets.dataset_function import (
    CapturedFunction,
    Function,
    results_or_end,
    returned_dataset,
)
from tfmini._src.ops.datasets.dataset_value import (
    ELEMENTS,
    SOURCES,
    TYPE_LIST,
    TYPES,
    Dataset,
    Element,
    Iterator,
    Run,
    SameSizeDataset,
    UnaryDataset,
    WrappingIterator,
    dataset_op,
    set_declared_types,
)
from tfmini._src.ops.pending_ops import call_on_cancellation, check_not_cancelled

op = op_with_handles(**SOURCES)


class Map(SameSizeDataset):
    """The results of a function for each element."""

    keeps_types = False

    token = "/Map"  # prefix in the paths of its sources

    def __init__(self, source: Dataset, function: Function):
        super().__init__(source)
        self.functions = (function,)

    def iterate(self, run: Run, path: str) -> Iterator:
        return map_elements(self.source.iterate(run, path + self.token), self.functions[0], run)


class _MapIterator(WrappingIterator):
    def __init__(self, inner: Iterator, function: Any):
        super().__init__(inner)
        self._function = function

    def next(self) -> Element | None:
        element = self._inner.next()
        return None if element is None else results_or_end(self._function, element)


def map_elements(inner: Iterator, function: Function, run: Run) -> Iterator:
    """Returns an iterator over the results of a function, computed element by element or in batches."""
    batched_map = function.batched_call()
    if batched_map is None:
        return _MapIterator(inner, function.bind(run))
    return _ChunkedMapIterator(inner, function.bind(run), batched_map)


_FIRST_SIZE = 8  # half the number of elements mapped in the first batch
_MAX_BATCH = 128  # maximum number of elements mapped per batch


class _ChunkedMapIterator(Iterator):
    """Iterator that reads ahead in growing chunks if that is unobservable, and maps each chunk at once.

    If an element fails, the chunk is mapped one element at a time.
    """

    def __init__(self, inner: Iterator, function: Any, at_once: Any):
        self._inner = inner
        self._function = function
        self._at_once = at_once
        self._size = _FIRST_SIZE
        self._read: deque[Any] = deque()  # elements, and an error after the elements before it
        self._ready: deque[Element] = deque()

    is_pure = property(lambda self: self._inner.is_pure)

    def next(self) -> Element | None:
        if not self._ready and not self._read:
            self._fill()
        if self._ready:
            return self._ready.popleft()
        if not self._read:
            return None
        part = self._read.popleft()
        if isinstance(part, OpError):
            raise part
        return results_or_end(self._function, part)

    def _fill(self) -> None:
        """Reads ahead and maps as many elements at once as possible."""
        element = self._inner.next()
        if element is None:
            return
        elements: list[Any] = [element]
        failed: list[Any] = []
        self._size = min(2 * self._size, _MAX_BATCH)
        while len(elements) < self._size and self._inner.is_pure:
            try:
                element = self._inner.next()
            except OpError as error:
                failed = [error]
                break
            if element is None:
                break
            elements.append(element)
        if len(elements) > 1:
            try:
                self._ready.extend(self._at_once(elements))
                elements = []
            except OpError:  # sequential calls find the failing one
                pass
        self._read.extend([*elements, *failed])

    def save(self) -> Any:
        return self._size, list(self._read), list(self._ready), self._inner.save()

    def restore(self, state: Any) -> None:
        self._size, read, ready, inner = state
        self._read, self._ready = deque(read), deque(ready)
        self._inner.restore(inner)


class Filter(UnaryDataset):
    """The elements that satisfy a predicate."""

    def __init__(self, source: Dataset, function: Function):
        super().__init__(source)
        self.functions = (function,)

    def iterate(self, run: Run, path: str) -> Iterator:
        path += "/Filter"
        return _FilterIterator(self.source.iterate(run, path), self.functions[0].bind(run, path))


class _FilterIterator(_MapIterator):
    def __init__(self, inner: Iterator, function: Any):
        super().__init__(inner, function)
        self.is_fresh = inner.is_fresh

    def next(self) -> Element | None:
        while True:
            element = self._inner.next()
            if element is None:
                return None
            results = self._function(element)
            if len(results) != 1 or np.size(results[0]) != 1:
                invalid("Filter predicate `f` must return a scalar bool.")
            if results[0]:
                return element
            check_not_cancelled()


class FlatMap(UnaryDataset):
    """The concatenation of the datasets that a function returns for each element."""

    keeps_types = False

    def __init__(self, source: Dataset, function: CapturedFunction):
        super().__init__(source)
        self.functions = (function,)

    def iterate(self, run: Run, path: str) -> Iterator:
        path += "/FlatMap"
        return _Flat(self.source.iterate(run, path), self.functions[0].bind(run, path), run, path)


class _Flat(Iterator):
    is_fresh = False
    is_pure = property(
        lambda self: self._inner is not None and self._inner.is_pure and self._outer.is_pure
    )

    def __init__(self, outer: Iterator, function: Any, run: Run, path: str):
        self._outer = outer
        self._function = function
        self._run = run
        self._path = path
        self._index = 0
        self._inner: Iterator | None = None
        self._element: Element | None = None  # the element whose dataset is open

    def next(self) -> Element | None:
        while True:
            if self._inner is None:
                element = self._outer.next()
                if element is None:
                    return None
                self._inner = self._open(element)
                self._element = element
            following = self._inner.next()
            if following is not None:
                return following
            self._inner = None
            check_not_cancelled()

    def _open(self, element: Element) -> Iterator:
        dataset = self._run.rewrite(returned_dataset(self._function(element)))
        path = f"{self._path}[{self._index}]"
        self._index += 1
        return dataset.iterate(self._run, path)

    def save(self) -> Any:
        is_open = self._inner is not None
        inner = self._inner.save() if self._inner is not None else None
        return self._outer.save(), self._index, self._element if is_open else None, inner

    def restore(self, state: Any) -> None:
        outer, index, element, inner = state
        self._outer.restore(outer)
        self._index, self._inner = index, None
        if element is not None:
            self._index -= 1
            self._inner = self._open(element)
            self._element = element
            self._inner.restore(inner)


class Scan(SameSizeDataset):
    """The results of a function for each element, with a state passed from call to call."""

    keeps_types = False

    def __init__(self, source: Dataset, function: CapturedFunction, state: Element):
        super().__init__(source)
        self.functions = (function,)
        self.state = state

    def iterate(self, run: Run, path: str) -> Iterator:
        inner = self.source.iterate(run, path + "/Scan")
        return _ScanIterator(inner, self.functions[0].bind(run), self.state)


class _ScanIterator(WrappingIterator):
    is_fresh = False
    position = ("_state",)

    def __init__(self, inner: Iterator, function: Any, state: Element):
        super().__init__(inner)
        self._function = function
        self._state = state

    def next(self) -> Element | None:
        element = self._inner.next()
        if element is None:
            return None
        results = self._function((*self._state, *element))
        count = len(self._state)
        self._state = results[:count]
        return results[count:]


_FUNCTION = Attr("func")


@dataset_op(
    "MapDataset",
    "input_dataset: variant, other_arguments: Targuments -> handle: variant",
    f=_FUNCTION,
    Targuments=TYPE_LIST,
    **ELEMENTS,
    use_inter_op_parallelism=True,
    preserve_cardinality=False,
)
def map_dataset_op(ctx, input_dataset, other_arguments):
    return set_declared_types(Map(input_dataset, CapturedFunction(ctx, "f", other_arguments)), ctx)


@dataset_op(
    "FilterDataset",
    "input_dataset: variant, other_arguments: Targuments -> handle: variant",
    predicate=_FUNCTION,
    Targuments=TYPE_LIST,
    **ELEMENTS,
)
def filter_dataset_op(ctx, input_dataset, other_arguments):
    return set_declared_types(
        Filter(input_dataset, CapturedFunction(ctx, "predicate", other_arguments)), ctx
    )


@dataset_op(
    "FlatMapDataset",
    "input_dataset: variant, other_arguments: Targuments -> handle: variant",
    f=_FUNCTION,
    Targuments=TYPE_LIST,
    **ELEMENTS,
)
def flat_map_dataset_op(ctx, input_dataset, other_arguments):
    return set_declared_types(
        FlatMap(input_dataset, CapturedFunction(ctx, "f", other_arguments)), ctx
    )


@dataset_op(
    "ScanDataset",
    "input_dataset: variant, initial_state: Tstate, other_arguments: Targuments -> handle: variant",
    f=_FUNCTION,
    Tstate=TYPES,
    Targuments=TYPE_LIST,
    **ELEMENTS,
    preserve_cardinality=False,
)
def scan_dataset_op(ctx, input_dataset, initial_state, other_arguments):
    function = CapturedFunction(ctx, "f", other_arguments)
    return set_declared_types(Scan(input_dataset, function, initial_state), ctx)


@op(
    "ReduceDataset",
    "input_dataset: variant, initial_state: Tstate, other_arguments: Targuments -> components: output_types",
    infer=lambda op: list(op.attrs["output_shapes"]),
    differentiable=False,
    stateful=True,
    may_wait=True,
    borrowed_result=True,
    f=_FUNCTION,
    Tstate=TYPES,
    Targuments=TYPE_LIST,
    **ELEMENTS,
    use_inter_op_parallelism=True,
)
def reduce_dataset_op(ctx, input_dataset, initial_state, other_arguments):
    run = Run()
    cancellation = call_on_cancellation(run.close)
    try:
        function = CapturedFunction(ctx, "f", other_arguments).bind(run)
        elements = input_dataset.iterate(run, "")
        state = initial_state
        while not run.is_closed and (element := elements.next()) is not None:
            state = function((*state, *element))
            if len(state) != len(initial_state):
                invalid(
                    "The number of components of the initial state and the reduce function output does not match. "
                    f"(initial_state={len(initial_state)}, output={len(state)})."
                )
        if run.is_closed:
            raise CancelledError(None, None, "[_Derived_]Operation was cancelled")
        return state
    finally:
        cancellation.end(())
