"""Separable convolutions in both data formats."""

import pytest

import tfmini as tf


@pytest.mark.parametrize("axes", [1, 2])
@pytest.mark.parametrize("strides, sizes", [(1, (4, 5)), (2, (2, 3))])
def test_channels_first(axes, strides, sizes):
    kind = (tf.keras.layers.SeparableConv1D, tf.keras.layers.SeparableConv2D)[axes - 1]
    layer = kind(4, 3, strides=strides, data_format="channels_first")
    images = tf.placeholder(tf.float32, [2, 3, *(6, 7)[:axes]])
    assert layer(images).shape.as_list() == [2, 4, *sizes[:axes]]
    nodes = tf.get_default_graph().get_operations()
    convolutions = [op for op in nodes if op.type in ("Conv2D", "DepthwiseConv2dNative")]
    assert [op.get_attr("data_format") for op in convolutions] == [b"NCHW"] * 2
