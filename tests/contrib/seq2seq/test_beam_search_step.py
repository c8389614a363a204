"""Scores of a beam search step."""

import numpy as np

import tfmini as tf
from tests.contrib.seq2seq.chain import (
    END,
    TABLE,
    Chain,
    one_hot,
    run,
    start_state,
)
from tfmini._src.contrib.seq2seq.beam_search_step import beam_scores
from tfmini.contrib import seq2seq


def test_length_and_coverage_penalties():
    """A beam's score: the log probability divided by ((5 + length) / 6) ** weight."""
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


def test_coverage_penalty_of_finished_beams():
    seen = np.array([[[0.2, 0.9, 0.0], [1.5, 0.3, 0.4]]], np.float32)
    log_probs = np.log(np.array([[[0.1, 0.2], [0.3, 0.4]]], np.float32))
    lengths = tf.constant([[[1, 2], [3, 4]]], tf.int64)
    scores = beam_scores(log_probs, lengths, 0.0, 2.0, tf.constant([[True, False]]), seen)
    expected = log_probs + [[[2 * np.log(0.2 * 0.9)], [0.0]]]
    np.testing.assert_allclose(run(scores)[0], expected, rtol=1e-6)
