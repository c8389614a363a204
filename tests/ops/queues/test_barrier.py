"""Barriers across steps."""

import pytest

import tfmini as tf
from tests.support.waiting import once, waiting_in
from tfmini._src.ops.queues.barrier import Barrier


def test_take_many_waits_for_another_step():
    barrier = Barrier((tf.float32, tf.int32), shapes=((), ()))
    first, second = (
        barrier.insert_many(0, ["k"], [1.0]),
        barrier.insert_many(1, ["k"], [2]),
    )
    taken = barrier.take_many(1)
    with tf.Session() as session:
        session.run(first)
        with once(lambda: waiting_in(session), lambda: session.run(second)):
            assert session.run(taken.keys) == [b"k"]
        session.run(first)
        closing = barrier.close(True)
        with once(lambda: waiting_in(session), lambda: session.run(closing)):
            with pytest.raises(tf.errors.OutOfRangeError, match=r"\(requested 1, current size 0\)"):
                session.run(taken)
