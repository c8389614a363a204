"""Conversions of arrays for networks."""

from __future__ import annotations

import numpy as np

from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.graph.tensor import TensorLike


def to_categorical(
    y: TensorLike, num_classes: int | None = None, dtype: DTypeLike = "float32"
) -> np.ndarray:
    """Converts class indices to one-hot vectors.

    Args:
      y: class indices from 0; a last axis of size 1 is dropped.
      num_classes: number of classes, by default the largest index plus one.
      dtype: the dtype of the vectors.

    Returns:
      An array with the shape of `y` plus a class axis.
    """
    y = np.array(y, dtype="int")
    shape = y.shape[:-1] if y.shape and y.shape[-1] == 1 and len(y.shape) > 1 else y.shape
    y = y.ravel()
    num_classes = num_classes or int(np.max(y)) + 1
    one_hot = np.zeros((y.shape[0], num_classes), dtype=dtype)
    one_hot[np.arange(y.shape[0]), y] = 1
    return np.reshape(one_hot, (*shape, num_classes))


def normalize(x: np.ndarray, axis: int = -1, order: int = 2) -> np.ndarray:
    """Scales vectors along `axis` to unit norm.

    Args:
      x: an array.
      axis: axis of the vectors.
      order: order of the norm.
    """
    lengths = np.atleast_1d(np.linalg.norm(x, order, axis))
    lengths[lengths == 0] = 1
    return x / np.expand_dims(lengths, axis)
