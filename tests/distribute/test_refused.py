"""Invalid uses of strategies and resolvers: TensorFlow 1.15.5's errors."""

import pytest

import tfmini as tf


def test_invalid_resolver_arguments():
    resolver = tf.distribute.cluster_resolver.SimpleClusterResolver
    with pytest.raises(TypeError, match="^master must be a string.$"):
        resolver(tf.train.ClusterSpec({"worker": ["a:1"]}), master=3)
    with pytest.raises(TypeError, match="^cluster_spec must be a ClusterSpec.$"):
        resolver({"worker": ["a:1"]})
