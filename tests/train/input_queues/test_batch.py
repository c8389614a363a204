"""tf.train.batch and related functions; orders are TensorFlow 1.15.5's for the same seeds."""

import pytest

import tfmini as tf
from tests.train.input_queues.feeding import fed, numbers

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")


def test_strings_of_two_epochs():
    names = tf.train.string_input_producer(["a", "b", "c"], num_epochs=2, shuffle=False)
    name = names.dequeue()
    assert fed(tf.train.batch([name, tf.string_join([name, name])], 2)) == [
        [[b"a", b"b"], [b"aa", b"bb"]],
        [[b"c", b"a"], [b"cc", b"aa"]],
        [[b"b", b"c"], [b"bb", b"cc"]],
        "FIFOQueue",
    ]


def test_maybe_batch_of_rows():
    rows = numbers(6).dequeue_many(3)
    selected = tf.train.maybe_batch([rows], rows > 1, 2, enqueue_many=True)
    assert fed(selected) == [[2, 3], [4, 5], "FIFOQueue"]


def test_shuffle_batch():
    n = numbers(20).dequeue()
    assert fed(tf.train.shuffle_batch([n], 5, 100, 20, seed=9)) == [
        [13, 4, 17, 9, 11],
        [3, 14, 8, 10, 6],
        [1, 2, 15, 16, 0],
        [7, 18, 19, 12, 5],
        "RandomShuffleQueue",
    ]


def test_dynamic_pad():
    n = numbers(5).dequeue()
    padded = tf.train.batch([tf.range(n)], 3, dynamic_pad=True, allow_smaller_final_batch=True)
    assert fed(padded) == [
        [[0, 0], [0, 0], [0, 1]],
        [[0, 1, 2, 0], [0, 1, 2, 3]],
        "PaddingFIFOQueue",
    ]


@pytest.mark.parametrize("threads", [1, 4])
def test_threads_lose_no_elements(threads):
    n = numbers(100).dequeue()
    batches = fed(tf.train.batch([n], 10, num_threads=threads))
    assert sorted(number for batch in batches[:-1] for number in batch) == list(range(100))


def test_batch_join():
    sources = [[numbers(30).dequeue() + 100 * part] for part in range(3)]
    batches = fed(tf.train.batch_join(sources, 10))
    expected = [n + 100 * part for part in range(3) for n in range(30)]
    assert sorted(number for batch in batches[:-1] for number in batch) == expected
