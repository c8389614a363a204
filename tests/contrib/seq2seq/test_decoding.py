"""Decoding step by step, against the same in numpy; beam search against all sequences."""

import itertools

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.contrib.seq2seq.beam_search_step import scores_of
from tfmini.contrib import seq2seq

RANDOM = np.random.RandomState(23)
SYMBOLS, END = 4, 0


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        graph.seed = 9
        yield


def run(*fetches):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(list(fetches))


class Chain(tf.nn.rnn_cell.RNNCell):
    """A cell without weights: logits of the next symbol by the last two, a table [last, before, next]."""

    def __init__(self, table):
        super().__init__()
        self._table = tf.constant(table, tf.float32)

    state_size = SYMBOLS
    output_size = SYMBOLS

    def call(self, inputs, state):
        logits = tf.einsum("bi,bj,ijk->bk", inputs, state, self._table)
        return logits, inputs


TABLE = RANDOM.randn(SYMBOLS, SYMBOLS, SYMBOLS)


def one_hot(ids):
    return tf.one_hot(ids, SYMBOLS)


def start_state(count):
    return tf.one_hot(tf.fill([count], 3), SYMBOLS)


def log_probs(before, last):
    row = TABLE[last, before]
    return row - np.log(np.exp(row).sum())


def score(ids, start):
    """The log of the probability of a sequence, up to its first END, and whether it has ended."""
    before, last, total = 3, start, 0.0
    for symbol in ids:
        total += log_probs(before, last)[symbol]
        if symbol == END:
            return total, True
        before, last = last, symbol
    return total, False


def test_greedy_decoding():
    starts = [1, 2, 3]
    cell = Chain(TABLE)
    helper = seq2seq.GreedyEmbeddingHelper(one_hot, starts, END)
    decoder = seq2seq.BasicDecoder(cell, helper, start_state(3))
    outputs, _, lengths = seq2seq.dynamic_decode(decoder, maximum_iterations=5)
    ids, lengths = run(outputs.sample_id, lengths)
    for row, length, start in zip(ids, lengths, starts):
        before, last, want = 3, start, []
        for _ in range(5):
            before, last = last, int(log_probs(before, last).argmax())
            want.append(last)
            if last == END:
                break
        assert row[:length].tolist() == want


def test_beam_search_finds_the_most_likely_sequences():
    width, time, starts = SYMBOLS**3, 4, [1, 2]
    decoder = seq2seq.BeamSearchDecoder(
        Chain(TABLE), one_hot, starts, END, start_state(2 * width), width
    )
    outputs, state, _ = seq2seq.dynamic_decode(decoder, maximum_iterations=time)
    ids, scores, lengths = run(outputs.predicted_ids, state.log_probs, state.lengths)
    for b, start in enumerate(starts):
        found = {}
        for symbols in itertools.product(range(SYMBOLS), repeat=time):
            total, has_ended = score(symbols, start)
            kept = symbols[: symbols.index(END) + 1] if has_ended else symbols
            found[kept] = total
        best = sorted(found, key=lambda key: -found[key])[:10]
        for beam, want in enumerate(best):
            length = lengths[b, beam]
            assert tuple(ids[b, :length, beam]) == want
            assert (ids[b, length:, beam] == END).all()
            assert scores[b, beam] == pytest.approx(found[want], rel=1e-4)


def test_penalties():
    """The score of a beam: ((5 + length) / 6) ** weight divides the logs of probabilities."""
    weight, width = 1.5, 5
    decoder = seq2seq.BeamSearchDecoder(
        Chain(TABLE), one_hot, [1], END, start_state(width), width, length_penalty_weight=weight
    )
    outputs, state, _ = seq2seq.dynamic_decode(decoder, maximum_iterations=3)
    scores, log_probs, lengths = run(
        outputs.beam_search_decoder_output.scores[:, -1], state.log_probs, state.lengths
    )
    np.testing.assert_allclose(scores, log_probs / ((5 + lengths) / 6) ** weight, rtol=1e-5)
    assert (np.diff(scores[0]) <= 0).all()


def test_what_has_ended_keeps_its_state_and_gives_zeros():
    values = RANDOM.randn(2, 3, SYMBOLS).astype("f")
    cell = tf.nn.rnn_cell.BasicRNNCell(SYMBOLS)
    helper = seq2seq.TrainingHelper(values, [3, 1])
    decoder = seq2seq.BasicDecoder(cell, helper, tf.zeros([2, SYMBOLS]))
    outputs, state, lengths = seq2seq.dynamic_decode(decoder, impute_finished=True)
    got, last, lengths = run(outputs.rnn_output, state, lengths)
    assert lengths.tolist() == [3, 1]
    assert not got[1, 1:].any()
    np.testing.assert_array_equal(last[1], got[1, 0])
    np.testing.assert_array_equal(last[0], got[0, 2])


