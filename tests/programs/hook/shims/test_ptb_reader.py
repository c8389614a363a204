"""The Penn Treebank tutorial's reader; hand-computed values."""

import pytest

import tfmini as tf
from tfmini._src.programs.hook.shims import ptb_reader as reader


def test_words_become_ids(tmp_path):
    (tmp_path / "ptb.train.txt").write_text(" the cat sat \n the dog sat \n a cat ran \n")
    (tmp_path / "ptb.valid.txt").write_text(" the bird sat \n")
    (tmp_path / "ptb.test.txt").write_text(" dog \n")
    result = reader.ptb_raw_data(str(tmp_path))
    # <eos> three times; cat, sat, the twice; a, dog, ran once
    assert result == ([3, 1, 2, 0, 3, 5, 2, 0, 4, 1, 6, 0], [3, 2, 0], [5, 0], 7)
    with pytest.raises(FileNotFoundError, match="nowhere/ptb.train.txt"):
        reader.ptb_raw_data(str(tmp_path / "nowhere"))


def test_batches_span_the_whole_sequence():
    batches = [(x.tolist(), y.tolist()) for x, y in reader.ptb_iterator(range(11), 2, 2)]
    assert batches == [
        ([[0, 1], [5, 6]], [[1, 2], [6, 7]]),
        ([[2, 3], [7, 8]], [[3, 4], [8, 9]]),
    ]
    with pytest.raises(ValueError, match="decrease batch_size or num_steps"):
        next(reader.ptb_iterator(range(4), 2, 2))


def test_producer_yields_the_same_batches():
    pairs = reader.ptb_producer(list(range(11)), 2, 2)
    assert [each.shape.as_list() for each in pairs] == [[2, 2], [2, 2]]
    assert pairs[0].name == "PTBProducer/StridedSlice:0"
    with tf.train.MonitoredSession() as session:
        batches = [[each.tolist() for each in session.run(pairs)] for _ in range(3)]
    first, second = ([[0, 1], [5, 6]], [[1, 2], [6, 7]]), ([[2, 3], [7, 8]], [[3, 4], [8, 9]])
    assert batches == [[*first], [*second], [*first]]
