"""tf.CriticalSection and its mutex across steps and threads."""

import gc
import threading
import time
from collections import OrderedDict

import pytest

import tfmini as tf
from tests.support.waiting import once, waiting_in
from tfmini._src.graph.opdef import raw
from tfmini._src.ops.queues.mutex import Mutex


def raised(counter):
    def function():
        before = counter.read_value()
        with tf.control_dependencies([before]), tf.control_dependencies([counter.assign_add(1.0)]):
            return tf.identity(before)

    return function


def test_critical_section_over_threads():
    counter = tf.get_variable("counter", initializer=0.0, use_resource=True)
    number = tf.CriticalSection().execute(raised(counter))
    result = []
    with tf.Session() as session:
        session.run(counter.initializer)

        def draw():
            result.extend(float(session.run(number)) for _ in range(25))

        threads = [threading.Thread(target=draw) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(result) == list(range(100))


def test_expired_step_releases_the_mutex():
    mutex = raw.MutexV2(shared_name="mutex")
    held = raw.MutexLock(mutex)
    slow = tf.py_func(lambda: time.sleep(0.3), [], [])
    with tf.control_dependencies([held]):
        waits = tf.group(slow, raw.MutexLock(mutex, name="second").op)
    with tf.control_dependencies([waits]):
        fails = raw.ConsumeMutexLock(held)
    free = raw.ConsumeMutexLock(raw.MutexLock(mutex))
    with tf.Session() as session:
        with pytest.raises(
            tf.errors.DeadlineExceededError, match="^Timed out waiting for notification$"
        ):
            session.run(fails, options=tf.RunOptions(timeout_in_ms=50))
        session.run(free)


class Line(OrderedDict):
    """Collects garbage before each insertion."""

    def __setitem__(self, attempt, held):
        gc.collect()
        super().__setitem__(attempt, held)


def dropped(mutex):
    """Locks a mutex, and leaves the lock to the garbage collector."""
    held = mutex.acquire().outcome()
    held.circle = held


def test_lock_collected_while_another_is_acquired():
    mutex = Mutex()
    mutex._waiting = Line()
    dropped(mutex)
    assert mutex.acquire().is_ended


def test_closed_session_cancels_waiting_locks():
    mutex = raw.MutexV2(shared_name="mutex")
    held = raw.MutexLock(mutex)
    with tf.control_dependencies([held]):
        second = raw.MutexLock(mutex)
    both = tf.group(raw.ConsumeMutexLock(second))
    with tf.control_dependencies([both]):
        last = raw.ConsumeMutexLock(held)
    session = tf.Session()
    with once(lambda: waiting_in(session), session.close):
        with pytest.raises(tf.errors.CancelledError, match="Lock acquisition cancelled."):
            session.run(last)


def test_dataset_function_uses_an_outer_critical_section(eager):
    counter, section = tf.Variable(1), tf.CriticalSection()
    rows = tf.data.Dataset.range(2).map(lambda n: section.execute(lambda: counter.assign_add(1)))
    assert [row.numpy() for row in rows] == [2, 3]
    with tf.Graph().as_default() as graph, pytest.raises(ValueError, match="an Eager-defined Te"):
        with graph.colocate_with(section._handle):
            pass
