"""Examples for dual coordinate ascent: rows of feature ids and values that refer to one vector of all weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.base.records import dataclass


@dataclass(frozen=True)
class Examples:
    """A batch of examples; one vector contains the weights of all feature groups.

    positions: for each example, the positions of the weights of its features.
    values: for each example, its features as doubles.
    norms: for each example, the sum of their squares.
    nominals: the weights, float32.
    ends: end positions of the weights of each group, first sparse, then dense groups.
    """

    positions: list[np.ndarray]
    values: list[np.ndarray]
    norms: np.ndarray
    nominals: np.ndarray
    ends: list[int]


def gather(
    count: int,
    example_indices: tuple,
    feature_indices: tuple,
    feature_values: tuple,
    dense: tuple,
    indices: tuple,
    sparse_weights: tuple,
    dense_weights: tuple,
) -> Examples:
    """Collects the examples from the inputs of an op."""
    weights = [np.ravel(w) for w in (*sparse_weights, *dense_weights)]
    ends = np.cumsum([w.size for w in weights], dtype=np.int64).tolist()
    starts = [0, *ends]
    rows, positions, values = [], [], []
    for group, (examples, features) in enumerate(zip(example_indices, feature_indices)):
        group_values = feature_values[group] if group < len(feature_values) else None
        group_rows = _sparse_group(count, examples, features, group_values, indices[group])
        rows.append(group_rows[0])
        positions.append(group_rows[1] + starts[group])
        values.append(group_rows[2])
    for group, matrix in enumerate(dense, len(example_indices)):
        width = matrix.shape[1]
        if width > weights[group].size:
            invalid(f"More dense features than we have parameters for: {width}")
        if len(matrix) != count:
            invalid(f"Expected {count} rows of dense features but got {len(matrix)}")
        rows.append(np.repeat(np.arange(count), width))
        positions.append(np.tile(np.arange(width) + starts[group], count))
        values.append(matrix.reshape(-1).astype(np.float64))
    row, position, value = (np.concatenate(parts) for parts in (rows, positions, values))
    order = np.argsort(row, kind="stable")
    boundaries = np.searchsorted(row[order], np.arange(1, count))
    return Examples(
        positions=np.split(position[order], boundaries) if count else [],
        values=np.split(value[order], boundaries) if count else [],
        norms=np.bincount(row, value * value, count),
        nominals=np.concatenate(weights),
        ends=ends,
    )


def _sparse_group(count: int, examples: Any, features: Any, value: Any, indices: Any) -> tuple:
    """Returns the examples, positions and values of a group; out-of-order entries are skipped, as in TensorFlow."""
    examples, features = np.ravel(examples), np.ravel(features)
    if examples.size != features.size:
        invalid(
            "Found mismatched example_indices and feature_indices "
            f"[{_number_lines(examples)}] vs [{_number_lines(features)}]"
        )
    wrong = (examples < 0) | (examples >= count)
    wrong[1:] |= examples[1:] < examples[:-1]
    size = int(wrong.argmax()) if wrong.any() else wrong.size
    examples, features = examples[:size], features[:size]
    present = np.ravel(indices)
    order = np.argsort(present, kind="stable")
    insertion = np.searchsorted(present[order], features, side="right") - 1
    missing = (
        (insertion < 0) | (present[order][insertion] != features)
        if present.size
        else np.ones(size, bool)
    )
    if missing.any():
        invalid(
            f"Found sparse feature indices out of valid range: {features[int(missing.argmax())]}"
        )
    positions = order[insertion]
    pairs = examples * np.int64(present.size) + positions
    if np.unique(pairs).size != pairs.size:
        invalid("Duplicate index in sparse vector.")
    if value is None:
        return examples, positions, np.ones(size)
    values = np.ravel(value)
    if values.size < size:
        invalid(f"Expected {size} feature values but got {values.size}")
    return examples, positions, values[:size].astype(np.float64)


def _number_lines(indices: np.ndarray) -> str:
    return "\n".join(map(str, indices.tolist()))
