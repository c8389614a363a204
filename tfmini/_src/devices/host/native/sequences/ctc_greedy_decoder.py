"""Greedy decoding of connectionist temporal classification."""

from __future__ import annotations

import numpy as np

from tfmini._src.devices.host.native.library import FLOATS, SUFFIXES, function, is_contiguous
from tfmini._src.devices.host.threads import thread_count

_MIN_PARALLEL_LOGITS = 1 << 15


def best_labels(
    inputs: np.ndarray, lengths: np.ndarray, blank: int, merges: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray] | None:
    """Returns indices, values and shape of a sparse tensor of labels, and negated sums of the best logits [batch, 1].

    Returns None if NumPy must compute them.

    Args:
      inputs: [time, batch, classes], logits.
      lengths: int32 [batch], numbers of steps.
      blank: the class that represents no label.
      merges: whether to merge consecutive repeats.
    """
    if inputs.dtype not in FLOATS or inputs.ndim != 3 or not inputs.size:
        return None
    kernel = function(f"greedy_labels_{SUFFIXES[inputs.dtype]}")
    time, batch, classes = inputs.shape
    if kernel is None or lengths.shape != (batch,) or lengths.dtype != np.int32:
        return None
    if not is_contiguous(inputs) or not is_contiguous(lengths):
        return None
    labels, points = np.empty(batch * time, np.int64), np.empty((batch * time, 2), np.int64)
    counts, scores = np.empty(batch, np.int64), np.empty((batch, 1), inputs.dtype)
    shape = np.empty(2, np.int64)
    threads = thread_count() if inputs.size >= _MIN_PARALLEL_LOGITS else 1
    args = inputs, lengths, time, batch, classes, blank, merges
    total = kernel(*args, labels, points, counts, scores, shape, threads)
    return points[:total].copy(), labels[:total].copy(), shape, scores
