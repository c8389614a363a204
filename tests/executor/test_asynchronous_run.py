"""Asynchronous runs: they continue on any free thread once one of their waits has ended."""

from queue import SimpleQueue

import pytest

import tfmini as tf
from tests.support.waiting import waiting_in
from tfmini._src.executor.asynchronous_run import AsynchronousRun
from tfmini._src.ops.pending_ops import Step
from tfmini._src.session.compile_step import compile_step


class Begun:
    """A run of fetches: its step, scheduled callbacks, and completion."""

    def __init__(self, session, *fetches):
        plan = compile_step(session, list(fetches), [])[0]
        self.step, self.soon, self.ended = Step(), SimpleQueue(), SimpleQueue()
        end = lambda results, error: self.ended.put((results, error))  # noqa: E731
        AsynchronousRun(plan, self.step, [], self.soon.put, end).start()

    def go_on(self):
        self.soon.get(timeout=60)()


@pytest.fixture
def queues():
    return [tf.FIFOQueue(4, [tf.float32], shapes=[[]], name=f"q{n}") for n in range(2)]


def test_run_resumes_as_waits_complete(queues):
    first, second = (queue.dequeue() for queue in queues)
    last = queues[1].enqueue([first * 2.0])
    with tf.Session() as session:
        run = Begun(session, first + 1.0, second, last)
        assert waiting_in(session) == 1 and run.soon.empty()
        session.run(queues[0].enqueue([3.0]))
        assert run.ended.empty()
        run.go_on()  # its own enqueue ends the second wait, during the run
        results, error = run.ended.get(timeout=60)
        assert error is None and list(results[:2]) == [4.0, 6.0]
        assert waiting_in(session) == 0 and not session._resources.steps


def test_run_may_complete_immediately(queues):
    with tf.Session() as session:
        session.run(queues[0].enqueue([3.0]))
        run = Begun(session, queues[0].dequeue())
        assert run.ended.get_nowait() == ((3.0,), None)


@pytest.mark.parametrize("way", ["cancelled", "closed", "failed"])
def test_run_ends_with_first_failure(queues, way):
    first, second = (queue.dequeue() for queue in queues)
    with tf.Session() as session:
        run = Begun(session, tf.Assert(first > 0.0, [first]), second)
        if way == "cancelled":
            run.step.cancel()
        elif way == "closed":
            session.close()
        else:
            session.run(queues[0].enqueue([-1.0]))
        run.go_on()
        results, error = run.ended.get(timeout=60)
        kind = tf.errors.InvalidArgumentError if way == "failed" else tf.errors.CancelledError
        assert results is None and isinstance(error, kind)
        assert not session._resources.steps
        if way != "closed":
            session.run(queues[1].enqueue([1.0]))
            assert session.run(second) == 1.0  # it has consumed nothing


def test_part_independent_of_failure_runs(queues):
    first, second = (queue.dequeue() for queue in queues)
    v = tf.get_variable("v", initializer=1.0)
    with tf.Session() as session:
        session.run(v.initializer)
        session.run([queue.enqueue([-2.0]) for queue in queues])
        run = Begun(session, tf.Assert(first > 0.0, [first]), v.assign_add(first * second))
        assert isinstance(run.ended.get(timeout=60)[1], tf.errors.InvalidArgumentError)
        assert session.run(v) == 5.0
