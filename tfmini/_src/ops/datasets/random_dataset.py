"""Infinite datasets of random numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.fresh_seeds import fresh_if_zero
from tfmini._src.devices.numpy.philox_words import Words
from tfmini._src.graph.opdef import op
from tfmini._src.ops.datasets.dataset_value import (
    ELEMENTS,
    INFINITE,
    Dataset,
    Element,
    Iterator,
    Run,
    handle_shape,
    scalar_argument,
    set_declared_types,
)


class RandomNumbers(Dataset):
    """Words of a random stream as int64 numbers, the same in each iteration."""

    def __init__(self, seeds: tuple[int, int]):
        self.seeds = seeds

    def iterate(self, run: Run, path: str) -> Iterator:
        return _Numbers(self.seeds)

    def cardinality(self) -> int:
        return INFINITE


class _Numbers(Iterator):
    is_pure = True

    def __init__(self, seeds: tuple[int, int]):
        self._seeds = fresh_if_zero(*seeds)
        self._words = Words(self._seeds)
        self._count = 0

    def next(self) -> Element:
        self._count += 1
        return (np.int64(self._words.next()),)

    def batch(self, count: int, drops_remainder: bool) -> tuple[int, Element | None]:
        words: list[int] = []
        while len(words) < count:
            words += self._words.several(count - len(words))
        self._count += count
        return count, (np.array(words, np.int64),)

    def save(self) -> Any:
        return self._seeds, self._count

    def restore(self, state: Any) -> None:
        self._seeds, self._count = state
        self._words = Words(self._seeds)
        self._words.skip(self._count)


@op(
    "RandomDataset",
    "seed: int64, seed2: int64 -> handle: variant",
    infer=handle_shape,
    stateful=True,
    **ELEMENTS,
)
def random_dataset_op(ctx, seed, seed2):
    seeds: Any = scalar_argument(seed, "seed"), scalar_argument(seed2, "seed2")
    return set_declared_types(RandomNumbers(seeds), ctx)
