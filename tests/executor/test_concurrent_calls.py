"""Python functions in one step, some of which wait for each other."""

import threading

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.executor.plan import Plan
from tfmini._src.executor.waiting_plan import WaitingPlan
from tfmini._src.session.compile_step import compile_step


@pytest.fixture
def meeting():
    """Two calls of which the first ends once the second has run; the event on which it waits."""
    event = threading.Event()

    def first():
        assert event.wait(20)
        return np.float32(1)

    def second():
        event.set()
        return np.float32(2)

    return tf.py_func(first, [], tf.float32), tf.py_func(second, [], tf.float32), event


def test_py_funcs_run_concurrently(meeting):
    first, second, event = meeting
    with tf.Session() as session:
        assert session.run([first, second]) == [1, 2]
        event.clear()
        assert session.run([second * 10, first + 1]) == [20, 2]


def test_py_func_waits_for_enqueue_of_same_step():
    queue = tf.FIFOQueue(1, [tf.float32], shapes=[[]])
    with tf.Session() as session:
        size = queue.size()

        def when_full():
            while not session.run(size):
                pass
            return np.float32(5)

        got = tf.py_func(when_full, [], tf.float32)
        assert session.run([got, queue.enqueue(3.0)]) == [5, None]


def test_calls_follow_their_dependencies():
    """A call with nothing to run concurrently belongs to the preceding step part."""
    order = []

    def call(index):
        return tf.py_func(lambda: np.float32(order.append(index) or index), [], tf.float32)

    v = tf.Variable(1.0)
    first = call(1)
    with tf.control_dependencies([first, v.assign(5.0)]):
        rest = [call(2), call(3), tf.py_func(lambda: v.eval(session=session), [], tf.float32)]
    with tf.Session() as session:
        v.initializer.run()
        assert session.run({"first": first, "rest": rest}) == {"first": 1, "rest": [2, 3, 5]}
    assert order[0] == 1 and sorted(order) == [1, 2, 3]


def test_stateless_py_funcs_have_readers():
    """Their readers may move to later parts, they themselves wait for nothing but their inputs."""
    first, second, third = (
        tf.py_func(lambda index=index: np.float32(index), [], tf.float32, stateful=False)
        for index in (1, 2, 4)
    )
    total = first + second
    with tf.Session() as session:
        assert session.run([total, total * third]) == [3, 12]


@pytest.mark.parametrize("wrap", [tf.function, tf.contrib.eager.defun])
def test_control_dependency_waits_for_function_effects(wrap):
    calls = []

    @wrap
    def passing(x):
        with tf.control_dependencies([tf.py_function(lambda x: calls.append(1), [x], [])]):
            return tf.identity(x)

    with tf.control_dependencies([passing(tf.constant(1.0))]):
        second = passing(tf.constant(2.0))
    with tf.control_dependencies([second]):
        count = tf.py_function(lambda: float(len(calls)), [], tf.float32)
    with tf.Session() as session:
        assert [session.run(count) for _ in range(3)] == [2, 4, 6]


def test_failure_does_not_wait_for_other_call(meeting):
    first, _, event = meeting
    wrong = tf.py_func(lambda: 1 // 0, [], tf.float32, name="wrong")
    with tf.Session() as session:
        with pytest.raises(tf.errors.UnknownError, match="ZeroDivisionError") as e:
            session.run([first, wrong])
        assert e.value.op.name == "wrong"
    event.set()


def test_fetched_arrays_are_copies():
    kept = np.zeros(3, np.float32)
    calls = [tf.py_func(lambda: kept, [], tf.float32) for _ in range(2)]
    with tf.Session() as session:
        result = session.run(calls)
    kept[:] = 7
    assert [list(array) for array in result] == [[0, 0, 0]] * 2


def test_sequential_calls_keep_plain_plan(meeting):
    first, second, _ = meeting
    after = tf.py_func(lambda x: x + 1, [first], tf.float32)
    with tf.control_dependencies([after]):
        last = tf.py_func(lambda: np.float32(9), [], tf.float32)
    with tf.Session() as session:
        assert isinstance(compile_step(session, [last], [])[0], Plan)
        assert isinstance(compile_step(session, [first, second], [])[0], WaitingPlan)
