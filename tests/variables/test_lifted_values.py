"""Variables initialized in a `tf.function` from its tensors: values as in TensorFlow 1.15.5."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.session.eager.enable import eager_mode
from tfmini._src.variables.lifted_values import UnliftableError
from tfmini._src.variables.resource_variable import ResourceVariable


class Layer(tf.Module):
    """Creates its variables in its first call."""

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


def test_eager_mode():
    with tf.Graph().as_default(), eager_mode():
        layer = Layer()
        np.testing.assert_array_equal(layer(tf.ones([1, 2])).numpy(), [[7.0, 7.0]])
        np.testing.assert_array_equal(layer.kernel.numpy(), [[3.0, 3.0], [4.0, 4.0]])
        assert layer.bias.name == "bias:0"
        kernel = layer.kernel
        assert layer(tf.ones([3, 2])).shape == (3, 2)
        assert layer.kernel is kernel


def test_graph_mode():
    with tf.Graph().as_default(), tf.Session() as session:
        layer = Layer()
        y = layer(tf.ones([1, 2]))
        session.run(tf.global_variables_initializer())
        result = session.run([y, layer.kernel])
        np.testing.assert_array_equal(result[0], [[7.0, 7.0]])
        np.testing.assert_array_equal(result[1], [[3.0, 3.0], [4.0, 4.0]])


class Scale(tf.Module):
    """Creates a variable from its first argument."""

    def __init__(self):
        super().__init__()
        self.v = None

    @tf.function
    def __call__(self, x):
        if self.v is None:
            self.v = tf.Variable(2.0 * x)
        return self.v * x


def test_initial_values_from_arguments():
    """In eager mode, the first call's; also an enclosing function's."""

    @tf.function
    def outer(scale, y):
        return scale(y + 1.0)

    with tf.Graph().as_default(), eager_mode():
        scale = Scale()
        assert scale(tf.constant(3.0)).numpy() == 18.0
        assert (scale.v.numpy(), scale(tf.constant(5.0)).numpy()) == (6.0, 30.0)
        scale = Scale()
        assert outer(scale, tf.constant(3.0)).numpy() == 32.0
        assert (scale.v.numpy(), outer(scale, tf.constant(5.0)).numpy()) == (8.0, 48.0)


def test_graph_mode_arguments_are_refused():
    message = r"transitively on placeholder .* mul \(Mul\) <- x \(Placeholder\)"
    with tf.Graph().as_default(), pytest.raises(UnliftableError, match=message):
        Scale()(tf.constant(1.0))


def test_placeholder_in_body():
    with tf.Graph().as_default(), tf.Session() as session:
        created = []

        @tf.function
        def use_variable():
            if not created:
                created.append(tf.Variable(tf.placeholder(tf.float32, [])))
            return created[0] + 1.0

        y = use_variable()
        initializer = created[0].initializer
        session.run(initializer, {initializer.inputs[1]: 2.0})
        assert session.run(y) == 3.0


def test_resource_variables_are_created_per_trace():
    """They do not count as the function's; tensors of the function are not their initial values."""
    created = []

    @tf.function
    def f(x):
        with pytest.raises(ValueError, match="^Tensor-typed variable initializers"):
            ResourceVariable(tf.constant(2.0))
        created.append(ResourceVariable(lambda: tf.constant(2.0)))
        return created[-1] * x

    with tf.Graph().as_default(), eager_mode():
        assert f(tf.constant(3.0)).numpy() == 6.0
        assert len(created) == 1
        np.testing.assert_array_equal(f(tf.constant([3.0])).numpy(), [6.0])
        assert len(created) == 2


def test_initial_values_from_captures():
    """A tensor outside of the function, and one of an enclosing function."""
    with tf.Graph().as_default(), tf.Session() as session:
        start = tf.placeholder_with_default([1.0, 2.0], [2])
        created = []

        @tf.function
        def inner(x):
            if not created:
                created.append(tf.Variable(start * 3.0))
            return x + created[0]

        y = inner(tf.constant(1.0))
        session.run(tf.global_variables_initializer())
        np.testing.assert_array_equal(session.run(created[0]), [3.0, 6.0])
        np.testing.assert_array_equal(session.run(y), [4.0, 7.0])


def test_initial_values_from_inner_captures():
    with tf.Graph().as_default(), eager_mode():
        created = []

        @tf.function
        def outer(x):
            start = tf.constant([1.0, 2.0]) + 1.0

            @tf.function
            def inner(y):
                if not created:
                    created.append(tf.Variable(start * 3.0))
                return y + created[0]

            return inner(x)

        np.testing.assert_array_equal(outer(tf.ones([])).numpy(), [7.0, 10.0])
        np.testing.assert_array_equal(created[0].numpy(), [6.0, 9.0])
