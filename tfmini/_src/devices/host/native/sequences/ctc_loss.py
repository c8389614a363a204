"""Connectionist temporal classification: losses and gradients of a batch."""

from __future__ import annotations

from itertools import accumulate, chain

import numpy as np

from tfmini._src.devices.host.native.library import (
    FLOATS,
    SUFFIXES,
    address,
    function,
    is_contiguous,
)
from tfmini._src.devices.host.threads import thread_count

_MIN_PARALLEL_STATES = 1 << 12  # minimum states over all steps and examples


def losses(
    logits: np.ndarray, targets: list[list[int]], lengths: np.ndarray, merge: bool
) -> tuple[np.ndarray, np.ndarray] | None:
    """Returns losses [batch] and gradients with respect to logits [time, batch, classes]; None if left to NumPy.

    Args:
      logits: the logits.
      targets: the labels of each example: any class except the last.
      lengths: lengths of the examples; the results for an example of length 0 are zeros.
      merge: whether a class repeated in consecutive steps counts as one label.
    """
    if logits.dtype not in FLOATS or not is_contiguous(logits):
        return None
    kernel = function(f"ctc_{SUFFIXES[logits.dtype]}")
    if kernel is None:
        return None
    ends = np.fromiter(accumulate(map(len, targets)), np.int64, len(targets))
    labels = np.fromiter(chain.from_iterable(targets), np.int32, int(ends[-1]))
    lengths = np.minimum(lengths, len(logits)).astype(np.int32)
    loss, gradient = np.empty(len(targets), logits.dtype), np.empty_like(logits)
    states = int(lengths.max()) * (2 * labels.size + len(targets))
    threads = thread_count() if states >= _MIN_PARALLEL_STATES else 1
    args = address(logits), *logits.shape, address(labels), address(ends), address(lengths)
    kernel(*args, merge, address(loss), address(gradient), threads)
    return None if np.isnan(loss).any() and not np.isnan(logits).any() else (loss, gradient)
