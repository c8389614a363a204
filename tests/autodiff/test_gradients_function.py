"""`tf.contrib.eager.gradients_function` and its variants."""

import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("eager")


def f(x, y):
    return x * x * x * y - x * y * y


def test_gradients_of_all_and_selected_arguments():
    gradients = tf.contrib.eager.gradients_function(f)
    assert [float(g) for g in gradients(2.0, 3.0)] == [27.0, -4.0]
    assert [float(g) for g in tf.contrib.eager.gradients_function(f, ["y"])(2.0, 3.0)] == [-4.0]
    value, result = tf.contrib.eager.value_and_gradients_function(f, [0])(2.0, 3.0, dy=2.0)
    assert (float(value), [float(g) for g in result]) == (6.0, [54.0])


def test_concrete_function_reads_are_taped():
    variable = tf.contrib.eager.Variable(3.0)
    square = tf.function(lambda: variable * variable).get_concrete_function()
    grads = tf.contrib.eager.implicit_gradients(square)()
    assert [(float(g), v) for g, v in grads] == [(6.0, variable)]


def test_gradients_of_calls_inside_functions():
    square = tf.function(lambda x: x * x * x)

    @tf.function
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = square(x)
        return tape.gradient(y, x)

    assert float(slope(tf.constant(2.0))) == 12.0


def test_empty_jacobians():
    x = tf.zeros([1, 0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x**2.0
    assert tape.batch_jacobian(y, x).shape.as_list() == [1, 0, 0]
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x**2.0
    with pytest.raises(RuntimeError, match="persistent=True to compute the batch_jacobian"):
        tape.batch_jacobian(y, x, experimental_use_pfor=False)
    with pytest.raises(ValueError, match="must have rank at least 2"):
        tape.batch_jacobian(tf.zeros([2]), x)


def test_testcase_evaluate():
    case = tf.test.TestCase()
    slices = tf.IndexedSlices(tf.constant([1.0]), tf.constant([0]), tf.constant([2]))
    sparse = tf.SparseTensor([[0]], [1.0], [2])
    result = case.evaluate({"a": slices, "b": [sparse, lambda: tf.constant(3)], "c": None})
    assert (result["a"].values, result["a"].dense_shape) == ([1.0], [2])
    assert isinstance(result["b"][0], tf.SparseTensorValue) and result["b"][1] == np.int32(3)
    assert result["c"] is None and case.evaluate(None) is None
    with pytest.raises(ValueError, match="Unsupported type"):
        case.evaluate("text")
    with case.session() as session, case.cached_session() as cached:
        assert session is None and cached.run(tf.constant(1)) == 1
