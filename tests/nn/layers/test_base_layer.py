"""Layers: base classes, calls, placeholders of dynamic layers, building in eager mode."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.session.eager.enable import eager_mode


def test_functional_model_constants_evaluate_eagerly():
    """Batch normalization without a scale uses a constant instead."""
    with eager_mode():
        inputs = tf.keras.Input((4, 4, 2))
        normalized = tf.keras.layers.BatchNormalization(scale=False, center=False)(inputs)
        model = tf.keras.Model(inputs, normalized)
        outputs = model(tf.ones([1, 4, 4, 2]))
        np.testing.assert_allclose(outputs.numpy(), np.ones((1, 4, 4, 2)) / np.sqrt(1.001), 1e-6)


def test_keras_layers_are_built_eagerly():
    """As in TensorFlow 1.15.5."""
    built = []

    def build(layer, shape):
        built.append(tf.executing_eagerly())
        layer.built = True

    with eager_mode():
        for base in (tf.keras.layers.Layer, tf.layers.Layer):
            layer = type("Own", (base,), {"build": build})()
            tf.function(layer)(tf.ones([2]))
    assert built == [True, False]


def test_function_updates_are_colocated_with_averages():
    """Seeds of later ops depend on the number of earlier nodes, as in TensorFlow 1.15.5."""

    def trained(x):
        return tf.nn.dropout(layer(x, training=True), rate=0.5)

    with eager_mode():
        tf.set_random_seed(1)
        layer = tf.keras.layers.BatchNormalization()
        graph = tf.function(trained).get_concrete_function(tf.ones([8, 2])).graph
        (random,) = (n for n in graph.get_operations() if n.type == "RandomUniform")
        assert random.get_attr("seed2") == 41


def test_python_control_flow_over_tensors_is_refused():
    """In functions that AutoGraph does not convert."""

    class Branching(tf.layers.Layer):
        @tf.autograph.experimental.do_not_convert
        def call(self, x):
            return x if tf.reduce_sum(x) > 0 else -x

    with pytest.raises(TypeError, match="attempting to use Python control flow in a layer"):
        Branching()(tf.ones([2]))


def test_failing_call_leaves_scopes():
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


def test_base_classes_match_tensorflow():
    names = [base.__name__ for base in tf.layers.Dense.__mro__]
    assert names[:4] == ["Dense", "Dense", "Layer", "Layer"]
    assert names[4:] == ["Module", "AutoTrackable", "Trackable", "object"]


def test_dtype_follows_first_input():
    layer = tf.keras.layers.Layer()
    layer([tf.ones([2], tf.float64), tf.ones([2])])
    assert layer.dtype == "float64"
