import numpy as np
import pytest

import tfmini as tf
from tfmini._src.session.eager.enable import eager_mode


def cube_or_minus(x):
    return x * x * x if x > 0 else -x


def test_gradient_in_graph_mode():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32)
        y = tf.py_function(cube_or_minus, [x], tf.float32)
        gradient = tf.gradients(y, x)[0]
        assert session.run([y, gradient], {x: 2.0}) == [8.0, 12.0]
        assert session.run([y, gradient], {x: -3.0}) == [3.0, -1.0]


def test_gradient_in_eager_mode():
    with eager_mode():
        x = tf.constant(2.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.py_function(cube_or_minus, [x], tf.float32) * 2
        assert y.numpy() == 16
        assert tape.gradient(y, x).numpy() == 24


def test_gradient_inside_function():
    @tf.function
    def doubled(x):
        return tf.py_function(cube_or_minus, [x], tf.float32) * 2

    with eager_mode():
        x = tf.constant(2.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = doubled(x)
        assert tape.gradient(y, x).numpy() == 24


def test_unused_input_has_zero_gradient():
    with tf.Graph().as_default(), tf.Session() as session:
        x, y = tf.constant(2.0), tf.constant(3.0)
        z = tf.py_function(lambda x, y: x * x, [x, y], tf.float32)
        assert session.run(tf.gradients(z, [x, y])) == [4.0, 0.0]


def test_functions_receive_eager_tensors_and_convert_results():
    with eager_mode():
        numbers, texts = tf.py_function(
            lambda x: (x.numpy() + 1, [b"a", "b"]), [tf.constant([1, 2])], [tf.int32, tf.string]
        )
        np.testing.assert_array_equal(numbers.numpy(), [2, 3])
        assert texts.numpy().tolist() == [b"a", b"b"]
        assert tf.py_function(lambda: None, [], []) == []


def test_errors_match_graph_nodes():
    def fails(x):
        raise KeyError("a")

    with eager_mode():
        with pytest.raises(tf.errors.UnknownError, match="KeyError: 'a'"):
            tf.py_function(fails, [1], tf.int32)
        with pytest.raises(tf.errors.InvalidArgumentError, match="requested dtype float32"):
            tf.py_function(lambda x: x, [1], tf.float32)
        with pytest.raises(ValueError, match="Expected func to be callable, got func of type"):
            tf.py_function(3, [1], tf.float32)


@pytest.mark.parametrize("call", [tf.py_func, tf.numpy_function])
def test_py_func_errors_keep_their_class(call):
    with eager_mode():
        x = tf.constant([1, 2])
        for error in (KeyError, ValueError, StopIteration):

            def fails(array, error=error):
                raise error("told")

            with pytest.raises(error, match="told"):
                call(fails, [x], tf.int32)
        assert call(lambda array: array * np.float32(1), [x], tf.int32).dtype == tf.float64
        assert len(call(lambda array: (array, array), [x], tf.int32)) == 2
        assert call(lambda array: array, [x], [tf.int32]).dtype == tf.int32
        assert call(lambda array: None, [x], tf.int32) is None

        def writes(array):
            array += 1
            return array

        np.testing.assert_array_equal(call(writes, [x], tf.int32).numpy(), [2, 3])
        np.testing.assert_array_equal(x.numpy(), [1, 2])


def test_returned_variable_is_rejected():
    with eager_mode():
        variable = tf.Variable(1.0)
        with pytest.raises(
            tf.errors.UnknownError,
            match="^RuntimeError: Attempting to return a variable from an eagerly executed",
        ):
            tf.py_function(lambda: variable, [], tf.float32)
        assert tf.py_function(lambda: variable.read_value(), [], tf.float32).numpy() == 1.0
