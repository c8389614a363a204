"""Beam search against exhaustive search."""

import itertools

import pytest

import tfmini as tf
from tests.contrib.seq2seq.chain import (
    END,
    RANDOM,
    SYMBOLS,
    TABLE,
    Chain,
    log_probs,
    one_hot,
    run,
    start_state,
)
from tfmini.contrib import seq2seq


def score(ids, start):
    """The log probability of a sequence, up to its first END, and whether it has ended."""
    before, last, total = 3, start, 0.0
    for symbol in ids:
        total += log_probs(before, last)[symbol]
        if symbol == END:
            return total, True
        before, last = last, symbol
    return total, False


def test_most_likely_sequences_are_found():
    width, time, starts = SYMBOLS**3, 4, [1, 2]
    decoder = seq2seq.BeamSearchDecoder(
        Chain(TABLE), one_hot, starts, END, start_state(2 * width), width
    )
    outputs, state, _ = seq2seq.dynamic_decode(decoder, maximum_iterations=time)
    ids, scores, lengths = run(outputs.predicted_ids, state.log_probs, state.lengths)
    for b, start in enumerate(starts):
        result = {}
        for symbols in itertools.product(range(SYMBOLS), repeat=time):
            total, has_ended = score(symbols, start)
            labels = symbols[: symbols.index(END) + 1] if has_ended else symbols
            result[labels] = total
        best = sorted(result, key=lambda key: -result[key])[:10]
        for beam, expected in enumerate(best):
            length = lengths[b, beam]
            assert tuple(ids[b, :length, beam]) == expected
            assert (ids[b, length:, beam] == END).all()
            assert scores[b, beam] == pytest.approx(result[expected], rel=1e-4)


def test_decoding_in_a_loop_does_not_cache_variables():
    """In a loop each iteration has to see the previous one's assignments."""
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
    actual, each = run(total, once.rnn_output)
    assert actual == pytest.approx(3 * each.sum(), rel=1e-4)
