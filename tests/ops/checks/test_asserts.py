"""tf.Assert: guarded unless the data are strings and ints, silent if the condition holds."""

import numpy as np
import pytest

import tfmini as tf


def test_says_what_it_was_given():
    x = tf.constant([[1.5, 2.0], [3.0, 4.0]])
    check = tf.Assert(tf.constant(False), ["x:", x, 7], summarize=3)
    with tf.Session() as session:
        with pytest.raises(
            tf.errors.InvalidArgumentError,
            match=r"^assertion failed: \[x:\] \[\[1.5 2\]\[3...\]...\] \[7\]\n\t \[\[node Assert/Assert",
        ):
            session.run(check)


def test_three_elements_unless_told_otherwise():
    check = tf.Assert(tf.constant(False), [tf.range(9)])
    with tf.Session() as session:
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"failed: \[0 1 2...\]\n"):
            session.run(check)


def test_guarded_only_where_data_would_be_copied():
    condition = tf.constant(True)
    assert tf.Assert(condition, ["a", tf.constant(1)]).type == "Assert"
    guarded = tf.Assert(condition, [1.0], name="floats")
    assert (guarded.name, guarded.type) == ("floats/AssertGuard/Merge", "Merge")


def test_the_data_of_a_guarded_assert_are_not_computed_in_vain():
    calls = []
    condition = tf.placeholder(tf.bool, [])
    check = tf.Assert(condition, [tf.constant(1.0)])
    inner = tf.get_default_graph().get_operation_by_name("Assert/AssertGuard/Assert")
    with tf.control_dependencies([inner]):
        tf.py_func(lambda: calls.append(1), [], [])
    with tf.Session() as session:
        session.run(check, {condition: True})
    assert calls == []


def test_condition_must_be_a_scalar():
    check = tf.Assert(tf.placeholder_with_default(np.array([True, False]), None), ["a"])
    with tf.Session() as session:
        with pytest.raises(
            tf.errors.InvalidArgumentError, match=r"In\[0\] should be a scalar: \[2\]"
        ):
            session.run(check)


def test_has_no_gradient():
    x = tf.constant(1.0)
    with tf.control_dependencies([tf.Assert(x > 0.0, [x])]):
        y = x * 2.0
    with tf.Session() as session:
        assert session.run(tf.gradients(y, x)[0]) == 2
