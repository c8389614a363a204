"""Buckets and samples fed by threads: their output until the end of input."""

import pytest

import tfmini as tf
from tests.support.waiting import no_thread_stays


@pytest.fixture(autouse=True)
def _quiet(quiet_logs):
    with no_thread_stays():
        yield


def fed(fetches):
    collected = []
    with tf.Session() as session:
        session.run([tf.local_variables_initializer(), tf.global_variables_initializer()])
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        with pytest.raises(
            tf.errors.OutOfRangeError,
            match=r"is closed and has insufficient elements \(requested \d, current size \d\)",
        ):
            while True:
                collected.append(session.run(fetches))
        coordinator.request_stop()
        coordinator.join(threads, stop_grace_period_secs=20)
    return collected


def test_bucketed_sentences_until_end_of_input():
    n = tf.train.range_input_producer(12, num_epochs=1, seed=1).dequeue()
    batches = fed(
        tf.contrib.training.bucket_by_sequence_length(
            n, {"words": tf.range(n)}, 3, [4, 8], dynamic_pad=True, allow_smaller_final_batch=True
        )
    )
    assert sorted(n for lengths, _ in batches for n in lengths) == list(range(12))
    for lengths, example in batches:
        assert len({(n >= 4) + (n >= 8) for n in lengths}) == 1
        (words,) = example["words"]  # the only value of a dict is in a list
        assert words.shape == (len(lengths), max(lengths))
        assert list((words > 0).sum(1)) == [max(n - 1, 0) for n in lengths]


def test_stratified_sample_matches_target_frequencies():
    tf.set_random_seed(1)
    label = tf.train.range_input_producer(3, num_epochs=150, shuffle=False).dequeue()
    batches = fed(tf.contrib.training.stratified_sample([label * 2], label, [0, 0.5, 0.5], 5))
    labels = [n for _, part in batches for n in part]
    assert all(list(values) == list(part * 2) for (values,), part in batches)
    # As in TensorFlow, each choice also consumes one example of its own, which is lost: half of them.
    assert set(labels) == {1, 2}
    assert 100 < len(labels) < 200
