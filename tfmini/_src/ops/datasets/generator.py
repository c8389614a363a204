"""Datasets defined by three generator functions: initialize, next element, finalize."""

from __future__ import annotations

import weakref
from contextlib import suppress
from typing import Any

from tfmini._src.base.errors import OpError, OutOfRangeError
from tfmini._src.graph.opdef import Attr
from tfmini._src.ops.datasets.dataset_function import CapturedFunction
from tfmini._src.ops.datasets.dataset_value import (
    ELEMENTS,
    TYPE_LIST,
    Dataset,
    Element,
    Iterator,
    Run,
    dataset_op,
    set_declared_types,
)


class Generator(Dataset):
    """Elements that `next_function` computes from the state returned by `first`, until it raises OutOfRangeError."""

    def __init__(
        self, first: CapturedFunction, next_function: CapturedFunction, last: CapturedFunction
    ):
        self.functions = first, next_function, last

    def iterate(self, run: Run, path: str) -> Iterator:
        return _GeneratorIterator(run, *self.functions)


class _GeneratorIterator(Iterator):
    is_fresh = False

    def __init__(
        self, run: Run, first: CapturedFunction, following: CapturedFunction, last: CapturedFunction
    ):
        self._first, self._following, self._last = (
            f.bind_unnamed(run) for f in (first, following, last)
        )
        self._run = run
        self._state: Element | None = None
        self._close_token: int | None = None
        self._is_done = False

    def next(self) -> Element | None:
        if self._is_done:
            return None
        if self._state is None:
            self._state = self._first(())
            # The run must not reference this iterator, so that an abandoned iterator finalizes the generator.
            end = weakref.WeakMethod(self._end)
            self._close_token = self._run.on_close(lambda: (end() or _nothing)())
        try:
            return self._following(self._state)
        except OutOfRangeError:
            self._is_done = True
            self._run.forget(self._close_token or 0)
            self._end()
            return None

    def _end(self) -> None:
        state, self._state = self._state, None
        self._is_done = True
        if state is not None:
            self._last(state)

    def __del__(self) -> None:
        if self._state is not None:
            self._run.forget(self._close_token or 0)
            with suppress(OpError):  # its Python function may have been freed at the same time
                self._end()


def _nothing() -> None:
    """Does nothing, in place of the `_end` of a garbage-collected iterator."""


@dataset_op(
    "GeneratorDataset",
    "init_func_other_args: Tinit_func_args, next_func_other_args: Tnext_func_args, "
    "finalize_func_other_args: Tfinalize_func_args -> handle: variant",
    through_host=True,
    stateful=True,
    init_func=Attr("func"),
    next_func=Attr("func"),
    finalize_func=Attr("func"),
    Tinit_func_args=TYPE_LIST,
    Tnext_func_args=TYPE_LIST,
    Tfinalize_func_args=TYPE_LIST,
    **ELEMENTS,
)
def generator_dataset_op(ctx, init_func_other_args, next_func_other_args, finalize_func_other_args):
    functions: list[Any] = [
        CapturedFunction(ctx, "init_func", init_func_other_args),
        CapturedFunction(ctx, "next_func", next_func_other_args),
        CapturedFunction(ctx, "finalize_func", finalize_func_other_args),
    ]
    return set_declared_types(Generator(*functions), ctx)
