"""Caching of datasets, in memory for the lifetime of an iterator or persistently in files."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.errors import AlreadyExistsError
from tfmini._src.formats.bundle import Bundle
from tfmini._src.formats.bundle_writer import BundleWriter
from tfmini._src.formats.gfile_functions import exists, remove
from tfmini._src.formats.open_file import open_file
from tfmini._src.formats.schemes import c_string, local_path
from tfmini._src.formats.system_errors import translate_errors
from tfmini._src.ops.datasets.dataset_value import (
    ELEMENTS,
    Dataset,
    Element,
    Iterator,
    Run,
    SameSizeDataset,
    dataset_op,
    set_declared_types,
    string_argument,
)
from tfmini._src.ops.operands import dense, unwrap_string


class Cache(SameSizeDataset):
    """Elements cached in memory; the cache is valid once complete.

    elements: the storage, which belongs to the iterator by default.
    """

    def __init__(self, source: Dataset, elements: list | None = None):
        super().__init__(source)
        self.elements = elements

    def iterate(self, run: Run, path: str) -> Iterator:
        path += "/MemoryCacheImpl"
        elements = run.seeds.setdefault(path, []) if self.elements is None else self.elements
        return _CacheIterator(self.source, run, path, elements)


class _CacheIterator(Iterator):
    """Iterator that reads from the cache or fills it.

    epochs: empty, or a list of all elements, shared with other iterators.
    """

    is_fresh = False

    def __init__(self, source: Dataset, run: Run, path: str, epochs: list[list[Element]]):
        self._kept = epochs
        self._elements: list[Element] = epochs[0] if epochs else []
        self._inner = None if epochs else source.iterate(run, path)
        self._position = 0

    def next(self) -> Element | None:
        if self._inner is None:
            if self._position == len(self._elements):
                return None
            self._position += 1
            return self._elements[self._position - 1]
        element = self._inner.next()
        if element is not None:
            self._elements.append(element)
            return element
        self._inner, self._position = None, len(self._elements)
        self._kept[:] = [self._elements]
        return None

    def save(self) -> Any:
        inner = None if self._inner is None else self._inner.save()
        return self._elements, self._position, inner

    def restore(self, state: Any) -> None:
        self._elements, self._position, inner = state
        if inner is None or self._inner is None:
            self._inner = None
            self._kept[:] = [self._elements]
        else:
            self._inner.restore(inner)


class FileCache(SameSizeDataset):
    """Elements cached in files with a common path prefix."""

    def __init__(self, source: Dataset, prefix: str):
        super().__init__(source)
        self.prefix = c_string(prefix)

    def iterate(self, run: Run, path: str) -> Iterator:
        if exists(f"{self.prefix}.index"):
            return _FileCacheReader(local_path(self.prefix))
        return _FileCacheWriter(self.source.iterate(run, path + "/FileCacheImpl"), self.prefix, run)


def _element_key(row: int, column: int, columns: int) -> str:
    return f"{row:7d}_{column:{len(str(columns - 1))}d}"


class _FileCacheWriter(Iterator):
    is_fresh = False

    def __init__(self, inner: Iterator, prefix: str, run: Run):
        self._inner = inner
        self._prefix = prefix
        self._writer: BundleWriter | None = None
        self._lock = f"{prefix}_0.lockfile"
        self._run = run
        self._close_token = 0
        self._row = 0
        self._is_done = False

    def next(self) -> Element | None:
        if self._is_done:
            return None
        if self._writer is None:
            self._start()
        assert self._writer is not None
        element = self._inner.next()
        if element is None:
            self._is_done = True
            self._writer.finish()
            self._run.forget(self._close_token)
            self._unlock()
            return None
        for column, value in enumerate(element):
            self._writer.add(
                _element_key(self._row, column, len(element)), np.asarray(dense(value))
            )
        self._row += 1
        return element

    def _start(self) -> None:
        if exists(self._lock):
            raise AlreadyExistsError(
                None,
                None,
                f"There appears to be a concurrent caching iterator running - cache lockfile already exists "
                f"('{self._lock}'). If you are sure no other running TF computations are using this cache prefix, "
                "delete the lockfile and re-initialize the iterator.",
            )
        with translate_errors(self._lock), open_file(self._lock, "wb") as file:
            file.write(b"Created by an iterator over a dataset\n")
        self._writer = BundleWriter(local_path(self._prefix))
        self._close_token = self._run.on_close(self._unlock)

    def __del__(self) -> None:
        """Deletes the files of an incomplete cache."""
        if self._writer is not None and not self._is_done:
            self._writer.__exit__()

    def _unlock(self) -> None:
        if exists(self._lock):
            remove(self._lock)


class _FileCacheReader(Iterator):
    def __init__(self, prefix: str):
        self._bundle = Bundle(prefix)
        self._rows = [name for name, _ in self._bundle.entries()]
        self._columns = 1 + max(int(name.split("_")[1]) for name in self._rows) if self._rows else 1
        self._position = 0

    def next(self) -> Element | None:
        if self._position * self._columns == len(self._rows):
            return None
        row = self._position
        self._position += 1
        keys = [_element_key(row, column, self._columns) for column in range(self._columns)]
        return tuple([_unwrapped(self._bundle.read(key)) for key in keys])


def _unwrapped(value: Any) -> Any:
    return unwrap_string(value) if value.dtype == object else value


@dataset_op(
    "CacheDataset",
    "input_dataset: variant, filename: string -> handle: variant",
    **ELEMENTS,
    uses_files=True,
)
def cache_dataset_op(ctx, input_dataset, filename):
    prefix = string_argument(filename, "filename")
    result = FileCache(input_dataset, prefix) if prefix else Cache(input_dataset)
    return set_declared_types(result, ctx)
