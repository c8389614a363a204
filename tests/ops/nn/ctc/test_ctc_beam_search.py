"""CTC decoders."""

import math

import numpy as np
import pytest

import tfmini as tf
from tests.conformance.samples.alignments import read, readings
from tfmini._src.ops.nn.ctc import ctc_beam_search

RANDOM = np.random.RandomState(21)


class Entry:
    """A prefix in the tree of TensorFlow's decoder; logs of probabilities: total, blank, label."""

    def __init__(self, parent, label):
        self.parent, self.label, self.children = parent, label, {}
        self.forget()

    def forget(self):
        self.old, self.new = [-math.inf] * 3, [-math.inf] * 3

    @property
    def is_active(self):
        return self.new[0] != -math.inf

    def spelled(self):
        return [] if self.parent is None else [*self.parent.spelled(), self.label]


def best_by_entries(logits, width, count):
    """TensorFlow 1.15.5's search, entry by entry; early evicted prefixes are not extended."""
    blank = logits.shape[1] - 1
    root = Entry(None, -1)
    root.new = [0.0, 0.0, -math.inf]
    leaves = [root]
    for row in logits:
        emitted = row - np.logaddexp.reduce(row)
        branches, leaves = sorted(leaves, key=lambda e: -e.new[0]), []
        for entry in branches:
            entry.old = list(entry.new)
        for entry in branches:
            parent = entry.parent
            if parent is not None:
                if parent.is_active:
                    before = parent.old[1] if entry.label == parent.label else parent.old[0]
                    entry.new[2] = np.logaddexp(entry.new[2], before)
                entry.new[2] += emitted[entry.label]
            entry.new[1] = entry.old[0] + emitted[blank]
            entry.new[0] = np.logaddexp(entry.new[1], entry.new[2])
            leaves.append(entry)
        for entry in branches:
            grow(entry, emitted, leaves, width)
    found = sorted(leaves, key=lambda e: -e.new[0])[:count]
    return [(entry.spelled(), entry.new[0]) for entry in found]


def grow(entry, emitted, leaves, width):
    def is_candidate(total):
        least = min(leaf.new[0] for leaf in leaves)
        return total > -math.inf and (len(leaves) < width or total > least)

    if not is_candidate(entry.old[0]):
        return
    for label in range(len(emitted) - 1):
        child = entry.children.setdefault(label, Entry(entry, label))
        if child.is_active:
            continue
        before = entry.old[1] if label == entry.label else entry.old[0]
        total = emitted[label] + before
        child.new = [total, -math.inf, total]
        if not is_candidate(total):
            child.forget()
            continue
        if len(leaves) == width:
            worst = min(leaves, key=lambda leaf: leaf.new[0])
            worst.new = [-math.inf] * 3
            leaves.remove(worst)
        leaves.append(child)


def decoded(logits, lengths, width, count):
    with tf.Graph().as_default(), tf.Session() as session:
        paths, scores = tf.nn.ctc_beam_search_decoder_v2(
            tf.constant(logits), lengths, beam_width=width, top_paths=count
        )
        values, scores = session.run([paths, scores])
    rows = [
        [value.values[value.indices[:, 0] == b].tolist() for value in values]
        for b in range(len(lengths))
    ]
    return rows, scores


@pytest.mark.parametrize("by", ["kernel", "Python"])
@pytest.mark.parametrize("seed", range(25))
def test_beam_search_matches_tensorflow(seed, by, monkeypatch):
    if by == "Python":
        monkeypatch.setattr(ctc_beam_search.beam_search, "best_prefixes", lambda *given: None)
    random = np.random.RandomState(seed)
    time, batch, classes = random.randint(2, 16), random.randint(1, 4), random.randint(2, 7)
    width = random.randint(1, 9)
    count = random.randint(1, min(width, classes) + 1)
    logits = random.randn(time, batch, classes) * random.choice([0.5, 2, 5])
    lengths = random.randint(2, time + 1, batch)
    rows, scores = decoded(logits, lengths, width, count)
    for b, length in enumerate(lengths):
        want = best_by_entries(logits[:length, b], width, count)
        assert rows[b] == [path for path, _ in want]
        np.testing.assert_allclose(scores[b], [score for _, score in want], rtol=1e-9)


def test_wide_beam_is_exact():
    logits = RANDOM.randn(5, 2, 3)
    rows, scores = decoded(logits, [5, 4], 1000, 2)
    for b, length in enumerate([5, 4]):
        chances = {key: total for key, (total, _) in readings(logits[:length, b]).items()}
        best = sorted(chances, key=lambda key: -chances[key])[:2]
        assert rows[b] == [list(key) for key in best]
        np.testing.assert_allclose(scores[b], np.log([chances[key] for key in best]))


@pytest.mark.parametrize(
    "time, classes, wanted",
    [
        (1, 4, [[], [0], [1], [2]]),
        (2, 3, [[0], [1], [], [0, 1], [1, 0]]),
        (3, 3, [[0], [1], [0, 1]]),
        (2, 4, [[0], [1], [2], [], [0, 1], [0, 2]]),
    ],
)
def test_ties(time, classes, wanted):
    """As in TensorFlow 1.15.5."""
    assert decoded(np.zeros((time, 1, classes)), [time], len(wanted), len(wanted))[0] == [wanted]


def test_greedy_matches_beam_of_one():
    logits = np.full((6, 1, 4), -20.0)
    logits[np.arange(6), 0, [0, 0, 3, 0, 2, 1]] = 20
    with tf.Graph().as_default(), tf.Session() as session:
        (path,), score = session.run(tf.nn.ctc_greedy_decoder(tf.constant(logits), [6]))
    assert path.values.tolist() == list(read([0, 0, 3, 0, 2, 1], 3)) == [0, 0, 2, 1]
    assert score == [[-120]]
    assert decoded(logits, [6], 1, 1)[0] == [[[0, 0, 2, 1]]]