def test_scheduled_sampling_with_certainty_is_decoding_greedily_from_outputs():
    """With probability 1 each next input is made of the outputs, with 0 it is the given one."""
    values = RANDOM.randn(2, 4, SYMBOLS).astype("f")
    cell = tf.nn.rnn_cell.BasicRNNCell(SYMBOLS, name="cell")
    got = []
    for probability in (0.0, 1.0):
        helper = seq2seq.ScheduledOutputTrainingHelper(values, [4, 4], probability)
        decoder = seq2seq.BasicDecoder(cell, helper, tf.zeros([2, SYMBOLS]))
        got.append(seq2seq.dynamic_decode(decoder)[0].rnn_output)
    kernel, bias = cell.weights
    given, own, kernel, bias = run(*got, kernel, bias)
    state = chained = np.zeros((2, SYMBOLS))
    fed = values[:, 0]
    for t in range(4):
        state = np.tanh(np.concatenate([values[:, t], state], 1) @ kernel + bias)
        chained = np.tanh(np.concatenate([fed, chained], 1) @ kernel + bias)
        fed = chained
        np.testing.assert_allclose(given[:, t], state, rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(own[:, t], chained, rtol=1e-4, atol=1e-6)


def test_draws_follow_the_softmax():
    logits = np.log([0.1, 0.2, 0.3, 0.4])
    cell = Chain(np.broadcast_to(logits, TABLE.shape))
    count = 4000
    helper = seq2seq.SampleEmbeddingHelper(one_hot, tf.fill([count], 1), 99, seed=5)
    decoder = seq2seq.BasicDecoder(cell, helper, start_state(count))
    (ids,) = run(seq2seq.dynamic_decode(decoder, maximum_iterations=1)[0].sample_id)
    # Within four deviations of what 4,000 draws give.
    np.testing.assert_allclose(np.bincount(ids[:, 0]) / count, [0.1, 0.2, 0.3, 0.4], atol=0.03)


def test_sequence_loss():
    logits = RANDOM.randn(2, 3, SYMBOLS)
    targets = RANDOM.randint(0, SYMBOLS, (2, 3))
    weights = np.array([[1, 1, 0.5], [1, 0, 0]])
    logs = logits - np.log(np.exp(logits).sum(axis=2, keepdims=True))
    losses = -np.take_along_axis(logs, targets[:, :, None], 2)[:, :, 0] * weights
    tensors = [tf.constant(logits), tf.constant(targets), tf.constant(weights)]

    def loss(*averages):
        return seq2seq.sequence_loss(*tensors, *averages)

    got = run(loss(), loss(True, False), loss(False, True), loss(False, False))
    np.testing.assert_allclose(got[0], losses.sum() / weights.sum())
    np.testing.assert_allclose(got[1], losses.sum(axis=1) / weights.sum(axis=1))
    with np.errstate(invalid="ignore"):
        want = np.nan_to_num(losses.sum(axis=0) / weights.sum(axis=0))
    np.testing.assert_allclose(got[2], want)
    np.testing.assert_allclose(got[3], losses)
    (counted,) = run(loss(False, False, True, True))
    np.testing.assert_allclose(counted, losses.sum() / 4)


def test_a_loop_around_decoding_does_not_cache_variables():
    """In a loop each iteration has to see what the one before assigned."""
    values = RANDOM.randn(2, 3, SYMBOLS).astype("f")
    cell = tf.nn.rnn_cell.BasicRNNCell(SYMBOLS, name="cell")

    def body(i, total):
        helper = seq2seq.TrainingHelper(values, [3, 3])
        decoder = seq2seq.BasicDecoder(cell, helper, tf.zeros([2, SYMBOLS]))
        outputs, _, _ = seq2seq.dynamic_decode(decoder)
        return i + 1, total + tf.reduce_sum(outputs.rnn_output)

    _, total = tf.while_loop(lambda i, _: i < 3, body, [0, 0.0])
    helper = seq2seq.TrainingHelper(values, [3, 3])
    once, _, _ = seq2seq.dynamic_decode(seq2seq.BasicDecoder(cell, helper, tf.zeros([2, SYMBOLS])))
    got, each = run(total, once.rnn_output)
    assert got == pytest.approx(3 * each.sum(), rel=1e-4)


def test_only_what_has_ended_is_punished_for_what_it_has_not_seen():
    seen = np.array([[[0.2, 0.9, 0.0], [1.5, 0.3, 0.4]]], np.float32)
    log_probs = np.log(np.array([[[0.1, 0.2], [0.3, 0.4]]], np.float32))
    lengths = tf.constant([[[1, 2], [3, 4]]], tf.int64)
    scores = scores_of(log_probs, lengths, 0.0, 2.0, tf.constant([[True, False]]), seen)
    expected = log_probs + [[[2 * np.log(0.2 * 0.9)], [0.0]]]
    np.testing.assert_allclose(run(scores)[0], expected, rtol=1e-6)
