"""Filters in the layouts of primitives; a reordered filter is reused while its values are unchanged."""

from __future__ import annotations

import itertools
import operator
from dataclasses import dataclass

import numpy as np

from tfmini._src.base.locks import make_lock
from tfmini._src.devices.host.native.library import address
from tfmini._src.devices.host.onednn.library import Argument, Library, Steps

_MAX_FILTER_BYTES = 1 << 20  # maximum bytes of a filter; comparing larger filters saves little
_CACHE_BYTES = 1 << 25  # bytes of all copies
_MIN_UNUSED_LOOKUPS = 10_000  # number of uses of other filters after which a filter may be evicted
_SAMPLE_SIZE, _MAX_SAMPLES = 16, 1 << 10
_LINE = 64  # bytes of a cache line, by which the library aligns its own memory


@dataclass
class _CachedFilter:
    """A copy of a filter, and the reordered filter."""

    copy: np.ndarray
    reordered: np.ndarray
    last_use: int

    @property
    def bytes(self) -> int:
        return self.copy.nbytes + self.reordered.nbytes


class _Cache:
    """Cached filters by reordering and address, and the first values of uncached filters."""

    def __init__(self) -> None:
        self.filters: dict[tuple[FilterReordering, int], _CachedFilter] = {}
        self.samples: dict[tuple[FilterReordering, int], bytes] = {}
        self.bytes = 0
        self.uses = itertools.count()
        self.lock = make_lock()

    def remember(self, key: tuple[FilterReordering, int], sample: bytes) -> None:
        if len(self.samples) >= _MAX_SAMPLES:
            self.samples.clear()
        self.samples[key] = sample

    def has_room(self, size: int) -> bool:
        """Whether another filter fits, after evicting filters that were not used recently."""
        with self.lock:
            while self.bytes + size > _CACHE_BYTES:
                last_use, key = min(
                    ((cached.last_use, key) for key, cached in self.filters.items()),
                    key=operator.itemgetter(0),
                    default=(0, None),
                )
                if key is None or next(self.uses) - last_use < _MIN_UNUSED_LOOKUPS:
                    return False
                self._drop(key)
            return True

    def put(self, key: tuple[FilterReordering, int], cached: _CachedFilter) -> None:
        with self.lock:
            self._drop(key)
            self.filters[key] = cached
            self.bytes += cached.bytes

    def drop(self, key: tuple[FilterReordering, int]) -> None:
        with self.lock:
            self._drop(key)

    def _drop(self, key: tuple[FilterReordering, int]) -> None:
        dropped = self.filters.pop(key, None)
        if dropped is not None:
            self.bytes -= dropped.bytes


_cache = _Cache()


class FilterReordering:
    """The step that reorders a filter for a primitive, from layout `source` to `target`."""

    def __init__(self, library: Library, source: Argument, target: Argument):
        self.library, self.source, self.target = library, source, target
        self.steps = Steps(library)
        self.steps.add_reorder(source, target)
        self.bytes = library.calls.dnnl_memory_desc_get_size(target.description)

    def __call__(self, filter: np.ndarray) -> np.ndarray:
        """Returns the reordered filter, cached while all values of the array at this address are unchanged.

        A filter is cached only if its first values were unchanged at its last use, since optimizers change all values.
        """
        if filter.nbytes > _MAX_FILTER_BYTES:
            return self._reorder(filter)
        key = self, address(filter)
        cached = _cache.filters.get(key)
        if cached is not None:
            if not self.library.compare(address(cached.copy), key[1], filter.nbytes):
                cached.last_use = next(_cache.uses)
                return cached.reordered
            _cache.drop(key)
        sample = filter.reshape(-1)[:_SAMPLE_SIZE].tobytes()
        is_same = _cache.samples.get(key) == sample
        if not is_same or not _cache.has_room(filter.nbytes + self.bytes):
            _cache.remember(key, sample)
            return self._reorder(filter)
        copy = filter.copy()  # another thread may write to the filter
        result = self._reorder(copy)
        _cache.put(key, _CachedFilter(copy, result, next(_cache.uses)))
        return result

    def _reorder(self, filter: np.ndarray) -> np.ndarray:
        memory = np.empty(self.bytes + _LINE, np.uint8)
        first = -address(memory) % _LINE
        result = memory[first : first + self.bytes]
        self.steps.run((self.source, filter), (self.target, result))
        return result
