"""Step-by-step decoding against numpy."""

from tests.contrib.seq2seq.chain import (
    END,
    TABLE,
    Chain,
    log_probs,
    one_hot,
    run,
    start_state,
)
from tfmini.contrib import seq2seq


def test_greedy_decoding():
    starts = [1, 2, 3]
    cell = Chain(TABLE)
    helper = seq2seq.GreedyEmbeddingHelper(one_hot, starts, END)
    decoder = seq2seq.BasicDecoder(cell, helper, start_state(3))
    outputs, _, lengths = seq2seq.dynamic_decode(decoder, maximum_iterations=5)
    ids, lengths = run(outputs.sample_id, lengths)
    for row, length, start in zip(ids, lengths, starts):
        before, last, expected = 3, start, []
        for _ in range(5):
            before, last = last, int(log_probs(before, last).argmax())
            expected.append(last)
            if last == END:
                break
        assert row[:length].tolist() == expected
