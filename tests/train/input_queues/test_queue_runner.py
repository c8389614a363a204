"""Threads that feed queues."""

import threading

import numpy as np
import pytest

import tfmini as tf
from tests.train.input_queues.feeding import numbers

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")


def test_thread_error_is_raised_by_join():
    n = numbers(5).dequeue()
    invalid = tf.check_numerics(1.0 / tf.cast(n - 3, tf.float32), "a quotient", name="check")
    batch = tf.train.batch([invalid], 2)
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        closed = "FIFOQueue '.*_batch/fifo_queue' is closed and has insufficient elements"
        with pytest.raises(tf.errors.OutOfRangeError, match=closed):
            for _ in range(5):
                session.run(batch)
        wrong_check = "a quotient : Tensor had Inf.*\n.*node check"
        with pytest.raises(tf.errors.InvalidArgumentError, match=wrong_check):
            coordinator.join(threads)


def test_exceptions_raised_without_a_coordinator(monkeypatch):
    monkeypatch.setattr("threading.excepthook", lambda args: None)
    queue = tf.FIFOQueue(10, tf.float32)
    invalid = queue.enqueue([tf.check_numerics(tf.constant(float("nan")), "it")])
    runner = tf.train.QueueRunner(queue, [invalid])
    with tf.Session() as session:
        threads = runner.create_threads(session, start=True)
        for thread in threads:
            thread.join(20)
    (error,) = runner.exceptions_raised
    assert isinstance(error, tf.errors.InvalidArgumentError)


def test_last_runner_thread_closes_queue(session):
    queue, ended = tf.FIFOQueue(9, tf.int32), tf.FIFOQueue(1, tf.int32)
    threads = []
    other_has_ended = tf.py_func(lambda: threads[0].join(20) or np.int32(0), [], tf.int32)
    puts = queue.enqueue([ended.dequeue()]), queue.enqueue([other_has_ended])
    runner = tf.train.QueueRunner(queue, puts)
    session.run(ended.close())
    threads += runner.create_threads(session)
    for thread in threads:
        thread.start()
    assert [session.run(queue.dequeue()) for _ in range(20)] == [0] * 20
    session.run(queue.close(cancel_pending_enqueues=True))
    threads[1].join(20)


def test_stop_cancels_pending_enqueues():
    queue = tf.FIFOQueue(3, [tf.int32])
    runner = tf.train.QueueRunner(queue, [queue.enqueue([1])] * 3)
    with tf.Session() as session:
        coordinator = tf.train.Coordinator()
        threads = runner.create_threads(session, coordinator, start=True)
        assert runner.create_threads(session, coordinator, start=True) == []  # running
        session.run(queue.dequeue())
        coordinator.request_stop()
        with pytest.raises(
            tf.errors.CancelledError, match="^(all saw the stop|Enqueue operation was cancelled)"
        ):
            # Blocked runners fail with an error, as in TensorFlow, unless they see the stop first.
            coordinator.join(threads, stop_grace_period_secs=20)
            raise tf.errors.CancelledError(None, None, "all saw the stop")
        assert session.run(queue.is_closed())


def test_session_closed_after_join(monkeypatch):
    raised = []
    monkeypatch.setattr(threading, "excepthook", raised.append)
    with tf.Graph().as_default() as graph:
        queue = tf.FIFOQueue(1, tf.int32)
        waits = queue.dequeue()
        other = tf.FIFOQueue(1, tf.int32)
        runner = tf.train.QueueRunner(other, [waits.op])
    session = tf.Session(graph=graph)
    coordinator = tf.train.Coordinator()
    threads = runner.create_threads(session, coordinator, daemon=True, start=True)
    coordinator.request_stop()
    coordinator.join(threads, stop_grace_period_secs=0.1, ignore_live_threads=True)
    session.close()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert not raised
