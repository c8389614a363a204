"""tf.RandomShuffleQueue and tf.PaddingFIFOQueue."""

import hashlib

import pytest

import tfmini as tf


@pytest.mark.parametrize(
    ("capacity", "floor", "text"),
    [
        (5, 5, "min_after_dequeue 5 must be < capacity 5"),
        (5, -1, "min_after_dequeue -1 must be >= 0"),
    ],
)
def test_min_after_dequeue_out_of_range(capacity, floor, text):
    queue = tf.RandomShuffleQueue(capacity, floor, [tf.float32], shapes=[[]])
    with (
        tf.Session() as session,
        pytest.raises(tf.errors.InvalidArgumentError, match=text),
    ):
        session.run(queue.size())


@pytest.mark.parametrize("name", ["q", "a", "b", "queue", "shuffled"])
def test_seed_of_a_shared_queue(name):
    with tf.Graph().as_default():
        tf.set_random_seed(7)
        attrs = tf.RandomShuffleQueue(5, 1, [tf.int32], shared_name=name).queue_ref.op.node_def.attr
    digest = hashlib.md5(f"7{name}".encode()).hexdigest()
    assert (attrs["seed"].i, attrs["seed2"].i) == (7, int(digest[:8], 16) & 0x7FFFFFFF)
