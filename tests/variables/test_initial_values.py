"""Variables made from other variables: right in whichever order they are initialised."""

import pytest

import tfmini as tf


def initialized(variables, feed=None):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer(), feed)
        return [value.tolist() for value in session.run(variables)]


@pytest.mark.parametrize("use_resource", [False, True])
def test_a_chain(graph, use_resource):
    a = tf.Variable([1.0, 2.0], name="a", use_resource=use_resource)
    b = tf.Variable(a.initialized_value() * 2.0, name="b", use_resource=use_resource)
    c = tf.Variable(b.initialized_value() + a.initialized_value(), use_resource=use_resource)
    assert initialized([a, b, c]) == [[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]]


def test_values_are_guarded(graph):
    a = tf.Variable([1.0, 2.0], name="a")
    b = tf.Variable(a * 2.0, name="b")
    assert b.initial_value.name == "mul:0"
    assert b.initializer.inputs[1].name == "mul_b:0"
    assert b.initializer.inputs[1].op.inputs[0].name == "a/read_b:0"
    assert initialized([a, b]) == [[1.0, 2.0], [2.0, 4.0]]


def test_a_used_variable_keeps_its_value(graph):
    a = tf.Variable(1.0)
    b = tf.Variable(a * 10.0)
    with tf.Session() as session:
        session.run(a.initializer)
        session.run(a.assign(5.0))
        session.run(b.initializer)
        assert session.run(b) == 50.0


def test_what_depends_on_no_variable_stays(graph):
    x = tf.constant(2.0) * 3.0
    v = tf.Variable(x)
    assert v.initializer.inputs[1] is x


def test_in_a_condition(graph):
    def branch():
        with pytest.raises(ValueError) as caught:
            tf.Variable(tf.constant(1.0), name="v")
        assert str(caught.value) == (
            "Initializer for variable cond/v/ is from inside a control-flow construct, such as a loop "
            "or conditional. When creating a variable inside a loop or conditional, use a lambda as "
            "the initializer."
        )
        return tf.Variable(lambda: tf.constant(4.0)) + 1.0

    result = tf.cond(tf.constant(True), branch, lambda: tf.constant(0.0))
    assert initialized([result]) == [5.0]
