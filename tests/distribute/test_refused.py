"""Uses that strategies and resolvers refuse, in TensorFlow 1.15.5's words."""

import pytest

import tfmini as tf
from tfmini._src.distribute.cross_device_ops import ReductionToOneDevice


@pytest.mark.parametrize("kind", [list, tuple])
def test_several_values_are_not_one_per_replica(kind):
    with tf.Graph().as_default():
        given = kind([tf.constant(1.0)])
        with pytest.raises(ValueError, match="but expected a object that is not a tuple or list.$"):
            ReductionToOneDevice().reduce(tf.distribute.ReduceOp.SUM, given, "/cpu:0")


def test_a_value_has_a_device():
    with pytest.raises(ValueError, match="because it doesn't have device set.$"):
        ReductionToOneDevice().reduce(tf.distribute.ReduceOp.SUM, 3.0, "/cpu:0")


def test_arguments_of_a_resolver():
    resolver = tf.distribute.cluster_resolver.SimpleClusterResolver
    with pytest.raises(TypeError, match="^master must be a string.$"):
        resolver(tf.train.ClusterSpec({"worker": ["a:1"]}), master=3)
    with pytest.raises(TypeError, match="^cluster_spec must be a ClusterSpec.$"):
        resolver({"worker": ["a:1"]})


def test_a_strategy_runs_replicas_itself():
    extended = tf.distribute.StrategyExtended(tf.distribute.get_strategy())
    with pytest.raises(NotImplementedError, match="^must be implemented in descendants$"):
        extended._call_for_each_replica(None, (), {})
