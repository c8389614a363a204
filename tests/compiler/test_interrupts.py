"""Ctrl-C in a step that changes state is raised at its end."""

import os
import signal
import threading

import pytest

import tfmini as tf
from tfmini._src.compiler.interrupts import DeferredInterrupts


def press_ctrl_c():
    os.kill(os.getpid(), signal.SIGINT)


def test_interrupt_is_deferred_to_block_end():
    done = []
    with pytest.raises(KeyboardInterrupt):
        with DeferredInterrupts():
            press_ctrl_c()
            done.append("after")
    assert done == ["after"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_second_interrupt_is_immediate():
    done = []
    with pytest.raises(KeyboardInterrupt):
        with DeferredInterrupts():
            press_ctrl_c()
            press_ctrl_c()
            done.append("after")
    assert not done


def test_other_threads_leave_handler_unchanged():
    handlers = []

    def work():
        with DeferredInterrupts():
            handlers.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert handlers == [signal.default_int_handler]


def test_interrupted_update_completes():
    v = tf.Variable([1.0, 2.0])
    with tf.control_dependencies([tf.py_func(press_ctrl_c, [], [])]):
        update = v.assign_add([1.0, 1.0])
    with tf.Session() as session:
        session.run(v.initializer)
        with pytest.raises(KeyboardInterrupt):
            session.run(update)
        assert session.run(v).tolist() == [2.0, 3.0]


def test_interrupt_does_not_stop_later_loop():
    v = tf.Variable(0)
    with tf.control_dependencies([tf.py_func(press_ctrl_c, [], [])]):
        update = v.assign_add(1)
    loop = tf.while_loop(lambda n: n < 3, lambda n: tf.assign_add(v, 1), [v.read_value()])
    with tf.Session() as session:
        session.run(v.initializer)
        with pytest.raises(KeyboardInterrupt):
            session.run(update)
        assert session.run(loop) == 3


def test_stateless_step_is_interrupted_immediately():
    calls = []
    with tf.control_dependencies([tf.py_func(press_ctrl_c, [], [])]):
        later = tf.py_func(lambda: calls.append(1), [], [])
    with tf.Session() as session:
        with pytest.raises(KeyboardInterrupt):
            session.run(later)
    assert not calls
