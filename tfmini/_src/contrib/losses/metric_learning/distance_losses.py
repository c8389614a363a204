"""Losses on the pairwise distances of a batch's rows."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


def row_distances(rows: Tensor, squared: bool = False) -> Tensor:
    """Returns Euclidean distances, [batch, batch], with a zero diagonal; zero distances pass no gradient."""
    row_norms = ops.reduce_sum(ops.square(rows), axis=[1], keepdims=True)
    column_norms = ops.reduce_sum(ops.square(ops.transpose(rows)), axis=[0], keepdims=True)
    squares = ops.add(row_norms, column_norms) - 2.0 * ops.matmul(rows, ops.transpose(rows))
    squares = ops.maximum(squares, 0.0)
    are_zero = ops.less_equal(squares, 0.0)
    if squared:
        distances = squares
    else:
        distances = ops.sqrt(squares + ops.cast(are_zero, dtypes.float32) * 1e-16)
    distances = ops.multiply(distances, ops.cast(ops.logical_not(are_zero), dtypes.float32))
    count = ops.shape(rows)[0]
    off_diagonal = ops.ones_like(distances) - ops.diag(ops.ones([count]))
    return ops.multiply(distances, off_diagonal)


def _masked_maximum(rows: Tensor, mask: Tensor) -> Tensor:
    """Returns the masked maximum of each row, [batch, 1]."""
    min_distance = ops.reduce_min(rows, 1, keepdims=True)
    return ops.reduce_max(ops.multiply(rows - min_distance, mask), 1, keepdims=True) + min_distance


def _smallest(rows: Tensor, mask: Tensor) -> Tensor:
    """Returns the masked minimum of each row, [batch, 1]."""
    row_max = ops.reduce_max(rows, 1, keepdims=True)
    return ops.reduce_min(ops.multiply(rows - row_max, mask), 1, keepdims=True) + row_max


def _as_column(labels: Any) -> Tensor:
    shape = ops.shape(labels)
    assert shape.shape == 1
    return ops.reshape(labels, [shape[0], 1])


def triplet_semihard_loss(labels: TensorLike, embeddings: Tensor, margin: float = 1.0) -> Tensor:
    """Returns the mean of max(margin + d^2 - n^2, 0) over pairs with equal labels and distance d.

    n is the distance from the first row to the nearest row with another label that is farther than d, or else to the
    farthest row with another label.

    Args:
      labels: [batch], class indices.
      embeddings: a float32 tensor [batch, width]; rows should have length 1.
      margin: required difference between squared distances.

    Returns:
      A float32 scalar.

    F. Schroff et al., "FaceNet", CVPR 2015.
    """
    labels = _as_column(labels)
    distances = row_distances(embeddings, squared=True)
    same_label = ops.equal(labels, ops.transpose(labels))
    other = ops.logical_not(same_label)
    count = ops.size(labels)

    tiled = ops.tile(distances, [count, 1])
    other_tiled = ops.tile(other, [count, 1])
    is_farther = ops.greater(tiled, ops.reshape(ops.transpose(distances), [-1, 1]))
    mask = ops.logical_and(other_tiled, is_farther)
    in_rows = ops.reduce_sum(ops.cast(mask, dtype=dtypes.float32), 1, keepdims=True)
    is_any = ops.transpose(ops.reshape(ops.greater(in_rows, 0.0), [count, count]))
    other = ops.cast(other, dtype=dtypes.float32)
    mask = ops.cast(mask, dtype=dtypes.float32)

    outer_negatives = ops.transpose(ops.reshape(_smallest(tiled, mask), [count, count]))
    inner_negatives = ops.tile(_masked_maximum(distances, other), [1, count])
    negatives = ops.where(is_any, outer_negatives, inner_negatives)
    losses = ops.add(margin, distances - negatives)
    positives = ops.cast(same_label, dtype=dtypes.float32) - ops.diag(ops.ones([count]))
    pairs = ops.reduce_sum(positives)
    total = ops.reduce_sum(ops.maximum(ops.multiply(losses, positives), 0.0))
    return ops.truediv(total, pairs, name="triplet_semihard_loss")


def lifted_struct_loss(labels: TensorLike, embeddings: Tensor, margin: float = 1.0) -> Tensor:
    """Returns the lifted structured loss, which compares positive pair distances with distances to all negatives.

    Args:
      labels: [batch], class indices.
      embeddings: a float32 tensor [batch, width].
      margin: minimum distance of rows with different labels.

    Returns:
      A float32 scalar.

    H. Song et al., "Deep metric learning via lifted structured feature embedding", CVPR 2016.
    """
    labels = _as_column(labels)
    distances = row_distances(embeddings)
    same_label = ops.equal(labels, ops.transpose(labels))
    other = ops.logical_not(same_label)
    count = ops.size(labels)

    diff = margin - distances
    mask = ops.cast(other, dtype=dtypes.float32)
    largest = _masked_maximum(diff, mask)
    largest = ops.maximum(largest, ops.transpose(largest))
    diff_tiled = ops.tile(diff, [count, 1])
    mask_tiled = ops.tile(mask, [count, 1])
    column_maxima = ops.reshape(ops.transpose(largest), [-1, 1])
    powers = ops.multiply(ops.exp(diff_tiled - column_maxima), mask_tiled)
    totals = ops.reshape(ops.reduce_sum(powers, 1, keepdims=True), [count, count])
    losses = largest + ops.log(totals + ops.transpose(totals))
    losses += distances

    positives = ops.cast(same_label, dtype=dtypes.float32) - ops.diag(ops.ones([count]))
    pairs = ops.reduce_sum(positives) / 2.0
    hinges = ops.maximum(ops.multiply(losses, positives), 0.0)
    total = 0.25 * ops.reduce_sum(ops.square(hinges))
    return ops.truediv(total, pairs, name="liftedstruct_loss")
