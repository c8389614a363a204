"""Queue runners for the duration of a block."""

import pytest

import tfmini as tf

queues = tf.contrib.slim.queues


def test_runners_stop_with_block():
    queue = tf.FIFOQueue(2, tf.int32, [[]])
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(3)] * 2))
    with tf.Session() as session:
        with queues.QueueRunners(session):
            assert [session.run(queue.dequeue()) for _ in range(4)] == [3] * 4
            with (
                pytest.raises(queues.NestedQueueRunnerError, match="cannot be nested"),
                queues.QueueRunners(session),
            ):
                pass
        with pytest.raises(tf.errors.CancelledError, match="is closed"):
            session.run(queue.enqueue(1))
    with (
        pytest.raises(ZeroDivisionError, match="by zero"),
        tf.Session() as session,
        queues.QueueRunners(session),
    ):
        1 / 0  # noqa: B018
    with tf.Graph().as_default(), tf.Session() as session, queues.QueueRunners(session):
        assert session.run(tf.constant(1)) == 1


def test_session_is_closed_if_runners_do_not_stop(monkeypatch):
    def join(self, threads, stop_grace_period_secs):
        assert stop_grace_period_secs == 120
        raise RuntimeError("still running")

    monkeypatch.setattr(tf.train.Coordinator, "join", join)
    with tf.Session() as session:
        with queues.QueueRunners(session):
            pass
        with pytest.raises(RuntimeError, match="closed"):
            session.run(tf.constant(1))
