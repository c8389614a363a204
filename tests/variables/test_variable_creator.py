"""Who makes a variable: creators, in the order of their blocks."""

import pytest

import tfmini as tf
from tfmini._src.variables.copy_modes import (
    VariableAggregation,
    VariableAggregationV2,
)
from tfmini._src.variables.variable_v2 import SecondVariable


def test_creators_are_asked_from_the_inside():
    asked = []

    def creator(name):
        def create(next_creator, **kwargs):
            asked.append((name, kwargs["name"]))
            return next_creator(**kwargs)

        return create

    with tf.Graph().as_default():
        with tf.variable_creator_scope(creator("outer")):
            with tf.variable_creator_scope(creator("inner")):
                tf.Variable(1.0, name="v")
            tf.get_variable("w", [])
        tf.Variable(1.0)
    assert asked == [("inner", "v"), ("outer", "v"), ("outer", "w")]


def test_a_creator_may_change_what_is_made():
    def as_resource(next_creator, **kwargs):
        return next_creator(**dict(kwargs, use_resource=True, trainable=False))

    with tf.Graph().as_default(), tf.variable_creator_scope(as_resource):
        v = tf.Variable(1.0)
    assert v.dtype is tf.float32 and not v.trainable


def test_blocks_must_nest():
    with tf.Graph().as_default():
        first = tf.variable_creator_scope(lambda create, **kwargs: create(**kwargs))
        second = tf.variable_creator_scope(lambda create, **kwargs: create(**kwargs))
        first.__enter__()
        second.__enter__()
        with pytest.raises(RuntimeError, match="Exiting variable_creator_scope without proper"):
            first.__exit__(None, None, None)


def test_init_scope():
    with tf.Graph().as_default() as graph:
        x = tf.constant(1.0)
        with tf.name_scope("scope"), tf.control_dependencies([x]), tf.init_scope():
            y = tf.constant(2.0)
        assert (y.op.name, y.op.control_inputs) == ("scope/Const", [])
        assert y.graph is graph


def test_a_function_has_the_creators_around_it():
    seen, made = [], []

    def creator(next_creator, **kwargs):
        seen.append(next_creator(**kwargs))
        return seen[-1]

    @tf.function
    def f():
        if not made:
            made.append(tf.Variable(1.0))
        return made[0] + 1.0

    with tf.Graph().as_default(), tf.variable_creator_scope(creator):
        f()
    assert len(made) == 1 and made[0] is seen[0]


def test_variables_of_the_second_kind():
    with tf.Graph().as_default():
        v = SecondVariable(1.0, False, aggregation=VariableAggregationV2.MEAN)
        old = tf.Variable(2.0)
        assert hasattr(v, "handle") and not hasattr(old, "handle")
        assert v not in tf.trainable_variables() and v in tf.global_variables()
        assert v.aggregation == VariableAggregation.MEAN == VariableAggregationV2.MEAN
        assert isinstance(old, SecondVariable) and isinstance(v, tf.Variable)
        assert issubclass(type(old), SecondVariable) and not isinstance(3, SecondVariable)


def test_init_scope_escapes_what_is_open_when_it_is_entered():
    with tf.Graph().as_default() as graph:
        first = tf.no_op()
        scope = tf.init_scope()
        with graph.name_scope("a"), graph.control_dependencies([first]), scope:
            outside = tf.no_op()
        with graph.name_scope("b"), tf.init_scope():
            other = tf.no_op()
        with graph.control_dependencies([first]):
            inside = tf.no_op()
    assert outside.control_inputs == other.control_inputs == []
    assert (outside.name, other.name) == ("a/NoOp", "b/NoOp")
    assert inside.control_inputs == [first]
