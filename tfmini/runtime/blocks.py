"""A group of elementwise ops evaluated block by block: each block's intermediate values stay in the cache."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tfmini.backend.threads import run_parts, thread_count

# Elements: below the first, one thread evaluates op by op as fast; a block of the second fits a core's cache.
_SMALLEST = 1 << 16
_BLOCK = 1 << 15


@dataclass(frozen=True)
class BlockStep:
    """One ufunc: where its operands come from and where its result goes.

    A place is ("input", i), ("buffer", i) or ("result", 0).
    """

    ufunc: np.ufunc
    operands: tuple[tuple[str, int], ...]
    target: tuple[str, int]


class Blocks:
    """Evaluates steps over whole arrays: `blocks(*inputs)` is the result, or None where they do not suit it.

    It takes inputs of one shape and scalars; small, strided or broadcast inputs are left to the plain way.
    """

    def __init__(self, steps: list[BlockStep], buffers: int, dtype: Any, whole: list[int]):
        self._steps = steps
        self._buffers = buffers
        self._dtype = dtype
        self._whole = whole

    def __call__(self, *inputs: Any) -> Any:
        first = inputs[self._whole[0]]
        size = first.size
        if size < _SMALLEST:
            return None
        for i in self._whole:
            array = inputs[i]
            if array.shape != first.shape or not array.flags.c_contiguous:
                return None
        result = np.empty(first.shape, self._dtype)
        flat: list[Any] = list(inputs)
        for i in self._whole:
            flat[i] = inputs[i].reshape(-1)
        out = result.reshape(-1)
        parts = min(thread_count(), size // _SMALLEST)
        bounds = [size * p // parts for p in range(parts + 1)]

        def work(part: int) -> None:
            self._run(flat, out, bounds[part], bounds[part + 1])

        run_parts(work, parts)
        return result

    def _run(self, flat: list, out: np.ndarray, begin: int, end: int) -> None:
        buffers = [np.empty(_BLOCK, self._dtype) for _ in range(self._buffers)]
        whole = set(self._whole)
        for start in range(begin, end, _BLOCK):
            stop = min(start + _BLOCK, end)
            places: dict[tuple[str, int], Any] = {
                ("input", i): a[start:stop] if i in whole else a for i, a in enumerate(flat)
            }
            places.update((("buffer", i), b[: stop - start]) for i, b in enumerate(buffers))
            places["result", 0] = out[start:stop]
            for step in self._steps:
                step.ufunc(*(places[p] for p in step.operands), places[step.target])
