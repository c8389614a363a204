"""Layers where TensorFlow keeps them in private: `from tensorflow.python.layers import core`."""

import tfmini as tf
from tfmini.compat.python.layers import base, core


def test_they_are_those_of_tf_layers():
    assert core.Dense is tf.layers.Dense
    assert core.dense is tf.layers.dense
    assert base.Layer is tf.layers.Layer
    assert base.InputSpec is tf.layers.InputSpec
    assert base.set_keras_style is tf.layers.experimental.set_keras_style
