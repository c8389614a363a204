"""Sizes that a queue cannot have."""

import pytest

import tfmini as tf


@pytest.mark.parametrize(
    ("capacity", "floor", "text"),
    [
        (5, 5, "min_after_dequeue 5 must be < capacity 5"),
        (5, -1, "min_after_dequeue -1 must be >= 0"),
    ],
)
def test_what_stays_in_a_shuffled_queue(capacity, floor, text):
    queue = tf.RandomShuffleQueue(capacity, floor, [tf.float32], shapes=[[]])
    with (
        tf.Session() as session,
        pytest.raises(tf.errors.InvalidArgumentError, match=text),
    ):
        session.run(queue.size())
