"""Calls of layers: Python control flow over tensors, what is no tensor, placeholders for what cannot be in a graph."""

import numpy as np
import pytest

import tfmini as tf


def test_python_control_flow_over_tensors_is_refused():
    """Where AutoGraph rewrites no function."""

    class Branching(tf.layers.Layer):
        @tf.autograph.experimental.do_not_convert
        def call(self, x):
            return x if tf.reduce_sum(x) > 0 else -x

    with pytest.raises(TypeError, match="attempting to use Python control flow in a layer"):
        Branching()(tf.ones([2]))


def test_errors_of_a_call_leave_scopes_as_they_were():
    class Failing(tf.layers.Layer):
        def call(self, x, training=None):
            raise KeyError("on purpose")

    with tf.variable_scope("outer"):
        with pytest.raises(KeyError, match="KeyError: 'on purpose'"):
            Failing()(tf.ones([2]), training=True)
        assert tf.get_variable_scope().name == "outer"
        assert tf.ones([2], name="after").op.name == "outer/after"
    seen = []

    class Inner(tf.layers.Layer):
        def call(self, x, training=None):
            seen.append(training)
            return x

    Inner()(tf.ones([2]))
    assert seen == [None]


def test_numbers_and_arrays_become_tensors():
    class Sum(tf.layers.Layer):
        def call(self, inputs):
            assert all(isinstance(x, tf.Tensor) for x in inputs)
            return tf.add_n(inputs)

    with tf.Session() as session:
        found = session.run(Sum()([1.5, np.array(2, "f"), tf.constant(3.0)]))
    assert found == 6.5


def test_a_dynamic_layer_gives_placeholders():
    class Outside(tf.layers.Layer):
        def call(self, x):
            raise AssertionError("is not called")

        def compute_output_shape(self, shape):
            return tf.TensorShape([shape[0], 7])

    layer = Outside(dynamic=True)
    assert layer.dynamic
    outputs = layer(tf.zeros([3, 2]))
    assert outputs.op.type == "Placeholder"
    assert outputs.shape == [3, 7]
    assert outputs.dtype == tf.float32


def test_output_signatures():
    layer = tf.layers.Dense(4)
    found = layer.compute_output_signature(tf.TensorSpec([None, 3], tf.float64))
    assert found == tf.TensorSpec([None, 4], tf.float64)
    with pytest.raises(TypeError, match="Only TensorSpec signature types are supported"):
        layer.compute_output_signature([2, 3])


def test_inputs_are_cast_where_asked():
    layer = tf.layers.Dense(2, dtype=tf.float64, autocast=True)
    outputs = layer(tf.ones([1, 3, 4]))
    assert outputs.dtype == tf.float64
    assert layer.kernel.dtype.base_dtype == tf.float64


def test_configurations_make_the_layer_again():
    layer = tf.layers.Dense(3, "tanh", kernel_initializer="he_normal", name="layer")
    again = tf.layers.Dense.from_config(layer.get_config())
    assert again.get_config() == layer.get_config()
    assert again.units == 3
    assert again.activation is layer.activation


def test_metrics_are_means_over_steps():
    class Watched(tf.layers.Layer):
        def call(self, x):
            self.add_metric(x, "mean", "level")
            return x

    x = tf.placeholder(tf.float32, [None])
    layer = Watched()
    layer(x)
    (metric,) = layer.metrics
    with tf.Session() as session:
        session.run([v.initializer for v in metric.variables])
        session.run(metric.updates, {x: [1.0, 2.0]})
        session.run(metric.updates, {x: [6.0]})
        assert session.run(metric.result()) == 3.0
