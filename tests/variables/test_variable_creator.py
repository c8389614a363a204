"""Variable creators, in the order of their scopes."""

import pytest

import tfmini as tf
from tfmini._src.variables.copy_modes import (
    VariableAggregation,
    VariableAggregationV2,
)
from tfmini._src.variables.variable_v2 import SecondVariable


def test_creator_scopes_must_nest():
    with tf.Graph().as_default():
        first = tf.variable_creator_scope(lambda create, **kwargs: create(**kwargs))
        second = tf.variable_creator_scope(lambda create, **kwargs: create(**kwargs))
        first.__enter__()
        second.__enter__()
        with pytest.raises(RuntimeError, match="Exiting variable_creator_scope without proper"):
            first.__exit__(None, None, None)


def test_second_version_variable():
    with tf.Graph().as_default():
        v = SecondVariable(1.0, False, aggregation=VariableAggregationV2.MEAN)
        old = tf.Variable(2.0)
        assert hasattr(v, "handle") and not hasattr(old, "handle")
        assert v not in tf.trainable_variables() and v in tf.global_variables()
        assert v.aggregation == VariableAggregation.MEAN == VariableAggregationV2.MEAN
        assert isinstance(old, SecondVariable) and isinstance(v, tf.Variable)
        assert issubclass(type(old), SecondVariable) and not isinstance(3, SecondVariable)
