"""cond: executed ops, return values, errors; contexts and their protos; gradients."""

import inspect
from collections import namedtuple

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.ops.control_flow.switch_merge import zeros_like_outside_loop

Pair = namedtuple("Pair", "first second")


@pytest.fixture
def pred():
    return tf.placeholder(tf.bool, [], name="pred")


def test_only_the_taken_branch_runs(pred):
    ran = []

    def noting(name):
        return tf.py_func(lambda: ran.append(name), [], [])

    def branch(name):
        with tf.control_dependencies([noting(name)]):
            return tf.constant(name)

    result = tf.cond(pred, lambda: branch("true"), lambda: branch("false"))
    with tf.Session() as session:
        assert session.run(result, {pred: True}) == b"true"
        assert ran == ["true"]
        assert session.run(result, {pred: False}) == b"false"
        assert ran == ["true", "false"]


def test_outer_ops_always_run(pred):
    ran = []
    outside = tf.py_func(lambda: ran.append(1) or np.float32(2), [], tf.float32)
    result = tf.cond(pred, lambda: outside * 2.0, lambda: tf.constant(0.0))
    with tf.Session() as session:
        assert session.run(result, {pred: False}) == 0
    assert ran == [1]


def test_branches_may_return_operations(pred):
    variable = tf.Variable(1.0)
    step = tf.cond(pred, lambda: tf.group(variable.assign_add(1.0)), tf.no_op)
    with tf.Session() as session:
        session.run(variable.initializer)
        assert session.run(step, {pred: True}) == np.True_
        assert session.run(step, {pred: False}) == np.False_
        assert session.run(variable) == 2


def test_incompatible_slices_are_refused(pred):
    values, indices = tf.ones([1, 2]), tf.constant([0])
    with pytest.raises(ValueError, match="Incompatible return values of true_fn and false_fn: "):
        tf.cond(
            pred,
            lambda: tf.IndexedSlices(values, indices),
            lambda: tf.IndexedSlices(values, indices, tf.constant([3, 2])),
        )


def test_old_argument_names(pred):
    with tf.Session() as session:
        assert session.run(tf.cond(pred, fn1=lambda: 1, fn2=lambda: 2), {pred: False}) == 2
    with pytest.raises(TypeError, match="true_fn and fn1 may not be set simultaneously"):
        tf.cond(pred, lambda: 1, lambda: 2, fn1=lambda: 3)


def test_zeros_for_output_without_gradient():
    with tf.Session() as session:
        op = tf.constant([1, 2]).op
        np.testing.assert_array_equal(session.run(zeros_like_outside_loop(op, 0)), [0, 0])


def test_nested_conditionals_use_as_many_frames_as_tensorflow():
    """This limits the number of branches of `tf.case`."""
    depths = []

    def inside():
        depths.append(len(inspect.stack(0)))
        return tf.constant(1)

    p = tf.placeholder(tf.bool, [])
    tf.cond(p, lambda: inside() + tf.cond(p, inside, inside), inside)
    assert [depth - depths[0] for depth in depths] == [0, 3, 3, -1]
