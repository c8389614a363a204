"""Variables made in a `tf.function` of tensors of the function: values as TensorFlow 1.15.5 gives them."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.session.eager.enable import eager_mode


class Layer(tf.Module):
    """Makes its variables in its first call."""

    def __init__(self):
        super().__init__()
        self.kernel = None

    @tf.function
    def __call__(self, x):
        if self.kernel is None:
            rows = tf.concat([tf.zeros([1, 2]), tf.ones([1, 2])], 0)
            self.kernel = tf.Variable(tf.ones([2, 2]) * rows + 3.0)
            self.bias = tf.Variable(tf.zeros([2]), name="bias")
        return tf.matmul(x, self.kernel) + self.bias


def test_in_eager_mode():
    with tf.Graph().as_default(), eager_mode():
        layer = Layer()
        np.testing.assert_array_equal(layer(tf.ones([1, 2])).numpy(), [[7.0, 7.0]])
        np.testing.assert_array_equal(layer.kernel.numpy(), [[3.0, 3.0], [4.0, 4.0]])
        assert layer.bias.name == "bias:0"
        kernel = layer.kernel
        assert layer(tf.ones([3, 2])).shape == (3, 2)
        assert layer.kernel is kernel


def test_in_a_graph():
    with tf.Graph().as_default(), tf.Session() as session:
        layer = Layer()
        y = layer(tf.ones([1, 2]))
        session.run(tf.global_variables_initializer())
        found = session.run([y, layer.kernel])
        np.testing.assert_array_equal(found[0], [[7.0, 7.0]])
        np.testing.assert_array_equal(found[1], [[3.0, 3.0], [4.0, 4.0]])


@pytest.mark.parametrize("mode", [eager_mode, tf.Session])
def test_not_of_arguments(mode):
    @tf.function
    def bad(x):
        return tf.Variable(x) + 1.0

    with tf.Graph().as_default(), mode(), pytest.raises(ValueError, match="^in converted code"):
        bad(tf.constant(1.0))


def test_values_of_what_a_function_captures():
    """Of a tensor around the function, and of one of a function around it."""
    with tf.Graph().as_default(), tf.Session() as session:
        start = tf.placeholder_with_default([1.0, 2.0], [2])
        made = []

        @tf.function
        def inner(x):
            if not made:
                made.append(tf.Variable(start * 3.0))
            return x + made[0]

        y = inner(tf.constant(1.0))
        session.run(tf.global_variables_initializer())
        np.testing.assert_array_equal(session.run(made[0]), [3.0, 6.0])
        np.testing.assert_array_equal(session.run(y), [4.0, 7.0])


def test_values_of_what_an_inner_function_captures():
    with tf.Graph().as_default(), eager_mode():
        made = []

        @tf.function
        def outer(x):
            start = tf.constant([1.0, 2.0]) + 1.0

            @tf.function
            def inner(y):
                if not made:
                    made.append(tf.Variable(start * 3.0))
                return y + made[0]

            return inner(x)

        np.testing.assert_array_equal(outer(tf.ones([])).numpy(), [7.0, 10.0])
        np.testing.assert_array_equal(made[0].numpy(), [6.0, 9.0])
