"""Samples from logits."""

import numpy as np

import tfmini as tf
from tests.contrib.seq2seq.chain import (
    TABLE,
    Chain,
    one_hot,
    run,
    start_state,
)
from tfmini.contrib import seq2seq


def test_draws_follow_the_softmax():
    logits = np.log([0.1, 0.2, 0.3, 0.4])
    cell = Chain(np.broadcast_to(logits, TABLE.shape))
    count = 4000
    helper = seq2seq.SampleEmbeddingHelper(one_hot, tf.fill([count], 1), 99, seed=5)
    decoder = seq2seq.BasicDecoder(cell, helper, start_state(count))
    (ids,) = run(seq2seq.dynamic_decode(decoder, maximum_iterations=1)[0].sample_id)
    # Within four standard deviations for 4,000 draws.
    np.testing.assert_allclose(np.bincount(ids[:, 0]) / count, [0.1, 0.2, 0.3, 0.4], atol=0.03)
