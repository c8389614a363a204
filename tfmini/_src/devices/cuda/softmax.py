"""Softmax and cross entropies on a GPU, computed in one launch each."""

from __future__ import annotations

import numpy as np

from tfmini._src.devices.arrays import ArrayModule
from tfmini._src.devices.cuda.launch import (
    FLOATS,
    INDEX_TYPES,
    Array,
    as_contiguous,
    matrix,
    rows,
    run,
)


def softmax(xp: ArrayModule, logits: Array, logarithm: bool = False) -> Array:
    """Returns exp(logits) / sum(exp(logits)) along the last axis, or its logarithm, for float32 or float64."""
    logits = as_contiguous(xp, logits)
    result = xp.empty_like(logits)
    if logits.size:
        name = "log_softmax" if logarithm else "softmax"
        count, columns = matrix(logits)
        kernel = f"{name}_{FLOATS[logits.dtype.name]}"
        run(xp, "softmax", kernel, *rows(count, columns), logits, result, count, columns)
    return result


def softmax_cross_entropy(xp: ArrayModule, logits: Array, labels: Array) -> tuple[Array, Array]:
    """Returns the losses [rows] of logits [rows, classes] and their gradients with respect to the logits.

    Logits or labels may have a single row or column, which is broadcast.
    """
    logits, labels = as_contiguous(xp, logits), as_contiguous(xp, labels)
    shape = count, columns = np.broadcast_shapes(logits.shape, labels.shape)
    losses = (xp.empty if columns else xp.zeros)(count, logits.dtype)
    gradients = xp.empty(shape, logits.dtype)
    if gradients.size:
        run(
            xp,
            "softmax",
            f"cross_entropy_{FLOATS[logits.dtype.name]}",
            *rows(count, columns),
            *(part for array in (logits, labels) for part in (array, *_strides(array))),
            losses,
            gradients,
            count,
            columns,
        )
    return losses, gradients


def _strides(array: Array) -> tuple[int, int]:
    """Returns the row and column strides in elements; 0 for a broadcast axis."""
    count, columns = array.shape
    return 0 if count == 1 else columns, 0 if columns == 1 else 1


def sparse_softmax_cross_entropy(
    xp: ArrayModule, logits: Array, labels: Array
) -> tuple[Array, Array]:
    """Returns the losses [rows] of logits [rows, classes] for the classes `labels` [rows], and their gradients with
    respect to the logits. Rows with an invalid label are NaN in both.
    """
    logits, labels = as_contiguous(xp, logits), as_contiguous(xp, labels)
    count, columns = logits.shape
    losses = (xp.empty if columns else xp.zeros)(count, logits.dtype)
    gradients = xp.empty_like(logits)
    if logits.size:
        types = f"{FLOATS[logits.dtype.name]}_{INDEX_TYPES[labels.dtype.name]}"
        run(
            xp,
            "softmax",
            f"sparse_cross_entropy_{types}",
            *rows(count, columns),
            logits,
            labels,
            losses,
            gradients,
            count,
            columns,
        )
    return losses, gradients
