"""CTC prefix beam search over all examples of a batch at once.

From A. Graves, "Supervised sequence labelling with recurrent neural networks" (2008), section 7.5.2, with a beam: each
step retains the most probable prefixes. A prefix is an integer; a table maps prefix and label to the extended prefix,
so that different paths to a prefix merge. The retained prefixes match TensorFlow's search, which
processes a beam one prefix at a time (`_stopped`); ties go to the earlier prefix.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid

_NOTHING = -1  # no prefix, no label
_AT_ONCE = 2**22  # maximum candidates per step


class _Prefixes:
    """All prefixes seen so far; the first ones are the empty prefixes of the examples."""

    def __init__(self, count: int, classes: int) -> None:
        self._classes = classes
        self._parents = [np.full(count, _NOTHING)]
        self._labels = [np.full(count, _NOTHING)]
        self._size = count
        self._keys = np.zeros(0, "i8")  # parent * classes + label, sorted
        self._numbers = np.zeros(0, "i8")  # their prefixes

    def extended(self, parents: Any, labels: Any) -> Any:
        """Numbers of the prefixes extended by one label each; all pairs are distinct."""
        keys = parents * self._classes + labels
        at = np.searchsorted(self._keys, keys)
        known = np.zeros(len(keys), bool)
        found = at < len(self._keys)
        known[found] = self._keys[at[found]] == keys[found]
        result = np.empty(len(keys), "i8")
        result[known] = self._numbers[at[known]]
        new = ~known
        result[new] = self._size + np.arange(new.sum())
        self._size += int(new.sum())
        self._parents.append(parents[new])
        self._labels.append(labels[new])
        merged = np.concatenate([self._keys, keys[new]])
        order = merged.argsort(kind="stable")
        self._keys = merged[order]
        self._numbers = np.concatenate([self._numbers, result[new]])[order]
        return result

    def spelled(self, numbers: Any) -> tuple:
        """Labels [..., longest] of prefixes, and the label count of each."""
        parents, labels = np.concatenate(self._parents), np.concatenate(self._labels)
        letters = []
        while (alive := parents[numbers] != _NOTHING).any():
            letters.append(np.where(alive, labels[numbers], _NOTHING))
            numbers = np.where(alive, parents[numbers], numbers)
        if not letters:
            return np.zeros((*numbers.shape, 0), "i8"), np.zeros(numbers.shape, "i8")
        backwards = np.stack(letters, axis=-1)
        counts = (backwards != _NOTHING).sum(axis=-1)
        steps = np.arange(len(letters))
        order = np.where(steps < counts[..., None], counts[..., None] - 1 - steps, steps)
        return np.take_along_axis(backwards, order, axis=-1), counts


class _Beams:
    """The beams of a batch, each [batch, width], sorted; log probabilities are -inf for empty slots.

    number, parent, label: of the prefix; `_NOTHING` in unfilled slots of a beam.
    blank, nonblank: of the paths that end with a blank, and of the others.
    """

    number: Any
    parent: Any
    label: Any
    blank: Any
    nonblank: Any
    __slots__ = ("number", "parent", "label", "blank", "nonblank")

    def __init__(self, *parts: Any) -> None:
        for name, part in zip(self.__slots__, parts):
            setattr(self, name, part)

    @property
    def total(self) -> Any:
        return np.logaddexp(self.blank, self.nonblank)

    def at(self, *index: Any) -> _Beams:
        return _Beams(*(getattr(self, name)[index] for name in self.__slots__))

    def put(self, chosen: Any, others: _Beams) -> None:
        for name in self.__slots__:
            getattr(self, name)[chosen] = getattr(others, name)


def _empty_beams(batch: int, width: int, dtype: Any) -> _Beams:
    shape = (batch, width)
    beams = _Beams(
        *(np.full(shape, _NOTHING) for _ in range(3)),
        *(np.full(shape, -np.inf, dtype) for _ in range(2)),
    )
    beams.number[:, 0] = np.arange(batch)
    beams.blank[:, 0] = 0
    return beams


def _parents_at(beams: _Beams) -> Any:
    """The index of each prefix's parent within its beam, or `_NOTHING`."""
    same = beams.parent[:, :, None] == beams.number[:, None, :]
    same &= (beams.parent != _NOTHING)[:, :, None]
    return np.where(same.any(axis=2), same.argmax(axis=2), _NOTHING)


def _kept(beams: _Beams, parents_at: Any, emitted: Any) -> _Beams:
    """The retained prefixes of the beams after one more step; `emitted`: [batch, classes]."""
    rows = np.arange(len(emitted))[:, None]
    total = beams.total
    repeats = beams.label == beams.label[rows, parents_at]
    before = np.where(repeats, beams.blank[rows, parents_at], total[rows, parents_at])
    before[parents_at == _NOTHING] = -np.inf
    nonblank = np.logaddexp(beams.nonblank, before) + emitted[rows, beams.label]
    nonblank[beams.label == _NOTHING] = -np.inf
    return _Beams(beams.number, beams.parent, beams.label, total + emitted[:, -1:], nonblank)


