"""CTC prefix beam search.

From A. Graves, "Supervised sequence labelling with recurrent neural networks" (2008), section 7.5.2, with a beam: each
step retains the most probable prefixes. A prefix is a tuple of labels, so different paths to it merge. As in
TensorFlow, the prefixes of a beam are extended one by one, and new prefixes evict worse ones, which are then not
extended if they have not been yet. On ties, the earlier prefix wins.
"""

from __future__ import annotations

import heapq
from typing import Any, NamedTuple

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.devices.host.native.sequences import beam_search

_Prefix = tuple[int, ...]


class _Paths(NamedTuple):
    """Log probabilities of the paths of a prefix: ending with a blank, ending with a label, and in total."""

    blank: Any
    nonblank: Any
    total: Any


def _extend_paths(prefix: _Prefix, beam: dict[_Prefix, _Paths], log_probs: Any) -> _Paths:
    """Returns the paths of a prefix in the beam after one more step."""
    paths, nonblank_score = beam[prefix], -np.inf
    if prefix:
        parent = beam.get(prefix[:-1])
        if parent is not None:
            nonblank_score = parent.blank if prefix[-2:-1] == prefix[-1:] else parent.total
        nonblank_score = np.logaddexp(paths.nonblank, nonblank_score) + log_probs[prefix[-1]]
    blank = paths.total + log_probs[-1]
    return _Paths(blank, nonblank_score, np.logaddexp(blank, nonblank_score))


def _advance_beam(beam: dict[_Prefix, _Paths], log_probs: Any, width: int) -> dict[_Prefix, _Paths]:
    """Returns the best of the retained and new prefixes, sorted; `log_probs`: [classes]."""
    extended = {prefix: _extend_paths(prefix, beam, log_probs) for prefix in beam}
    lowest = np.finfo(log_probs.dtype).min  # a retained prefix exists even if no path leads to it
    heap = [
        (np.fmax(paths.total, lowest), -i, prefix)
        for i, (prefix, paths) in enumerate(extended.items())
    ]
    heapq.heapify(heap)
    evicted, stopped, turn = set[_Prefix](), set[_Prefix](), len(heap)
    for prefix, paths in beam.items():
        min_score = heap[0][0] if len(heap) == width else -np.inf
        if prefix in stopped or not paths.total > min_score:
            continue
        ranks = paths.total + log_probs[:-1]
        if prefix:
            ranks[prefix[-1]] = paths.blank + log_probs[prefix[-1]]
        extensions = [other[-1] for other in beam if other and other[:-1] == prefix]
        for label in sorted({*np.flatnonzero(ranks > min_score).tolist(), *extensions}):
            child = (*prefix, label)
            if label in extensions:
                stopped |= evicted & {child}
            elif len(heap) < width:
                heapq.heappush(heap, (ranks[label], -turn, child))
            elif ranks[label] > heap[0][0]:
                evicted.add(heapq.heapreplace(heap, (ranks[label], -turn, child))[2])
            turn += 1
    best = sorted(heap, reverse=True)
    return {p: extended.get(p) or _Paths(-np.inf, rank, rank) for rank, _, p in best}


def best_prefixes(logits: Any, lengths: Any, width: int, count: int) -> tuple:
    """Returns labels [batch, count, longest], label counts [batch, count], and log probabilities.

    logits: [time, batch, classes], where the last class is the blank; lengths: [batch]; width: the beam width.
    """
    top = logits.max(axis=2, keepdims=True)
    log_probs = logits - (top + np.log(np.exp(logits - top).sum(axis=2, keepdims=True)))
    prefixes = beam_search.best_prefixes(log_probs, lengths, width, count)
    if prefixes is None:
        prefixes = _beam_search(log_probs, lengths, width, count)
    labels, counts, scores = prefixes
    return labels[:, :, : counts.max(initial=0)], counts, scores


def _beam_search(log_probs: Any, lengths: Any, width: int, count: int) -> tuple:
    time, batch, _ = log_probs.shape
    labels = np.zeros((batch, count, time), "i8")
    counts, scores = np.zeros((batch, count), "i8"), np.zeros((batch, count), log_probs.dtype)
    zero, minus_infinity = log_probs.dtype.type(0), log_probs.dtype.type(-np.inf)
    for b in range(batch):
        beam: dict[_Prefix, _Paths] = {(): _Paths(zero, minus_infinity, zero)}
        for t in range(int(lengths[b])):
            beam = _advance_beam(beam, log_probs[t, b], width)
        if len(beam) < count:
            invalid("Less leaves in the beam search than requested.")
        for i, (prefix, paths) in enumerate([*beam.items()][:count]):
            labels[b, i, : len(prefix)], counts[b, i] = prefix, len(prefix)
            scores[b, i] = paths.total
    return labels, counts, scores
