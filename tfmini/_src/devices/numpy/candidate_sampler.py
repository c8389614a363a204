"""Candidate samplers, which draw classes for sampled losses from the Philox streams of TensorFlow 1.15's kernels.

A sampler draws `tries` samples from the start of a stream: `sample(stream, tries)`.
`probability(classes)` is the probability per draw. Each kind consumes the stream's words differently.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from tfmini._src.devices.numpy import random_distributions
from tfmini._src.devices.numpy.philox import Stream

# Added to the logits of excluded classes.
LOWEST = -float(np.finfo(np.float32).max)


class Uniform:
    """Samples all classes below `size` uniformly."""

    def __init__(self, size: int) -> None:
        self.size = size

    def sample(self, stream: Stream, tries: int) -> np.ndarray:
        return _uniform_below(stream, tries, self.size, random_distributions.raw_double_words).view(
            np.int64
        )

    def probability(self, classes: np.ndarray) -> np.ndarray:
        return np.full(classes.shape, 1.0 / self.size, np.float32)


class LogUniform:
    """Samples class k with probability log((k + 2) / (k + 1)) / log(size + 1), Zipf's law for ranked words."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.log_size = math.log1p(size)

    def sample(self, stream: Stream, tries: int) -> np.ndarray:
        values = random_distributions.uniform(np, stream, tries, np.float64)
        values *= self.log_size
        classes = np.exp(values, out=values).astype(np.int64)
        classes -= 1
        classes %= self.size  # rounding may reach `size`
        return classes

    def probability(self, classes: np.ndarray) -> np.ndarray:
        ratios = (classes + 2.0) / (classes + 1.0)
        return (np.log(ratios, out=ratios) / self.log_size).astype(np.float32)


class LearnedUnigramSampler:
    """Samples classes in proportion to their counts so far."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._weights = np.ones(size, np.int64)
        self._total = size

    def sample(self, stream: Stream, tries: int) -> np.ndarray:
        positions = _uniform_below(stream, tries, self._total, random_distributions.raw_words)
        return np.searchsorted(np.cumsum(self._weights), positions, side="right")

    def probability(self, classes: np.ndarray) -> np.ndarray:
        is_outside = (classes < 0) | (classes >= self.size)
        weights = np.where(is_outside, -1, self._weights[np.where(is_outside, 0, classes)])
        return weights.astype(np.float32) / np.float32(self._total)

    def see(self, classes: np.ndarray) -> None:
        """Counts these classes; counts saturate at 32 bits."""
        classes = classes[: 2**31 - 1 - self._total]
        self._total += len(classes)
        np.add.at(self._weights, classes[(classes >= 0) & (classes < self.size)], 1)


class FixedUnigramSampler:
    """Samples classes with fixed weights, using an alias table: each bucket contains its own class and an alternative.

    M. Vose, "A linear algorithm for generating random numbers with a given distribution", 1991.
    """

    def __init__(self, weights: Sequence[float], size: int) -> None:
        self.size = size
        self._weights = np.asarray(weights, np.float32)
        self._total = np.cumsum(self._weights)[-1]  # sequential sum in single precision
        self._kept, self._aliases = _alias_table(self._weights)
        # Few weights are finite and positive if a distortion makes them overflow.
        kept_indices, others = np.flatnonzero(self._kept > 0), self._aliases[~(self._kept >= 1)]
        self.possible = len(np.union1d(kept_indices, others))  # classes that can be drawn

    def sample(self, stream: Stream, tries: int) -> np.ndarray:
        count = len(self._weights)
        words = random_distributions.raw_words(np, stream, 2 * tries).reshape(-1, 2)
        units, buckets = words[:, 0], words[:, 1]
        if count & (count - 1) and (buckets < _rejection_threshold(count, np.uint32)).any():
            units, buckets = self._draw_sequentially(stream, tries)
        buckets = buckets % np.uint32(count)
        parts = (units & np.uint32(0x7FFFFF) | np.uint32(0x3F800000)).view(np.float32)
        parts = parts - np.float32(1)
        return np.where(parts < self._kept[buckets], buckets, self._aliases[buckets]).astype(
            np.int64
        )

    def _draw_sequentially(self, stream: Stream, tries: int) -> tuple[np.ndarray, np.ndarray]:
        """Returns each draw's words, drawn one by one since a rejected word shifts all later words."""
        limit = _rejection_threshold(len(self._weights), np.uint32)
        words = iter(random_distributions.raw_words(np, stream, 3 * tries + 64))
        pairs = np.empty((tries, 2), np.uint32)
        for pair in pairs:
            pair[0] = next(words)
            pair[1] = next(word for word in words if word >= limit)
        return pairs[:, 0], pairs[:, 1]

    def probability(self, classes: np.ndarray) -> np.ndarray:
        is_outside = (classes < 0) | (classes >= len(self._weights))
        weights = np.where(
            is_outside, np.float32(0), self._weights[np.where(is_outside, 0, classes)]
        )
        return weights / self._total