def _grown(beams: _Beams, parents_at: Any, emitted: Any) -> Any:
    """Log probabilities [batch, width, labels] of the extended prefixes; -inf for those in the beam."""
    grown = beams.total[:, :, None] + emitted[:, None, :-1]
    rows, positions = np.nonzero(beams.label != _NOTHING)
    labels = beams.label[rows, positions]
    grown[rows, positions, labels] = beams.blank[rows, positions] + emitted[rows, labels]
    rows, positions = np.nonzero(parents_at != _NOTHING)
    grown[rows, parents_at[rows, positions], beams.label[rows, positions]] = -np.inf
    grown[np.isnan(grown)] = -np.inf
    return grown


def _stopped(grown: Any, ranks: Any, parents_at: Any, labels: Any) -> Any:
    """Mask [batch, width] of the beam prefixes that stop growing.

    TensorFlow processes a beam in order; new prefixes evict worse ones. If the child of a prefix
    was evicted before its own turn, it is not extended.
    """
    batch, width, _ = grown.shape
    result = np.zeros((batch, width), bool)
    greatest = np.concatenate([ranks, grown.reshape(batch, -1)], axis=1)
    least = -np.partition(-greatest, width - 1, axis=1)[:, width - 1 : width]
    risks = (ranks < least) & (parents_at != _NOTHING) & (parents_at < np.arange(width))
    columns, rows = np.nonzero(risks.T)  # in position order
    for place in np.unique(columns).tolist():
        row = rows[columns == place]
        parent = parents_at[row, place]
        rank = ranks[row, place]
        above = (grown[row] > rank[:, None, None]) & ~result[row, :, None]
        before = np.arange(width) < parent[:, None]
        pushed = (above.sum(axis=2) * before).sum(axis=1)
        siblings = np.arange(grown.shape[2]) < labels[row, place][:, None]
        pushed += (above[np.arange(len(row)), parent] & siblings).sum(axis=1)
        room = width - (ranks[row] > rank[:, None]).sum(axis=1)
        result[row, place] = (pushed >= room) & ~result[row, parent]
    return result


def _best(ranks: Any, width: int) -> Any:
    """Columns [rows, width] of the highest ranks of each row, sorted; ties go to the first."""
    least = -np.partition(-ranks, width - 1, axis=1)[:, width - 1 : width]
    better, equal = ranks > least, ranks == least
    room = width - better.sum(axis=1, keepdims=True)
    chosen = better | (equal & (equal.cumsum(axis=1) <= room))
    columns = chosen.nonzero()[1].reshape(len(ranks), width)
    order = (-np.take_along_axis(ranks, columns, axis=1)).argsort(axis=1, kind="stable")
    return np.take_along_axis(columns, order, axis=1)


def _step(beams: _Beams, emitted: Any, prefixes: _Prefixes) -> _Beams:
    """The best of the retained and the new prefixes."""
    batch, width = beams.number.shape
    parents_at = _parents_at(beams)
    kept = _kept(beams, parents_at, emitted)
    grown = _grown(beams, parents_at, emitted)
    # A retained prefix exists even without a path to it; its rank is then -inf.
    lowest = np.finfo(emitted.dtype).min
    ranks = np.maximum(np.nan_to_num(kept.total, nan=lowest), lowest)
    ranks[kept.number == _NOTHING] = -np.inf
    grown[_stopped(grown, ranks, parents_at, beams.label)] = -np.inf
    ranks = np.concatenate([ranks, grown.reshape(batch, -1)], axis=1)
    order = _best(ranks, width)

    rows = np.arange(batch)[:, None]
    lives, stays = ranks[rows, order] > -np.inf, order < width
    result = kept.at(rows, np.where(stays, order, 0))
    result.put(~(lives & stays), _Beams(_NOTHING, _NOTHING, _NOTHING, -np.inf, -np.inf))
    new = lives & ~stays
    if new.any():
        parent, label = np.divmod(order - width, grown.shape[2])
        result.parent[new] = beams.number[rows, parent][new]
        result.label[new] = label[new]
        result.number[new] = prefixes.extended(result.parent[new], result.label[new])
        result.nonblank[new] = ranks[rows, order][new]
    return result


def best_prefixes(logits: Any, lengths: Any, width: int, count: int) -> tuple:
    """Labels [batch, count, longest], label counts [batch, count], and log probabilities.

    logits: [time, batch, classes], where the last class is the blank; lengths: [batch]; width: the beam width.
    """
    time, batch, classes = logits.shape
    top = logits.max(axis=2, keepdims=True)
    emitted = logits - (top + np.log(np.exp(logits - top).sum(axis=2, keepdims=True)))
    prefixes = _Prefixes(batch, classes)
    beams = _empty_beams(batch, width, logits.dtype)
    at_once = max(1, _AT_ONCE // (width * classes))
    for start in range(0, batch, at_once):
        part = np.arange(start, min(start + at_once, batch))
        for t in range(int(lengths[part].max())):
            running = part[lengths[part] > t]
            beams.put(running, _step(beams.at(running), emitted[t, running], prefixes))
    if (beams.number[:, :count] == _NOTHING).any():
        invalid("Less leaves in the beam search than requested.")
    labels, counts = prefixes.spelled(beams.number[:, :count])
    return labels, counts, beams.total[:, :count]
