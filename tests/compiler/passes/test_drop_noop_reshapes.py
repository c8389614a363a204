"""drop_noop_reshapes: removes sums and reshapes if and only if the shapes are known to be equal."""

import numpy as np
import pytest

import tfmini as tf
from tests.executor.programs import kinds, lowered


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as new_graph:
        yield new_graph


def numbers(*shape):
    return np.sin(np.arange(np.prod(shape, dtype=int)) + 1.0).reshape(shape).astype("f")


def test_gradient_of_equal_rows_needs_no_reshape():
    x = tf.placeholder(tf.float32, [None, 3])
    y = tf.tanh(tf.matmul(x, tf.ones([3, 3])))
    grads = tf.gradients(x * y + y, x)
    ops = kinds(lowered(*grads, feeds=[x]))
    assert not {"Reshape", "Sum", "BroadcastGradientArgs"} & set(ops)
    value = numbers(5, 3)
    with tf.Session() as session:
        got = session.run(grads, {x: value})[0]
    y = np.tanh(value @ np.ones((3, 3)))
    want = y + ((value + 1) * (1 - y**2)) @ np.ones((3, 3))
    np.testing.assert_allclose(got, want, rtol=1e-5)


@pytest.mark.parametrize(("rows", "others"), [(4, 4), (1, 4), (4, 1), (1, 1)])
def test_broadcast_rows_are_summed(rows, others):
    x, y = (tf.placeholder(tf.float32, [None, 3]) for _ in range(2))
    grads = tf.gradients(x * y, [x, y])
    assert kinds(lowered(*grads, feeds=[x, y])).count("Reshape") == 2
    a, b = numbers(rows, 3), numbers(others, 3) + 1
    with tf.Session() as session:
        left, right = session.run(grads, {x: a, y: b})
    whole = np.broadcast_shapes(a.shape, b.shape)
    for got, own, other in ((left, a, b), (right, b, a)):
        want = np.broadcast_to(other, whole)
        want = want.sum(axis=0, keepdims=True) if len(own) < len(want) else want
        np.testing.assert_allclose(got, want, rtol=1e-5)


def test_shapes_are_tracked_through_values():
    """Zeros with the row count of x, as in an initial state."""
    x = tf.placeholder(tf.float32, [None, 3])
    state = tf.zeros(tf.stack([tf.shape(x)[0], 3]))
    h = tf.tanh(tf.concat([x, state], 1))
    i, j = tf.split(h, 2, axis=1)
    grads = tf.gradients(state * i + tf.sigmoid(j) * x, x)
    assert "BroadcastGradientArgs" not in kinds(lowered(*grads, feeds=[x]))
    with tf.Session() as session:
        got = session.run(grads, {x: numbers(4, 3)})[0]
    np.testing.assert_allclose(got, np.full((4, 3), 0.5), rtol=1e-6)


def test_other_reshapes_are_kept():
    x = tf.placeholder(tf.float32, [None, 4])
    y = tf.placeholder(tf.float32, [None, None])
    for made in (
        tf.reshape(x, [-1, 2]),
        tf.reshape(x, tf.shape(y)),
        tf.reshape(tf.transpose(y), tf.shape(y)),
        tf.reshape(x, [tf.shape(x)[0] * 2, 2]),
    ):
        assert "Reshape" in kinds(lowered(made, feeds=[x, y]))


def test_reshape_to_own_shape_is_dropped():
    x = tf.placeholder(tf.float32, [None, None, 4])
    doubled = x * 2.0
    same = tf.reshape(doubled, tf.shape(x))
    rows = tf.reshape(x + 1.0, tf.stack([tf.shape(x)[0], tf.shape(x)[1], 4]))
    assert "Reshape" not in kinds(lowered(same, rows, feeds=[x]))
    value = numbers(2, 3, 4)
    with tf.Session() as session:
        got = session.run([same, rows, doubled], {x: value})
        got[0][:] = 0  # separate arrays
    np.testing.assert_allclose(got[1], value + 1)
    np.testing.assert_allclose(got[2], value * 2)


def test_last_of_consecutive_reshapes_is_kept():
    x = tf.placeholder(tf.float32, [4, 3])
    last = tf.reshape(tf.reshape(tf.reshape(x, [12]), [2, 6]), [3, -1])
    back = tf.reshape(tf.reshape(x, [3, 4]), [4, 3])
    ops = kinds(lowered(tf.exp(last), tf.exp(back), feeds=[x]))
    assert [kind for kind in ops if kind != "const"] == ["Reshape", "Exp", "Exp"]
    with tf.Session() as session:
        result, same = session.run([tf.exp(last), tf.exp(back)], {x: numbers(4, 3)})
    np.testing.assert_allclose(result, np.exp(numbers(4, 3)).reshape(3, 4), rtol=1e-6)
    np.testing.assert_allclose(same, np.exp(numbers(4, 3)), rtol=1e-6)


def test_reshape_that_may_fail_is_kept():
    """Even if its static shape is inferred from the input's only unknown size."""
    x, fixed = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [4, 6])
    size = tf.placeholder(tf.int32, [])
    y = tf.reshape(tf.reshape(x, [2, 3]), [6])
    assert kinds(lowered(y, feeds=[x])).count("Reshape") == 2
    flat, rows = tf.reshape(fixed, [size]), tf.reshape(fixed, [size, 6])
    refused = {y: "5 values", flat: "has 5", rows * 2.0: "has 30", tf.reshape(rows, [4, 6]): "30"}
    with tf.Session() as session:
        for tensor, message in refused.items():
            with pytest.raises(tf.errors.InvalidArgumentError, match=message):
                session.run(tensor, {x: np.zeros(5), fixed: numbers(4, 6), size: 5})
        # Of two reshapes to different shapes, TensorFlow runs only the last.
        both = tf.reshape(flat, [4, 6])
        assert session.run(both, {fixed: numbers(4, 6), size: 5}).shape == (4, 6)


def test_variable_with_changing_shape():
    """Its shape is read before the assignment, its value after it."""
    v = tf.Variable(np.ones([2, 3], "f"), validate_shape=False)
    before = tf.shape(v)
    with tf.control_dependencies([before]):
        grown = tf.assign(v, tf.ones([3, 2]), validate_shape=False)
    with tf.control_dependencies([grown]):
        back = tf.reshape(v * 1.0, before)
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run(back).shape == (2, 3)


def test_reshapes_in_branches():
    x = tf.placeholder(tf.float32, [None, 2])
    p = tf.placeholder(tf.bool, [])
    y = tf.tanh(x)
    result = tf.cond(p, lambda: y * x, lambda: y + x)
    (slope,) = tf.gradients(result, x)
    value = numbers(3, 2)
    with tf.Session() as session:
        y = np.tanh(value)
        got = session.run(slope, {x: value, p: True})
        np.testing.assert_allclose(got, y + value * (1 - y**2), rtol=1e-5)
        got = session.run(slope, {x: value, p: False})
        np.testing.assert_allclose(got, 2 - y**2, rtol=1e-5)


def test_declared_shape_is_checked_by_reshape():
    x = tf.py_func(lambda: np.ones((4, 3), "f"), [], tf.float32)
    x.set_shape([2, 3])
    for y in (tf.nn.relu(x), x + 1.0):
        result = tf.boolean_mask(y, [True, False])
        with tf.Session() as session:
            with pytest.raises(tf.errors.InvalidArgumentError, match="12 values"):
                session.run(result)