@cache
def _rejection_threshold(size: int, dtype: Any) -> Any:
    """Returns the rejection threshold for words, which makes all remainders equally frequent."""
    return dtype(int(np.iinfo(dtype).max) % size + 1)


def _uniform_below(stream: Stream, tries: int, size: int, words_of: Any) -> np.ndarray:
    """Returns numbers below `size`, drawn from words of 32 or 64 bits."""
    words = words_of(np, stream, tries)
    dtype = words.dtype.type
    if size & (size - 1):
        limit, read = _rejection_threshold(size, dtype), tries
        while len(accepted_words := words[words >= limit]) < tries:
            read += 16
            words = words_of(np, stream, read)
        words = accepted_words[:tries]
    return words % dtype(size)


def _alias_table(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns, for each bucket, the probability of the bucket's class, and the alternative class."""
    count = len(weights)
    total = np.cumsum(weights.astype(np.float64))[-1]
    shares = ((weights * np.float32(count)).astype(np.float64) / total).tolist()
    aliases = [-1] * count
    low = [index for index, share in enumerate(shares) if share < 1.0]
    high = [index for index, share in enumerate(shares) if not share < 1.0]
    while high and low:
        short, tall = low.pop(), high.pop()
        aliases[short] = tall
        shares[tall] -= 1.0 - shares[short]
        (low if shares[tall] < 1.0 else high).append(tall)
    for index in high + low:
        shares[index], aliases[index] = 1.0, index
    return np.array(shares).astype(np.float32), np.array(aliases)


def sample(sampler: Any, stream: Stream, count: int, unique: bool) -> tuple[np.ndarray, int]:
    """Returns `count` classes, each once if `unique`, and the number of draws."""
    if not unique:
        return sampler.sample(stream, count), count
    tries = count + count // 2 + 16
    while True:
        sampled_ids = sampler.sample(stream, tries).tolist()
        distinct = list(dict.fromkeys(sampled_ids))
        if len(distinct) >= count:
            del distinct[count:]
            return np.array(distinct, np.int64), sampled_ids.index(distinct[-1]) + 1
        tries *= 2


def expected_count(probability: np.ndarray, count: int, tries: int) -> np.ndarray:
    """Returns the expected count of a class with this probability among the candidates."""
    if tries == count:
        return probability * np.float32(count)
    return -np.expm1(np.float32(tries) * np.log1p(-probability))


def accidental_hits(true_classes: np.ndarray, candidates: np.ndarray) -> tuple[np.ndarray, ...]:
    """Returns the rows of true classes and the indices of candidates that are the same class."""
    size = len(candidates)
    if not size:
        return np.zeros(0, np.int32), np.zeros(0, np.int64), np.zeros(0, np.float32)
    order = np.argsort(candidates, kind="stable")
    ranked = candidates[order]
    last = np.searchsorted(ranked, true_classes.reshape(-1), side="right") - 1
    # Index -1 is the largest candidate: no hit.
    hits = np.flatnonzero(ranked[last] == true_classes.reshape(-1))
    rows = (hits // max(true_classes.shape[1], 1)).astype(np.int32)
    return rows, order[last[hits]].astype(np.int64), np.full(len(hits), LOWEST, np.float32)
