"""Random choices from a Philox stream: permutations, and classes drawn by their logits."""

from __future__ import annotations

import numpy as np

from tfmini._src.devices.arrays import Array, ArrayModule
from tfmini._src.devices.host.native.random_numbers import choices
from tfmini._src.devices.host.native.shuffle import shuffle_permutation
from tfmini._src.devices.numpy.philox import Stream
from tfmini._src.devices.numpy.random_distributions import (
    RESERVED_BLOCKS,
    first_unit_doubles,
    raw_words,
    uniform,
)


def permutation_blocks(size: int) -> int:
    """Returns the number of random blocks that a shuffle of `size` rows consumes."""
    return (size + 2) // 4 if size > 1 else 0


def permutation(xp: ArrayModule, stream: Stream, size: int) -> Array:
    """Returns the permutation of TensorFlow's RandomShuffle, int64 [size].

    It is a Fisher-Yates shuffle: step i swaps positions i and j(i) >= i. Unless a library has a kernel, it is computed
    without a loop: after step i, position i is final, with the previous content of j(i). Position p initially contains
    p; a step m that swaps with p moves the content of m there. Each value is thus found by following, from m to m, the
    last earlier step with j(m) = p; chains are followed by doubling.
    """
    if size < 2:
        return xp.arange(size, dtype=np.int64)
    words = raw_words(xp, stream, size - 1)
    order = shuffle_permutation(words) if xp is np else None
    if order is not None:
        return order
    steps = xp.arange(size, dtype=np.int64)
    partners = steps.copy()
    partners[:-1] += words % xp.arange(size, 1, -1, dtype=np.uint32)

    ordered = xp.sort(partners << 32 | steps)  # by partner, then by step
    partner, step = ordered >> 32, ordered & 0xFFFFFFFF
    is_first_step = xp.ones(size, bool)  # the first step with this partner
    is_first_step[1:] = partner[1:] != partner[:-1]
    closes_cycle = xp.ones(size, bool)  # the last step with this partner
    closes_cycle[:-1] = is_first_step[1:]
    previous_index = xp.full(size, -1, np.int64)
    previous_index[1:][~is_first_step[1:]] = step[:-1][~is_first_step[1:]]

    # before[k]: the content of position k just before step k, which may swap it with itself.
    predecessor = steps.copy()
    last = xp.where(step == partner, previous_index, step)[closes_cycle]
    swapped = last >= 0
    predecessor[partner[closes_cycle][swapped]] = last[swapped]
    while True:
        next_predecessor = predecessor[predecessor]
        if bool((next_predecessor == predecessor).all()):
            break
        predecessor = next_predecessor

    order = xp.empty(size, np.int64)
    order[step] = xp.where(previous_index >= 0, predecessor[previous_index], partner)
    return order


def classes_blocks(rows: int, samples: int) -> int:
    """Returns the number of random blocks consumed by drawing `samples` classes for each of `rows`."""
    return rows * -(-samples // 4) * 8 * RESERVED_BLOCKS


def classes(xp: ArrayModule, stream: Stream, logits: Array, samples: int) -> Array:
    """Draws `samples` class indices, int64, for each row of `logits` [rows, classes], floats.

    An index is the position of a uniform number in the row's cumulative exponentials; classes with nonfinite logits are
    never chosen unless no logit is finite.
    """
    rows = logits.shape[0]
    if logits.dtype.kind == "V":
        logits = logits.astype(np.float32)
    uniforms = uniform(xp, stream, rows * samples, np.float64).reshape(rows, samples)
    return _choose_indices(xp, logits, uniforms)


def classes_from_seeds(logits: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    """Returns the class that `classes` draws from one row of `logits` [1, classes] with each seed's stateless stream.

    seeds: int64 [streams, 2].
    """
    if logits.dtype.kind == "V":
        logits = logits.astype(np.float32)
    return _choose_indices(np, logits, first_unit_doubles(seeds)[np.newaxis])[0]


def _choose_indices(xp: ArrayModule, logits: Array, uniforms: Array) -> Array:
    """Returns the class indices that correspond to `uniforms` [rows, samples]."""
    (_, count), (rows, samples) = logits.shape, uniforms.shape
    indices = choices(logits, uniforms) if xp is np else None
    if indices is not None:
        return indices
    finite = xp.isfinite(logits)
    lowest = xp.finfo(logits.dtype).min if logits.dtype.kind == "f" else xp.iinfo(logits.dtype).min
    largest = xp.where(finite, logits, lowest).max(axis=1, keepdims=True)
    weights = xp.exp(xp.where(finite, logits, -xp.inf).astype(np.float64) - largest)
    bounds = xp.cumsum(weights, axis=1)
    expected = uniforms * bounds[:, -1:]
    if samples * 4 < count or samples < 4:
        return xp.stack(
            [(bounds <= expected[:, sample, None]).sum(axis=1) for sample in range(samples)], axis=1
        ).astype(np.int64)
    indices = xp.empty((rows, samples), np.int64)
    for row in range(rows):
        indices[row] = xp.searchsorted(bounds[row], expected[row], side="right")
    return indices
