"""Time limits of steps, in RunOptions and ConfigProto."""

import _thread
import contextlib
import sys
import threading
import time

import numpy as np
import pytest

import tfmini as tf
from tests.support import waiting
from tfmini._src.executor import deadlines as module, plan, waiting_plan
from tfmini._src.executor.deadlines import Deadlines
from tfmini._src.executor.waiting_plan import WaitingPlan

IN_ANY_CASE = tf.RunOptions(timeout_in_ms=60_000)


@pytest.fixture
def slow():
    """An update that waits for `release`, and signals its completion."""
    release = threading.Event()

    def wait():
        assert release.wait(60)
        return np.float32(1)

    variable = tf.Variable(1.0, name="v")
    update = tf.assign_add(variable, tf.numpy_function(wait, [], tf.float32))
    return variable, update, release


def read_until(session, variable, value):
    """Reads until the step that is still running has written `value`."""
    for _ in range(6000):
        if session.run(variable, options=IN_ANY_CASE) == value:
            return True
        threading.Event().wait(0.01)
    return False


def test_cancelled_thread_id_is_not_reused(monkeypatch):
    """The step ends concurrently: its thread lives until it has been notified."""
    release, stayed = threading.Event(), []

    def cancel(thread_id):
        release.set()
        time.sleep(0.2)
        stayed.append(thread_id in sys._current_frames())

    monkeypatch.setattr(module, "cancel", cancel)
    assert module.run_with_deadline(1, 0.0, False, release.wait, 60)
    assert stayed == [True]


def test_unstarted_thread_is_abandoned(monkeypatch):
    """As when the address space has no room for its first frame."""
    monkeypatch.setattr(_thread, "start_new_thread", lambda run, arguments: runs.append(run))
    monkeypatch.setattr(module, "_MAX_START_SECONDS", 0.01)
    runs, steps = [], []
    with pytest.raises(tf.errors.DeadlineExceededError, match="^Timed out waiting"):
        module.run_with_deadline(60_000, 0.0, False, steps.append, 1)
    runs[0]()  # it starts in the end
    assert steps == []


def test_caller_returns_while_step_ends(slow):
    variable, update, release = slow
    with tf.Session() as session:
        session.run(variable.initializer)
        with pytest.raises(tf.errors.DeadlineExceededError) as caught:
            session.run(update, options=tf.RunOptions(timeout_in_ms=20))
        assert caught.value.message == "Timed out waiting for notification"
        assert caught.value.op is None
        assert session.run(variable) == 1.0
        release.set()
        assert read_until(session, variable, 2.0)


def test_session_timeout(slow):
    variable, update, release = slow
    with tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=20)) as session:
        session.run(variable.initializer, options=IN_ANY_CASE)
        with pytest.raises(
            tf.errors.DeadlineExceededError, match="^Timed out waiting for notification$"
        ):
            session.run(update)
        release.set()
        assert read_until(session, variable, 2.0)
        assert session.run(update, options=IN_ANY_CASE) == 3.0


def test_step_past_deadline_dequeues_nothing(monkeypatch):
    """As when its thread starts late on a busy machine."""
    queue = tf.FIFOQueue(1, [tf.float32], shapes=[[]])
    take, put, size = queue.dequeue(), queue.enqueue(1.0), queue.size()
    run_with_deadline, abandoned, was_put = (
        module.run_with_deadline,
        threading.Event(),
        threading.Event(),
    )

    def put_one():
        session.run(put)
        was_put.set()

    def late(milliseconds, grace, ends_soon, step, *arguments):
        def begin(*arguments):
            waiting.until(lambda: threading.get_ident() in module.ABANDONED_THREADS)
            abandoned.set()
            assert was_put.wait(60)
            return step(*arguments)

        return run_with_deadline(milliseconds, grace, ends_soon, begin, *arguments)

    with tf.Session() as session:
        with waiting.no_thread_stays(), monkeypatch.context() as patch:
            patch.setattr(module, "run_with_deadline", late)
            with (
                waiting.once(abandoned.is_set, put_one),
                pytest.raises(tf.errors.DeadlineExceededError, match="^Timed out waiting for n"),
            ):
                session.run(take, options=tf.RunOptions(timeout_in_ms=20))
        assert session.run(size) == 1


def test_late_step_returns_dequeued_element(monkeypatch):
    """Its deadline passes before it ends."""
    queue = tf.FIFOQueue(4, [tf.float32], shapes=[[]])
    put, take = queue.enqueue(3.0), queue.dequeue()
    run = WaitingPlan.run

    def late(*arguments, **options):
        results = run(*arguments, **options)
        waiting.until(lambda: threading.get_ident() in module.ABANDONED_THREADS)
        return results

    with tf.Session() as session:
        monkeypatch.setattr(WaitingPlan, "run", late)
        limit = tf.RunOptions(timeout_in_ms=1)
        assert session.run(put, options=limit) is None
        assert session.run(take, options=limit) == 3.0


def taken_and_given_to(function):
    """The result of a step with a short deadline that dequeues an element and passes it to a Python function."""
    queue = tf.FIFOQueue(1, [tf.float32], shapes=[[]])
    put = queue.enqueue(3.0)
    result = tf.numpy_function(function, [queue.dequeue()], tf.float32)
    with tf.Session() as session:
        session.run(put)
        return session.run(result, options=tf.RunOptions(timeout_in_ms=1))


