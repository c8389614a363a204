"""Refused reductions."""

import pytest

import tfmini as tf
from tfmini._src.distribute.cross_device_ops import ReductionToOneDevice


@pytest.mark.parametrize("kind", [list, tuple])
def test_one_value_per_replica(kind):
    with tf.Graph().as_default():
        given = kind([tf.constant(1.0)])
        with pytest.raises(ValueError, match="but expected a object that is not a tuple or list.$"):
            ReductionToOneDevice().reduce(tf.distribute.ReduceOp.SUM, given, "/cpu:0")


def test_values_need_devices():
    with pytest.raises(ValueError, match="because it doesn't have device set.$"):
        ReductionToOneDevice().reduce(tf.distribute.ReduceOp.SUM, 3.0, "/cpu:0")
