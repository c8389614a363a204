"""Filters in the layouts that primitives read: those of later steps are reused while their numbers are the same."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

import numpy as np

from tfmini._src.base.locks import make_lock
from tfmini._src.devices.host.native.library import address
from tfmini._src.devices.host.onednn.library import Argument, Library, Steps

_LARGEST = 1 << 20  # bytes of a filter: comparing larger ones saves little
_KEPT = 1 << 24  # bytes of all filters that are kept
_SAMPLED = 16
_LINE = 64  # bytes of a cache line, by which the library aligns its own memory


@dataclass(frozen=True)
class _Kept:
    """A filter's first numbers, and, once a second step has found them equal, a copy of all with its reordering."""

    sample: bytes
    copy: np.ndarray | None = None
    reordered: np.ndarray | None = None


class _Cache:
    """By a primitive's reordering and the filter's address, the last used last."""

    def __init__(self) -> None:
        self.entries: OrderedDict[tuple[FilterReordering, int], _Kept] = OrderedDict()
        self.bytes = 0
        self.lock = make_lock()

    def put(self, key: tuple[FilterReordering, int], kept: _Kept) -> None:
        with self.lock:
            old = self.entries.pop(key, None)
            self.entries[key] = kept
            self.bytes += _size(kept) - (_size(old) if old else 0)
            while self.bytes > _KEPT:
                _, dropped = self.entries.popitem(last=False)
                self.bytes -= _size(dropped)


def _size(kept: _Kept) -> int:
    whole = 0 if kept.copy is None else kept.copy.nbytes
    return 200 + whole + (0 if kept.reordered is None else kept.reordered.nbytes)


_cache = _Cache()


class FilterReordering:
    """The step that writes a filter as a primitive reads it, from `given` to `wanted`."""

    def __init__(self, library: Library, given: Argument, wanted: Argument):
        self.library, self.given, self.wanted = library, given, wanted
        self.steps = Steps(library)
        self.steps.add_reorder(given, wanted)
        self.bytes = library.calls.dnnl_memory_desc_get_size(wanted.description)

    def __call__(self, filter: np.ndarray) -> np.ndarray:
        """The filter reordered. Later calls with the same array return the same result while its numbers, which are
        compared, do not change; optimizers change all, so that a few show it.
        """
        if filter.nbytes > _LARGEST:
            return self._reordered(filter)
        key = self, address(filter)
        sample = filter.reshape(-1)[:_SAMPLED].tobytes()
        kept = _cache.entries.get(key)
        if kept is None or kept.sample != sample:
            _cache.put(key, _Kept(sample))
            return self._reordered(filter)
        if kept.copy is not None and kept.reordered is not None:
            if not self.library.compare(address(kept.copy), key[1], filter.nbytes):
                return kept.reordered
            _cache.put(key, _Kept(sample))
            return self._reordered(filter)
        copy = filter.copy()  # another thread may write to the filter
        reordered = self._reordered(copy)
        _cache.put(key, _Kept(sample, copy, reordered))
        return reordered

    def _reordered(self, filter: np.ndarray) -> np.ndarray:
        memory = np.empty(self.bytes + _LINE, np.uint8)
        first = -address(memory) % _LINE
        result = memory[first : first + self.bytes]
        self.steps.run((self.given, filter), (self.wanted, result))
        return result
