"""Prefix beam search of connectionist temporal classification."""

from __future__ import annotations

import numpy as np

from tfmini._src.devices.host.native.library import FLOATS, SUFFIXES, address, function
from tfmini._src.devices.host.threads import thread_count

_MIN_PARALLEL_CANDIDATES = 1 << 14


def best_prefixes(
    log_probs: np.ndarray, lengths: np.ndarray, width: int, count: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """Returns labels [batch, count, time], label counts and log probabilities [batch, count] of the best prefixes.

    Returns None if Python must compute them, or an example has fewer prefixes.

    Args:
      log_probs: log probabilities [time, batch, classes]; the last class is the blank.
      lengths: int32 [batch], at most `time`.
      width: width of the beam.
      count: number of prefixes per example.
    """
    if log_probs.dtype not in FLOATS or len(log_probs) * width >= 1 << 31:
        return None
    kernel = function(f"beam_search_{SUFFIXES[log_probs.dtype]}")
    if kernel is None:
        return None
    log_probs, lengths = np.ascontiguousarray(log_probs), np.ascontiguousarray(lengths)
    shape = len(lengths), count
    labels, counts = np.empty((*shape, len(log_probs)), np.int64), np.empty(shape, np.int64)
    scores = np.empty(shape, log_probs.dtype)
    results = labels, counts, scores
    threads = thread_count() if log_probs.size * width >= _MIN_PARALLEL_CANDIDATES else 1
    args = address(log_probs), *log_probs.shape, address(lengths), width, count
    return results if kernel(*args, *map(address, results), threads) else None
