"""Calls of `tf.function` in eager mode, with TensorFlow 1.15.5's messages."""

import gc
import weakref

import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("eager")


def test_eager_ops_refuse_graph_tensors():
    leaked = []

    @tf.function
    def f(x):
        leaked.append(x + 1)
        return x

    f(tf.constant(1.0))
    expected = 'An op outside of the function building code is being passed\na "Graph" tensor'
    with pytest.raises(TypeError, match=expected):
        tf.add(leaked[0], 1.0)
    with pytest.raises(TypeError, match="The graph tensor has name: add:0$"):
        leaked[0] + tf.constant(1.0)


def test_unused_functions_are_collected():
    def made():
        variable = tf.Variable(2.0, use_resource=True)
        inner = tf.function(lambda x: x * variable)
        outer = tf.function(lambda x: inner(x) * 3.0)
        with tf.GradientTape() as tape:
            y = outer(tf.constant(1.0))
        assert (float(y), float(tape.gradient(y, variable))) == (6.0, 3.0)
        concrete = outer.get_concrete_function(tf.constant(1.0))
        return weakref.ref(outer), weakref.ref(variable), weakref.ref(concrete)

    references = made()
    gc.collect()
    assert [reference() for reference in references] == [None, None, None]


def test_one_trace_per_argument_signature():
    traced = []

    @tf.function
    def f(x, k=1):
        traced.append((x, k))
        return x * k

    for x in (tf.constant(1.0), tf.constant(2.0), tf.constant([2.0]), 1.0, 2.0):
        f(x)
    f(tf.constant(1), k=2)
    f(tf.constant(1.0), 1)
    assert len(traced) == 5


def test_functions_run_eagerly_on_request():
    traced = []

    @tf.function
    def f(x):
        traced.append(x)
        return x

    tf.config.experimental_run_functions_eagerly(True)
    try:
        f(tf.constant(1.0))
        f(tf.constant(1.0))
    finally:
        tf.config.experimental_run_functions_eagerly(False)
    assert [float(x) for x in traced] == [1.0, 1.0]
    f(tf.constant(1.0))
    assert len(traced) == 3 and not hasattr(traced[2], "numpy")


def test_higher_order_gradients_with_persistent_tape():
    variable = tf.Variable(1.0, use_resource=True)
    cosine = tf.function(lambda: tf.cos(variable))
    with tf.GradientTape(persistent=True) as tape:
        result = [cosine()]
        for _ in range(3):
            result.append(tape.gradient(result[-1], variable))
    expected = [np.cos(1.0), -np.sin(1.0), -np.cos(1.0), np.sin(1.0)]
    np.testing.assert_allclose([float(value) for value in result], expected, rtol=1e-6)


def test_higher_order_gradients_in_functions():
    def derivative(function):
        def computed(x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = function(x)
            return tape.gradient(y, x)

        return computed

    function, x = tf.function(tf.cos), tf.constant(2.0)
    for expected in (np.cos(2.0), -np.sin(2.0), -np.cos(2.0), np.sin(2.0)):
        np.testing.assert_allclose(tf.function(function)(x), expected, rtol=1e-5)
        function = derivative(function)


def test_captured_shapes_are_known():
    large, small, seen = tf.zeros([300, 7]), tf.constant([1.0, 2.0]), []

    @tf.function
    def f(x):
        seen.extend([(large + 0.0).shape.as_list(), (small * x).shape.as_list()])
        return tf.reduce_sum(large) + small * x

    assert f(tf.constant(3.0)).numpy().tolist() == [3.0, 6.0]
    assert seen == [[300, 7], [2]]


def loop(x, factor):
    return tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * factor), [0, x])[1]


def nested(x, factor):
    return tf.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, loop(y, factor)), [0, x])[1]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x, c: x * c, 3),
        (lambda x, c: tf.cond(x > 0.0, lambda: x * c * c, lambda: x), 12),
        (lambda x, c: tf.function(lambda y: y * c)(x) * c, 12),
        (loop, 36),
        (nested, 576),
        (lambda x, c: tf.reduce_sum(tf.map_fn(lambda y: y * c, tf.ones([3]) * x)), 9),
    ],
)
def test_gradients_of_captured_value(function, expected):
    c = tf.constant(2.0)
    called = tf.function(lambda x: function(x, c))
    with tf.GradientTape() as tape:
        tape.watch(c)
        y = called(tf.constant(3.0))
    assert tape.gradient(y, c).numpy() == expected
    inside = tf.function(lambda x: tf.gradients(function(x, c), c)[0])
    assert inside(tf.constant(3.0)).numpy() == expected
    concrete = called.get_concrete_function(tf.constant(3.0))
    assert [tensor.numpy() for tensor in concrete.captured_inputs] == [2.0]
