"""k-means ops: nearest centers, and sampling of initial centers from points."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.devices.numpy.philox import block, seeded_stream
from tfmini._src.graph.opdef import op
from tfmini._src.graph.shape_inference import scalar
from tfmini._src.ops.operands import check_ranks

_MATRIX, _VECTOR, _SCALAR = 2, 1, 0


def _random_words(seed: int) -> Iterator[int]:
    """Yields the 32-bit words of the random stream for a seed."""
    stream, index = seeded_stream(seed, 0), 0
    while True:
        yield from block(stream, index)
        index += 1


def _uniform_below(words: Iterator[int], count: int) -> int:
    """Returns a uniform random number from 0 to count - 1, computed from two words by rejection sampling."""
    first_accepted = 0 if count & (count - 1) == 0 else (2**64 - 1) % count + 1
    while True:
        low = next(words)
        random_word = next(words) << 32 | low
        if random_word >= first_accepted:
            return random_word % count


def _fraction(words: Iterator[int]) -> np.float32:
    """Returns a number in [0, 1) from the low 23 bits of a word."""
    return np.float32((next(words) & 0x7FFFFF) / 2**23)


def _squared_distances(points: np.ndarray, centers: np.ndarray) -> np.ndarray:
    half = np.float32(0.5)
    point_norms = half * np.einsum("ij,ij->i", points, points)
    center_norms = half * np.einsum("ij,ij->i", centers, centers)
    return np.float32(2) * (point_norms[:, None] + center_norms - points @ centers.T)


@op(
    "NearestNeighbors",
    "points: float, centers: float, k: int64 "
    "-> nearest_center_indices: int64, nearest_center_distances: float",
    through_host=True,
)
def nearest_neighbors_op(xp, points, centers, k):
    """Finds the nearest centers of each point, in order of ascending distance; on ties, the lower index comes first."""
    check_ranks(_MATRIX, points=points, centers=centers)
    check_ranks(_SCALAR, k=k)
    if not len(points):
        invalid("Expected points.rows() > 0.")
    if points.shape[1] != centers.shape[1]:
        invalid(
            "Expected point_dimensions == center_dimensions: "
            f"{points.shape[1]} vs {centers.shape[1]}."
        )
    count = min(int(k), len(centers))
    if count <= 0:
        empty = (len(points), 0)
        return np.zeros(empty, np.int64), np.zeros(empty, np.float32)
    distances = _squared_distances(points, centers)
    if count == 1:
        nearest_centers = distances.argmin(axis=1)[:, None]
    else:
        nearest_centers = distances.argsort(axis=1, kind="stable")[:, :count]
    return nearest_centers.astype(np.int64), np.take_along_axis(distances, nearest_centers, axis=1)


@op(
    "KmeansPlusPlusInitialization",
    "points: float, num_to_sample: int64, seed: int64, num_retries_per_sample: int64 -> samples: float",
    through_host=True,
)
def kmeans_plus_plus_op(xp, points, num_to_sample, seed, num_retries_per_sample):
    """k-means++ initialization: prefers distant points; of several draws, uses the one with the lowest potential.

    Arthur and Vassilvitskii, "k-means++: the advantages of careful seeding" (SODA 2007).
    """
    check_ranks(_MATRIX, points=points)
    check_ranks(_SCALAR, num_to_sample=num_to_sample, seed=seed)
    check_ranks(_SCALAR, num_retries_per_sample=num_retries_per_sample)
    count, retries = int(num_to_sample), int(num_retries_per_sample)
    if not len(points):
        invalid("Expected points.rows() > 0.")
    if count <= 0:
        invalid("Expected num_to_sample > 0.")
    if count > len(points):
        invalid(f"Expected num_to_sample <= points.rows(). {count} vs {len(points)}.")
    if retries < 0:
        retries = 2 + int(math.log(count))
    words = _random_words(int(seed))
    sampled: list[int] = []
    nearest_distances = np.full(len(points), np.inf, np.float32)
    for _ in range(count):
        best: tuple[float, int, np.ndarray] | None = None
        sums = nearest_distances.cumsum(dtype=np.float32) if sampled else None
        for _ in range(1 + retries):
            sampled_index = _sample_index(words, sampled, sums, len(points))
            distances = np.minimum(
                nearest_distances,
                _squared_distances(points, points[sampled_index : sampled_index + 1])[:, 0],
            )
            total = float(distances.sum())
            if best is None or total < best[0]:
                best = (total, sampled_index, distances)
        assert best is not None
        sampled.append(best[1])
        nearest_distances = best[2]
    return points[sampled]


def _sample_index(words: Iterator[int], sampled: list[int], sums: Any, count: int) -> int:
    """Samples the first point uniformly, and later points in proportion to their distance to the chosen ones."""
    if sums is None:
        return _uniform_below(words, count)
    while True:
        sampled_index = int(np.searchsorted(sums, _fraction(words) * sums[-1], side="right"))
        if sampled_index not in sampled:
            return min(sampled_index, count - 1)


@op("KMC2ChainInitialization", "distances: float, seed: int64 -> index: int64", through_host=True)
def kmc2_chain_op(xp, distances, seed):
    """Runs a Markov chain over candidates, accepted by the ratio of distances, and returns its final state.

    Bachem, Lucic, Hassani and Krause, "Approximate k-means++ in sublinear time" (AAAI 2016).
    """
    check_ranks(_VECTOR, distances=distances)
    check_ranks(_SCALAR, seed=seed)
    if not distances.size:
        invalid("Expected distances_tensor.size() > 0.")
    words = _random_words(int(seed))
    state = 0
    for index in range(1, distances.size):
        if distances[index] > _fraction(words) * distances[state]:
            state = index
    return np.array(state, np.int64)


kmc2_chain_op.infer(scalar)
