"""Selection of the symbolic tensor graph in eager mode."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.nn.layers.backend.keras_graph import get_graph, in_keras_graph, runs_as_written
from tfmini._src.nn.layers.backend.learning_phase import symbolic_learning_phase
from tfmini._src.session.eager.enable import eager_mode


class Counts(tf.keras.layers.Layer):
    def build(self, input_shape):
        self.counter = self.add_weight("counter", (), initializer="zeros", trainable=False)

    def call(self, inputs, training=None):
        if training:
            total = tf.reduce_sum(inputs)
            self.add_update(lambda: self.counter.assign_add(total))
        return inputs


def test_keras_graph_includes_branches():
    seen = []

    def branch():
        seen.append((in_keras_graph(), runs_as_written()))
        return tf.constant(1)

    with eager_mode():
        assert not in_keras_graph()
        with get_graph().as_default():
            tf.cond(tf.placeholder(tf.bool, []), branch, branch)
        tf.function(branch)()
    assert seen == [(True, False), (True, False), (False, True)]


def test_functions_of_placeholders_in_eager_mode(capfd):
    """The losses are minus the logarithms of the labels' probabilities."""
    k, rows = tf.keras.backend, np.array([[0.5, 0.5], [0.2, 0.8]], np.float32)
    with eager_mode():
        x, labels = k.placeholder(), k.placeholder()
        with k.name_scope("inner"):
            printed = k.print_tensor(x, "rows:")
        losses = k.sparse_categorical_crossentropy(labels, printed)
        result = k.function([labels, x], losses)([np.array([0.0, 1.0]), rows])
        np.testing.assert_allclose(result, -np.log([0.5, 0.8]), rtol=1e-5)
        with k.learning_phase_scope(1):
            assert symbolic_learning_phase() == 1
    assert "rows: [[0.5 0.5]\n [0.2 0.8]]" in capfd.readouterr().out


def test_reading_branch_updates_is_refused():
    with eager_mode():
        counts = Counts()
        counts(tf.keras.Input((3,)))
        with pytest.raises(RuntimeError, match="`add_update` in a control flow branch"):
            assert counts.updates


class NormalizesInTraining(tf.keras.layers.Layer):
    def build(self, input_shape):
        self.norm = tf.keras.layers.BatchNormalization()

    def call(self, inputs, training=None):
        if training:
            outputs = self.norm(inputs, training=True)
        else:
            outputs = inputs
        return outputs


def test_models_with_branch_updates_train():
    """Losses and averages are TensorFlow 1.15.5's."""
    x = np.arange(8.0, dtype=np.float32).reshape(4, 2)
    with eager_mode():
        inputs, layer = tf.keras.Input((2,)), NormalizesInTraining()
        model = tf.keras.Model(inputs, layer(inputs))
        model.compile("sgd", "mse")
        losses = model.fit(x, x, verbose=0, epochs=2).history["loss"]
        np.testing.assert_allclose(losses, [14.028111, 13.748959], rtol=1e-5)
        averages = layer.norm.moving_mean.numpy()
        np.testing.assert_allclose(averages, [0.0597, 0.0796], rtol=1e-5)
        np.testing.assert_array_equal(model.predict(x), x)
        np.testing.assert_array_equal(layer.norm.moving_mean.numpy(), averages)
