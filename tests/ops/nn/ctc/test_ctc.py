"""CTC: the loss against all paths, beam search against TensorFlow's own way through a beam."""

import math

import numpy as np
import pytest

import tfmini as tf
from tests.conformance.samples.alignments import losses, read, readings
from tfmini._src.ops.nn.ctc import ctc_beam_search, ctc_loss

RANDOM = np.random.RandomState(21)


def sparse(rows):
    places = np.array([(b, i) for b, row in enumerate(rows) for i in range(len(row))])
    values = np.array([label for row in rows for label in row], "i4")
    return places, values, np.array([len(rows), max(map(len, rows))])


def loss_and_gradient(logits, rows, lengths, **options):
    places, values, shape = sparse(rows)
    with tf.Graph().as_default(), tf.Session() as session:
        tensor = tf.constant(logits)
        loss = tf.nn.ctc_loss(tf.SparseTensor(places, values, shape), tensor, lengths, **options)
        return session.run([loss, tf.gradients(loss, tensor)[0]])


@pytest.mark.parametrize("merge", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_loss_is_that_of_all_paths(seed, merge):
    random = np.random.RandomState(seed)
    time, batch, classes = random.randint(3, 6), 3, random.randint(2, 4)
    logits = random.randn(time, batch, classes) * 3
    lengths = random.randint(2, time + 1, batch)
    rows = []
    for b, length in enumerate(lengths):  # only what some path reads as
        found = [key for key in readings(logits[:length, b], merge) if key]
        rows.append(found[random.randint(len(found))])
    got = loss_and_gradient(logits, rows, lengths, ctc_merge_repeated=merge)
    places, values, _ = sparse(rows)
    for array, want in zip(got, losses(merge)(logits, places, values, lengths)):
        np.testing.assert_allclose(array, want, rtol=1e-9, atol=1e-12)


def test_what_no_path_reads_as_is_infinitely_unlikely():
    """The outputs themselves stand for the gradient there."""
    logits = RANDOM.randn(2, 1, 3)
    loss, gradient = loss_and_gradient(logits, [(1, 1)], [2])
    shares = np.exp(logits) / np.exp(logits).sum(axis=2, keepdims=True)
    assert loss == [math.inf]
    np.testing.assert_allclose(gradient, shares)


def test_a_class_that_is_never_given_makes_no_nan():
    logits = np.zeros((3, 1, 3), "f")
    logits[:, :, 0] = -1e4
    loss, gradient = loss_and_gradient(logits, [(1,)], [3])
    assert loss == [pytest.approx(-math.log(6 / 8))]
    assert np.isfinite(gradient).all()
    loss, _ = loss_and_gradient(logits, [(0,)], [3])
    assert loss == [math.inf]


def test_labels_from_the_first_blank_on_do_not_count():
    logits = RANDOM.randn(4, 1, 3).astype("f")
    with_blanks = loss_and_gradient(logits, [(1, 2, 7)], [4])
    without = loss_and_gradient(logits, [(1,)], [4])
    np.testing.assert_array_equal(with_blanks[0], without[0])
    np.testing.assert_array_equal(with_blanks[1], without[1])
    only_blanks, _ = loss_and_gradient(logits, [(2,)], [4])
    assert only_blanks == pytest.approx([-np.log(readings(logits[:, 0])[()][0])], rel=1e-5)


def test_examples_do_not_see_each_other_nor_what_is_behind_their_ends():
    logits = RANDOM.randn(5, 3, 4)
    rows, lengths = [(0, 1), (2,), (1, 1)], [5, 2, 4]
    loss, gradient = loss_and_gradient(logits, rows, lengths)
    for b in range(3):
        alone = loss_and_gradient(logits[: lengths[b], b : b + 1], [rows[b]], [lengths[b]])
        assert loss[b] == pytest.approx(alone[0][0], rel=1e-12)
        np.testing.assert_allclose(gradient[: lengths[b], b], alone[1][:, 0], rtol=1e-9)
        assert not gradient[lengths[b] :, b].any()


def test_a_batch_of_losses_in_parts_is_the_same(monkeypatch):
    logits = RANDOM.randn(6, 5, 4)
    rows, lengths = [(0, 1), (2,), (1, 1), (0, 2, 0), (2, 1)], [6, 2, 4, 5, 3]
    whole = loss_and_gradient(logits, rows, lengths)
    monkeypatch.setattr(ctc_loss, "_AT_ONCE", 1)
    for part, array in zip(loss_and_gradient(logits, rows, lengths), whole):
        np.testing.assert_allclose(part, array, rtol=1e-12)


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
    """The search as TensorFlow 1.15.5 does it, entry by entry; what is pushed out early does not grow."""
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
def test_beam_search_goes_tensorflows_way(seed, by, monkeypatch):
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


def test_a_wide_beam_finds_the_most_likely_reading():
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
def test_of_equal_readings_the_first_comes_first(time, classes, wanted):
    """As TensorFlow 1.15.5 answers."""
    assert decoded(np.zeros((time, 1, classes)), [time], len(wanted), len(wanted))[0] == [wanted]


def test_greedy_and_narrowest_beam_read_the_same_where_one_class_stands_out():
    logits = np.full((6, 1, 4), -20.0)
    logits[np.arange(6), 0, [0, 0, 3, 0, 2, 1]] = 20
    with tf.Graph().as_default(), tf.Session() as session:
        (path,), score = session.run(tf.nn.ctc_greedy_decoder(tf.constant(logits), [6]))
    assert path.values.tolist() == list(read([0, 0, 3, 0, 2, 1], 3)) == [0, 0, 2, 1]
    assert score == [[-120]]
    assert decoded(logits, [6], 1, 1)[0] == [[[0, 0, 2, 1]]]