def test_function_with_dequeued_element_may_finish():
    def double(element):
        waiting.until(lambda: module.ABANDONED_THREADS)
        with tf.Graph().as_default(), tf.Session() as session:
            queue = tf.FIFOQueue(1, [tf.float32])
            session.run(queue.enqueue(2.0))
            return element * session.run(queue.dequeue())

    assert taken_and_given_to(double) == 6.0


def test_endless_function_is_abandoned(monkeypatch):
    monkeypatch.setattr(waiting_plan, "GRACE_SECONDS", 0.01)
    release = threading.Event()

    def never(element):
        release.wait(60)
        return element

    with pytest.raises(tf.errors.DeadlineExceededError, match="^Timed out waiting for notif"):
        taken_and_given_to(never)
    release.set()


def counted(x, most=3000):
    """The same tensor after a loop that is far slower than a millisecond."""

    def next_one(n, x):
        return n + tf.strings.length(tf.as_string(n % 10)), x

    return tf.while_loop(lambda n, x: n < most, next_one, [0, x])[1]


@pytest.mark.parametrize("place", ["step", "iteration", "dataset", "function"])
def test_loop_with_dequeued_element_continues(place, monkeypatch):
    for each in (waiting_plan, plan):
        monkeypatch.setattr(each, "GRACE_SECONDS", waiting.SECONDS)
    monkeypatch.setenv("TFMINI_INLINED_NODES", "0")  # the second call runs a plan
    elements = tf.data.Dataset.range(5)
    if place == "dataset":
        elements = elements.map(counted)
    iterator = tf.data.make_initializable_iterator(elements)

    @tf.function
    def function():
        return counted(iterator.get_next())

    results, limit = [], tf.RunOptions(timeout_in_ms=1)
    with tf.Session() as session:
        session.run(iterator.initializer)
        if place == "function":
            session.run(function())
            session.run(iterator.initializer)
            taken = function()
        elif place == "iteration":  # it blocks
            queue = tf.FIFOQueue(1, [tf.int64], shapes=[[]])
            with tf.control_dependencies([queue.enqueue(iterator.get_next())]):
                taken = tf.while_loop(
                    lambda n, x: n < 1,
                    lambda n, x: (n + 1, counted(queue.dequeue())),
                    [0, tf.zeros([], tf.int64)],
                )[1]
        else:
            taken = iterator.get_next() if place == "dataset" else counted(iterator.get_next())
        while len(results) < 5:  # or until none is left
            with contextlib.suppress(tf.errors.DeadlineExceededError):  # it had not started
                results.append(session.run(taken, options=limit))
    assert results == list(range(5))


def test_endless_loop_with_element_is_stopped(monkeypatch):
    monkeypatch.setattr(waiting_plan, "GRACE_SECONDS", 0.01)
    queue = tf.FIFOQueue(2, [tf.float32], shapes=[[]])
    with tf.Session() as session, waiting.no_thread_stays():
        session.run(queue.enqueue_many([[1.0, 2.0]]))
        with pytest.raises(tf.errors.DeadlineExceededError, match="^Timed out waiting for notif"):
            session.run(
                tf.while_loop(lambda x: x > 0, lambda x: x + 1, [queue.dequeue()]),
                options=tf.RunOptions(timeout_in_ms=1),
            )


def test_no_elements_are_lost():
    queue = tf.FIFOQueue(500, [tf.int32], shapes=[[]])
    number = tf.placeholder(tf.int32, [])
    put, take = queue.enqueue(number), queue.dequeue()
    results = []
    with tf.Session() as session:

        def produce():
            for each in range(500):
                session.run(put, {number: each})
                time.sleep(0.001)

        producer = threading.Thread(target=produce)
        producer.start()
        while len(results) < 500 and (producer.is_alive() or session.run(queue.size())):
            with contextlib.suppress(tf.errors.DeadlineExceededError):
                results.append(session.run(take, options=tf.RunOptions(timeout_in_ms=1)))
        producer.join()
    assert results == list(range(500))


def test_timely_step_returns_values_and_errors():
    x = tf.placeholder(tf.int32)
    with tf.Session() as session:
        assert session.run(x // 2, {x: 7}, options=IN_ANY_CASE) == 3
        with pytest.raises(tf.errors.InvalidArgumentError, match="Integer division by zero"):
            session.run(7 // x, {x: 0}, options=IN_ANY_CASE)
        assert session.run(x + 1, {x: 1}, options=tf.RunOptions(timeout_in_ms=-5)) == 2


def test_deadlines_need_no_threads(monkeypatch):
    """The earliest fires first, cancelled ones never; no thread remains."""
    came, ended = [], threading.Event()
    start = time.monotonic()
    with waiting.no_thread_stays():
        deadlines = Deadlines()
        with monkeypatch.context() as patch:
            patch.setattr(module, "monotonic", lambda: start)  # until all have arrived
            cancel = deadlines.add(3600, ended.clear)
            waiting.until(lambda: deadlines._earlier_deadline._cond._waiters)
            deadlines.add(0.04, lambda: came.append("late"))
            deadlines.add(0.02, lambda: came.append("never"))()
            deadlines.add(0.0, lambda: came.append("at once"))
            deadlines.add(0.06, ended.set)
            cancel()
        assert ended.wait(waiting.SECONDS)
    assert came == ["at once", "late"]
    with waiting.no_thread_stays():  # another thread
        deadlines.add(0.0, lambda: came.append("again"))
        waiting.until(lambda: came[-1] == "again")
