"""Queues fed by Python functions."""

import pytest

import tfmini as tf

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")


def test_functions_feed_queue():
    queue = tf.FIFOQueue(5, tf.int32, shapes=[[]])
    x = tf.placeholder(tf.int32, [])
    rows = iter(range(7))

    def feed():
        row = next(rows, None)
        if row is None:
            raise tf.errors.OutOfRangeError(None, None, "no more")
        return {x: row}

    make = tf.contrib.training.FeedingQueueRunner
    enqueue = queue.enqueue(x)
    runner = make(queue, [enqueue, queue.enqueue(-1), enqueue], feed_fns=[feed, None, feed])
    coordinator = tf.train.Coordinator()
    with tf.Session() as session:
        threads = runner.create_threads(session, coordinator, start=True)
        result = []
        while len([row for row in result if row >= 0]) < 7:
            result.append(session.run(queue.dequeue()))
        coordinator.request_stop()
        coordinator.join(threads)
    assert sorted(row for row in result if row >= 0) == list(range(7))
    with pytest.raises(ValueError, match="the same length as enqueue_ops"):
        make(queue, [enqueue], feed_fns=[])
    with pytest.raises(NotImplementedError, match="FeedingQueueRunner does not support"):
        runner.to_proto()
