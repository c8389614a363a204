"""Residual network stacks, one block each: names and sizes."""

import pytest

import tfmini as tf
from tfmini._src.models.keras.applications import resnet


@pytest.mark.parametrize(
    "preactivated, sizes", [(False, [16, 8, 4, 2]), (True, [8, 4, 2, 2])], ids=["1", "2"]
)
def test_stacks(preactivated, sizes):
    tf.keras.backend.clear_session()
    start = tf.keras.Input((16, 16, 64))
    model = tf.keras.Model(start, resnet._stacks(start, (1, 1, 1, 1), preactivated))
    ends = [model.get_layer(f"conv{stack}_block1_out").output for stack in (2, 3, 4, 5)]
    assert [end.shape.as_list()[1] for end in ends] == sizes
    assert [end.shape.as_list()[-1] for end in ends] == [256, 512, 1024, 2048]
