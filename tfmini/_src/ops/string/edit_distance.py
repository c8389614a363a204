"""Edit distance: the number of insertions, deletions and substitutions between sequences."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.devices.host.native.sequences import edit_distance as native
from tfmini._src.graph.composite_values import SparseTensor, SparseTensorValue
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.shape_inference import Dims, InferenceError, input_value, with_rank
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.operands import ANY, check_not_negative, shape_text


def _distance(a: list[Any], b: list[Any]) -> int:
    """Computes the Levenshtein distance, building the table of prefix distances row by row."""
    row = list(range(len(a) + 1))
    for index, element in enumerate(b, 1):
        diagonal, row[0] = row[0], index
        for i, item in enumerate(a):
            min_edits = min(row[i], row[i + 1]) + 1
            diagonal, row[i + 1] = row[i + 1], min(min_edits, diagonal + (item != element))
    return row[-1]


def _groups(positions: np.ndarray, values: np.ndarray) -> list[tuple[list[int], list[Any]]]:
    """Groups consecutive elements of the same row into sequences; returns their positions and elements."""
    if not len(positions):
        return []
    rows = positions[:, :-1]
    boundaries = np.flatnonzero((rows[1:] != rows[:-1]).any(axis=1)) + 1
    starts = [0, *boundaries.tolist()]
    return [
        (rows[i].tolist(), part.tolist()) for i, part in zip(starts, np.split(values, boundaries))
    ]


def _merge_sequences(
    hypotheses: list, truths: list
) -> Iterator[tuple[list[int], list[Any], list[Any]]]:
    """Merges sequences by position; pairs unsorted sequences if they coincide in the merge, as TensorFlow does."""
    hypotheses, truths = hypotheses[::-1], truths[::-1]
    while hypotheses or truths:
        if not truths or (hypotheses and hypotheses[-1][0] < truths[-1][0]):
            position, hypothesis = hypotheses.pop()
            yield position, hypothesis, []
        elif not hypotheses or truths[-1][0] < hypotheses[-1][0]:
            position, truth = truths.pop()
            yield position, [], truth
        else:
            position, hypothesis = hypotheses.pop()
            yield position, hypothesis, truths.pop()[1]


def _codes(*sides: np.ndarray) -> list[np.ndarray]:
    """Encodes elements as int64 codes, which are equal for equal elements."""
    if sides[0].dtype.kind in "iub":
        return [np.ascontiguousarray(side, np.int64) for side in sides]
    ids: dict[Any, int] = {}
    return [
        np.array([ids.setdefault(v, len(ids)) for v in side.tolist()], np.int64) for side in sides
    ]


def _starts(positions: np.ndarray, sizes: list[int]) -> np.ndarray | None:
    """Returns the start of the sequence at each output position; None if out of range or unsorted."""
    rows = positions[:, :-1]
    if ((rows < 0) | (rows >= sizes)).any():
        return None
    flat = rows[:, 0]
    for column, size in zip(rows.T[1:], sizes[1:]):
        flat = flat * size + column
    if (flat[1:] < flat[:-1]).any():
        return None
    return flat.searchsorted(np.arange(math.prod(sizes) + 1))


def _check_operands(sides: dict[str, tuple]) -> None:
    for part, rank in enumerate((2, 1, 1)):
        rank_name = "matrix" if rank == 2 else "vector"
        for side, tensors in sides.items():
            if tensors[part].ndim != rank:
                label = f"{side}_{('indices', 'values', 'shape')[part]}"
                text = shape_text(tensors[part].shape)
                invalid(f"{label} should be a {rank_name}, but got shape: {text}")
    for side, (positions, _, shape) in sides.items():
        if side == "truth" and shape.size < 2:
            invalid(
                f"Input SparseTensors must have rank at least 2, but truth_shape rank is: {shape.size}"
            )
        if shape.size != positions.shape[1]:
            invalid(
                f"Expected {side}_shape.NumElements == #cols({side}_indices), their shapes are: "
                f"{shape_text(shape.shape)} and {shape_text(positions.shape)}"
            )
    truth, hypothesis = sides["truth"][2], sides["hypothesis"][2]
    if truth.size != hypothesis.size:
        invalid(
            "Expected truth and hypothesis to have matching ranks, but their shapes are: "
            f"{shape_text(truth.shape)} and {shape_text(hypothesis.shape)}"
        )
    for positions, values, shape in sides.values():
        check_not_negative(shape.tolist())
        if len(positions) != len(values):
            invalid(
                "indices and values rows (indexing dimension) must match. "
                f"(indices = {len(positions)}, values = {len(values)})"
            )


@op(
    "EditDistance",
    "hypothesis_indices: int64, hypothesis_values: T, hypothesis_shape: int64, "
    "truth_indices: int64, truth_values: T, truth_shape: int64 -> output: float",
    differentiable=False,
    static_inputs=("hypothesis_indices", "hypothesis_shape", "truth_indices", "truth_shape"),
    normalize=True,
    T=ANY,
)
def edit_distance_op(xp, h_indices, h_values, h_shape, t_indices, t_values, t_shape, *, normalize):
    _check_operands(
        {"hypothesis": (h_indices, h_values, h_shape), "truth": (t_indices, t_values, t_shape)}
    )
    sizes = np.maximum(h_shape, t_shape)[:-1].tolist()
    result = np.zeros(sizes, "f")  # first: sizes out of range fail here
    h_starts, t_starts = _starts(h_indices, sizes), _starts(t_indices, sizes)
    if h_starts is not None and t_starts is not None:
        codes = _codes(h_values, t_values)
        distances = native.distances((codes[0], h_starts), (codes[1], t_starts), normalize)
        if distances is not None:
            return xp.asarray(distances.reshape(sizes))
    for position, hypothesis, truth in _merge_sequences(
        _groups(h_indices, h_values), _groups(t_indices, t_values)
    ):
        distance: float = _distance(hypothesis, truth)
        if normalize:
            distance = distance / len(truth) if truth else math.inf
        if any(not 0 <= i < size for i, size in zip(position, sizes)):
            invalid(f"The sequence at {position} is outside the output shape {sizes}")
        result[tuple(position)] = distance
    return xp.asarray(result)


@edit_distance_op.infer
def _(op) -> Dims:
    for start in (0, 3):
        positions, values, shape = (
            with_rank(op.inputs[start + n]._dims, rank) for n, rank in enumerate((2, 1, 1))
        )
        if None not in (positions[0], values[0]) and positions[0] != values[0]:
            raise InferenceError(
                f"Number of elements in index ({positions[0]}) and values ({values[0]}) do not match."
            )
        if None not in (positions[1], shape[0]) and positions[1] != shape[0]:
            raise InferenceError(
                f"Index rank ({positions[1]}) and shape rank ({shape[0]}) do not match."
            )
    hypothesis, truth = input_value(op, 2), input_value(op, 5)
    if hypothesis is None or truth is None:
        return None
    if hypothesis.size != truth.size:
        raise InferenceError(
            "Num elements of hypothesis_shape does not match truth_shape: "
            f"{hypothesis.size} vs. {truth.size}"
        )
    return tuple(np.maximum(hypothesis, truth)[:-1].tolist())


@public
def edit_distance(
    hypothesis: TensorLike, truth: TensorLike, normalize: bool = True, name: str = "edit_distance"
) -> Tensor:
    """Computes the Levenshtein distance between the sequences along the last axis of sparse tensors.

    Args:
      hypothesis: SparseTensor [..., n] of any dtype.
      truth: SparseTensor [..., m] of the same dtype and rank.
      normalize: whether to divide by the length of the truth; the distance from an empty truth is
        then infinite, unless the hypothesis is empty as well.

    Returns:
      float32 Tensor [...].

    Raises:
      TypeError: if an argument is not a SparseTensor.
      ValueError, InvalidArgumentError (when run): if the ranks differ or are less than 2.
    """
    if not isinstance(hypothesis, SparseTensor | SparseTensorValue):
        raise TypeError("Hypothesis must be a SparseTensor.")
    if not isinstance(truth, SparseTensor | SparseTensorValue):
        raise TypeError("Truth must be a SparseTensor.")
    return raw.EditDistance(
        *_components(hypothesis), *_components(truth), normalize=normalize, name=name
    )


def _components(x: Any) -> tuple:
    return x.indices, x.values, x.dense_shape
