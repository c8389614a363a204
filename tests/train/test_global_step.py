"""steps: the global step of a graph."""

import pytest

import tfmini as tf


def test_it_is_made_once(graph):
    assert tf.train.get_global_step() is None
    step = tf.train.create_global_step()
    assert (step.name, step.dtype.base_dtype, step.shape.as_list()) == (
        "global_step:0",
        tf.int64,
        [],
    )
    assert tf.train.get_global_step() is tf.train.get_or_create_global_step() is step
    assert tf.get_collection(tf.GraphKeys.GLOBAL_STEP) == [step]
    assert step not in tf.trainable_variables()
    with pytest.raises(ValueError, match='"global_step" already exists.'):
        tf.train.create_global_step()
    other = tf.Graph()
    made = tf.train.get_or_create_global_step(other)
    assert made.graph is other and tf.train.get_global_step(graph) is step


def test_name_scopes_do_not_name_it():
    with tf.name_scope("scope"):
        assert tf.train.get_or_create_global_step().name == "global_step:0"


def test_a_variable_of_that_name_is_it():
    step = tf.Variable(0, trainable=False, name="global_step")
    found = tf.train.get_global_step()
    assert found.name == step.name


def test_its_value():
    step = tf.train.create_global_step()
    with tf.Session() as session:
        session.run(step.initializer)
        session.run(step.assign_add(3))
        value = tf.train.global_step(session, step)
    assert value == 3 and type(value) is int


def test_several_are_none(caplog):
    for name in "ab":
        tf.add_to_collection(tf.GraphKeys.GLOBAL_STEP, tf.Variable(0, name=name))
    assert tf.train.get_global_step() is None
