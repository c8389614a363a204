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


def test_closed_padding_queue():
    queue = tf.PaddingFIFOQueue(5, [tf.int32], [[]], shared_name="q")
    asked = [queue.enqueue([1]), queue.dequeue(), queue.dequeue_many(2), queue.dequeue_up_to(2)]
    short = "is closed and has insufficient elements (requested"
    said = []
    with tf.Session() as session:
        session.run(queue.close())
        for node in asked:
            with pytest.raises(tf.errors.OpError) as caught:
                session.run(node)
            said.append(caught.value.message.split("\n")[0])
    # As TensorFlow 1.15.5: what padding has no part in is of the class that it derives from.
    assert said == [
        "FIFOQueue 'q' is closed.",
        f"FIFOQueue 'q' {short} 1, current size 0)",
        f"PaddingFIFOQueue 'q' {short} 2, current size 0)",
        f"PaddingFIFOQueue 'q' {short} 2, current size 0)",
    ]


@pytest.mark.parametrize("name", ["q", "a", "b", "queue", "shuffled"])
def test_seed_of_a_shared_queue(name):
    with tf.Graph().as_default():
        tf.set_random_seed(7)
        attrs = tf.RandomShuffleQueue(5, 1, [tf.int32], shared_name=name).queue_ref.op.node_def.attr
    digest = hashlib.md5(f"7{name}".encode()).hexdigest()
    assert (attrs["seed"].i, attrs["seed2"].i) == (7, int(digest[:8], 16) & 0x7FFFFFFF)
