"""Where layers make what they keep, when a model of Keras is put together in eager mode."""

import numpy as np

import tfmini as tf
from tfmini._src.session.eager.enable import eager_mode


def test_constants_of_a_functional_model_have_values_in_eager_mode():
    """Batch normalization without a scale keeps a constant in its place."""
    with eager_mode():
        inputs = tf.keras.Input((4, 4, 2))
        normalized = tf.keras.layers.BatchNormalization(scale=False, center=False)(inputs)
        model = tf.keras.Model(inputs, normalized)
        outputs = model(tf.ones([1, 4, 4, 2]))
        np.testing.assert_allclose(outputs.numpy(), np.ones((1, 4, 4, 2)) / np.sqrt(1.001), 1e-6)


def test_a_layer_of_keras_is_built_eagerly_and_one_of_tf_layers_where_it_is_called():
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


def test_updates_of_a_function_read_the_averages_that_they_are_placed_with():
    """The seeds of ops that follow count the nodes before them, as in TensorFlow 1.15.5."""

    def trained(x):
        return tf.nn.dropout(layer(x, training=True), rate=0.5)

    with eager_mode():
        tf.set_random_seed(1)
        layer = tf.keras.layers.BatchNormalization()
        graph = tf.function(trained).get_concrete_function(tf.ones([8, 2])).graph
        (random,) = (n for n in graph.get_operations() if n.type == "RandomUniform")
        assert random.get_attr("seed2") == 41
