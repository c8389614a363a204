"""Agreement of two clusterings of the same items: scores of at most 1, independent of cluster ids.

N. X. Vinh, J. Epps and J. Bailey, "Information theoretic measures for clusterings comparison", JMLR 2010; A. Rosenberg
and J. Hirschberg, "V-measure", EMNLP 2007; L. Hubert and P. Arabie, "Comparing partitions", 1985.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

_EPSILON = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class _Table:
    """Contingency table: counts of items in cluster i of the first and j of the second clustering, and its sums."""

    counts: np.ndarray
    rows: np.ndarray
    columns: np.ndarray
    total: int

    @property
    def is_trivial(self) -> bool:
        """Whether both clusterings have a single cluster, or there are no items."""
        return self.counts.shape in ((1, 1), (0, 0))

    def information(self) -> float:
        """Returns the mutual information of the two clusterings, in nats."""
        expected = np.outer(self.rows, self.columns)
        is_occupied = self.counts > 0
        counts = self.counts[is_occupied]
        logs = np.log(counts) + math.log(self.total) - np.log(expected[is_occupied])
        return max(float(np.sum(counts / self.total * logs)), 0.0)

    def expected_information(self) -> float:
        """Returns the expected `information` over random clusterings with the same cluster sizes."""
        total, information = self.total, 0.0
        log_factorials = np.array([math.lgamma(n + 1.0) for n in range(total + 1)])
        for a in self.rows:
            for b in self.columns:
                shared = np.arange(max(1, a + b - total), min(a, b) + 1)
                logs = log_factorials[[a, b, total - a, total - b]].sum() - log_factorials[total]
                logs = logs - log_factorials[shared] - log_factorials[a - shared]
                logs -= log_factorials[b - shared] + log_factorials[total - a - b + shared]
                gain = shared / total * (np.log(shared) + math.log(total) - math.log(a * b))
                information += float(np.sum(gain * np.exp(logs)))
        return information


def _contingency_table(labels: Any, predictions: Any) -> _Table:
    first, rows = np.unique(np.ravel(labels), return_inverse=True)
    second, columns = np.unique(np.ravel(predictions), return_inverse=True)
    counts = np.zeros((len(first), len(second)), np.int64)
    np.add.at(counts, (np.ravel(rows), np.ravel(columns)), 1)
    return _Table(counts, counts.sum(1), counts.sum(0), int(counts.sum()))


def _entropy(sizes: np.ndarray) -> float:
    shares = sizes / sizes.sum()
    return float(-np.sum(shares * np.log(shares)))


def normalized_mutual_information(labels: Any, predictions: Any) -> np.float64:
    """Returns the mutual information divided by the mean of both entropies: 0 to 1."""
    table = _contingency_table(labels, predictions)
    if table.is_trivial:
        return np.float64(1.0)
    mean = (_entropy(table.rows) + _entropy(table.columns)) / 2.0
    return np.float64(table.information() / max(mean, _EPSILON))


def adjusted_mutual_information(labels: Any, predictions: Any) -> np.float64:
    """Returns the mutual information adjusted for chance: 0 for random clusters, 1 for identical ones."""
    table = _contingency_table(labels, predictions)
    if table.is_trivial:
        return np.float64(1.0)
    chance = table.expected_information()
    capacity = (_entropy(table.rows) + _entropy(table.columns)) / 2.0 - chance
    capacity = min(capacity, -_EPSILON) if capacity < 0 else max(capacity, _EPSILON)
    return np.float64((table.information() - chance) / capacity)


def adjusted_rand_index(labels: Any, predictions: Any) -> np.float64:
    """Returns the fraction of pairs on which both clusterings agree, adjusted for chance."""
    table = _contingency_table(labels, predictions)
    if table.is_trivial or table.counts.shape == (table.total, table.total):
        return np.float64(1.0)

    def pairs(sizes: Any) -> float:
        return float(np.sum(sizes * (sizes - 1) / 2.0))

    rows, columns = pairs(table.rows), pairs(table.columns)
    chance = rows * columns / pairs(np.array(table.total))
    return np.float64((pairs(table.counts) - chance) / ((rows + columns) / 2.0 - chance))


def v_measure(labels: Any, predictions: Any) -> np.float64:
    """Returns the harmonic mean of homogeneity (one label per cluster) and completeness (one cluster per label)."""
    table = _contingency_table(labels, predictions)
    if not table.total:
        return np.float64(1.0)
    information = table.information()
    entropies = [_entropy(sizes) for sizes in (table.rows, table.columns)]
    homogeneity, completeness = (information / entropy if entropy else 1.0 for entropy in entropies)
    if homogeneity + completeness == 0.0:
        return np.float64(0.0)
    return np.float64(2.0 * homogeneity * completeness / (homogeneity + completeness))
