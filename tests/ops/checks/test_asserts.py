"""tf.Assert: guarded unless the data are strings and ints, silent if the condition holds."""

import numpy as np
import pytest

import tfmini as tf


def test_message_lists_data():
    x = tf.constant([[1.5, 2.0], [3.0, 4.0]])
    check = tf.Assert(tf.constant(False), ["x:", x, 7], summarize=3)
    with tf.Session() as session:
        with pytest.raises(
            tf.errors.InvalidArgumentError,
            match=r"^assertion failed: \[x:\] \[\[1.5 2\]\[3...\]...\] \[7\]\n\t \[\[node Assert/Assert",
        ):
            session.run(check)


def test_summarize_defaults_to_three():
    check = tf.Assert(tf.constant(False), [tf.range(9)])
    with tf.Session() as session:
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"failed: \[0 1 2...\]\n"):
            session.run(check)


def test_guard_is_added_only_for_copied_data():
    condition = tf.constant(True)
    assert tf.Assert(condition, ["a", tf.constant(1)]).type == "Assert"
    guarded = tf.Assert(condition, [1.0], name="floats")
    assert (guarded.name, guarded.type) == ("floats/AssertGuard/Merge", "Merge")


def test_guarded_data_is_computed_only_on_failure():
    calls = []
    condition = tf.placeholder(tf.bool, [])
    check = tf.Assert(condition, [tf.constant(1.0)])
    inner = tf.get_default_graph().get_operation_by_name("Assert/AssertGuard/Assert")
    with tf.control_dependencies([inner]):
        tf.py_func(lambda: calls.append(1), [], [])
    with tf.Session() as session:
        session.run(check, {condition: True})
    assert calls == []


def test_condition_must_be_scalar():
    check = tf.Assert(tf.placeholder_with_default(np.array([True, False]), None), ["a"])
    with tf.Session() as session:
        with pytest.raises(
            tf.errors.InvalidArgumentError, match=r"In\[0\] should be a scalar: \[2\]"
        ):
            session.run(check)


def test_assert_has_no_gradient():
    x = tf.constant(1.0)
    with tf.control_dependencies([tf.Assert(x > 0.0, [x])]):
        y = x * 2.0
    with tf.Session() as session:
        assert session.run(tf.gradients(y, x)[0]) == 2
