"""Pass-through datasets that set threads, worker count or delays; datasets of matching file names."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base.errors import NotFoundError, invalid
from tfmini._src.formats.glob_pattern import matching
from tfmini._src.graph.op_traits.handle_kinds import THREAD_POOL, Resource
from tfmini._src.graph.opdef import Attr
from tfmini._src.ops.datasets.dataset_value import (
    ELEMENTS,
    Dataset,
    Element,
    Iterator,
    Passing,
    Run,
    SameSize,
    Unchanged,
    dataset_op,
    scalar_of,
    set_declared_types,
)
from tfmini._src.ops.operands import dense


class _Delayed(Passing):
    def __init__(self, inner: Iterator, seconds: float):
        super().__init__(inner)
        self._seconds = seconds

    def next(self) -> Element | None:
        time.sleep(min(self._seconds, _MAX_SECONDS))
        return self._inner.next()


class Delay(SameSize):
    """Sleeps before each element."""

    iterator, token = _Delayed, "/Sleep"


_MAX_SECONDS = 1e8  # seconds (3 years), to avoid overflow of the system's clock


@dataset_op(
    "SleepDataset",
    "input_dataset: variant, sleep_microseconds: int64 -> handle: variant",
    **ELEMENTS,
)
def sleep_dataset_op(ctx, input_dataset, sleep_microseconds):
    pause = scalar_of(sleep_microseconds, "sleep_microseconds")
    if pause < 0:
        invalid("`sleep_microseconds` must be >= 0")
    return set_declared_types(Delay(input_dataset, pause / 1e6), ctx)


@dataset_op("NonSerializableDataset", "input_dataset: variant -> handle: variant", **ELEMENTS)
def non_serializable_dataset_op(ctx, input_dataset):
    return set_declared_types(WithDeclaredTypes(input_dataset, "NonSerializable"), ctx)


class WithDeclaredTypes(Unchanged):
    """The elements of another dataset, with the types declared by the op."""

    keeps_types = False


class Threads(Resource):
    """A named thread pool; each dataset gets separate threads, as many as it requests."""

    resource_kind = THREAD_POOL

    def __init__(self, count: int):
        self.count = count


@dataset_op(
    "ThreadPoolHandle",
    "-> handle: resource",
    stateful=True,
    num_threads=Attr("int"),
    max_intra_op_parallelism=1,
    display_name=Attr("string"),
    container="",
    shared_name="",
)
def thread_pool_handle_op(ctx):
    attrs = ctx.attrs
    if attrs["num_threads"] <= 0:
        invalid("`num_threads` must be greater than zero.")
    key = ("thread pool", attrs["container"], attrs["shared_name"] or (ctx.op.name,))
    return ctx.resources.named(key, lambda: Threads(attrs["num_threads"]))


@dataset_op(
    "MatchingFilesDataset", "patterns: string -> handle: variant", stateful=True, uses_files=True
)
def matching_files_dataset_op(xp, patterns):
    array = dense(patterns)
    if array.ndim > 1:
        invalid("patterns must be a scalar or vector.")
    return Matching([bytes(pattern) for pattern in np.ravel(array)])


class Matching(Dataset):
    """File names that match patterns, in pattern order."""

    def __init__(self, patterns: Sequence[bytes]):
        self._patterns = patterns

    def iterate(self, run: Run, path: str) -> Iterator:
        return _Matches(self._patterns)


class _Matches(Iterator):
    is_fresh = False

    def __init__(self, patterns: Sequence[bytes]):
        self._patterns = patterns
        self._found: list[Any] | None = None
        self._place = 0

    def next(self) -> Element | None:
        if self._found is None:
            self._found = [path for pattern in self._patterns for path in sorted(matching(pattern))]
            if not self._found:
                raise NotFoundError(None, None, "Don't find any matched files")
        if self._place == len(self._found):
            return None
        self._place += 1
        return (self._found[self._place - 1],)

    def save(self) -> Any:
        return self._place

    def restore(self, state: Any) -> None:
        self._place = state
