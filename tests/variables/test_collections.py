"""Variable collections, and ops on them."""

import pytest

import tfmini as tf


def test_variable_initializers(graph):
    a, b = tf.Variable(1.0), tf.Variable(2.0, use_resource=True)
    local = tf.Variable(3.0, collections=[tf.GraphKeys.LOCAL_VARIABLES], trainable=False)
    every, some = tf.global_variables_initializer(), tf.variables_initializer([b], name="some")
    assert [op.name for op in every.control_inputs] == ["Variable/Assign", "Variable_1/Assign"]
    assert (every.name, some.name) == ("init", "some")
    with tf.Session() as session:
        session.run([every, tf.local_variables_initializer()])
        assert session.run([a, b, local]) == [1.0, 2.0, 3.0]


def test_no_variables(graph):
    init = tf.global_variables_initializer()
    assert (init.type, init.control_inputs) == ("NoOp", [])
    assert tf.assert_variables_initialized() is None
    with tf.Session() as session:
        session.run(init)
        assert session.run(tf.report_uninitialized_variables()).tolist() == []


def test_report(graph):
    a, b = tf.Variable(1.0, name="a"), tf.Variable(1.0, name="b", use_resource=True)
    report, check = tf.report_uninitialized_variables(), tf.assert_variables_initialized()
    only = tf.report_uninitialized_variables([a])
    with tf.Session() as session:
        assert session.run(report).tolist() == [b"a", b"b"]
        with pytest.raises(
            tf.errors.FailedPreconditionError, match=r"Attempting to use uninitialized value a\n"
        ):
            session.run(check)
        session.run(a.initializer)
        assert session.run(report).tolist() == [b"b"]
        assert session.run(only).tolist() == []
        session.run(b.initializer)
        assert session.run(report).tolist() == []
        session.run(check)


def test_old_names(graph):
    v = tf.Variable(1.0)
    assert tf.all_variables() == [v]
    assert tf.initialize_all_variables().control_inputs == [v.initializer]
    assert tf.initialize_variables([v]).control_inputs == [v.initializer]
    assert tf.initialize_local_variables().control_inputs == []
    assert "global_variables_initializer" in tf.initialize_all_variables.__doc__
