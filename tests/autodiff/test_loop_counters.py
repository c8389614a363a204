"""Gradients of loops, compared with finite differences, and the memory of the backward pass."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.oracles.numeric_gradient import check
from tfmini._src.autodiff.loop_counters import sum_invariant_gradient
from tfmini._src.graph.opdef import registry

X = np.array([[0.3, -0.2, 0.5], [1.0, 0.1, -0.7]])

W = np.array([[0.2, -0.4, 0.1], [0.7, 0.3, -0.2], [-0.5, 0.2, 0.6]])


def recurrence(x, w, steps=4, **settings):
    return tf.while_loop(
        lambda i, h: i < steps, lambda i, h: (i + 1, tf.tanh(tf.matmul(h, w))), [0, x], **settings
    )[1]


def test_gradients_through_all_iterations():
    check(lambda x, w: [recurrence(x, w)], [X, W], order=1)


@pytest.mark.parametrize("steps", [0, 1])
def test_gradients_of_few_iterations(steps):
    check(lambda x, w: [recurrence(x, w, steps)], [X, W], order=1)


def nested(x, w):
    def outer(i, a):
        def inner(j, b):
            return j + 1, tf.sin(tf.matmul(b, w)) + a

        return i + 1, tf.while_loop(lambda j, b: j < i, inner, [0, a])[1] * 0.5

    return tf.while_loop(lambda i, a: i < 4, outer, [0, x])[1]


def test_nested_loops():
    check(lambda x, w: [nested(x, w)], [X, W], order=1)


def chosen(x, w):
    def body(i, a):
        def some():
            return tf.cond(i > 2, lambda: tf.matmul(a, w), lambda: tf.square(a))

        return i + 1, tf.cond(tf.equal(i % 2, 0), some, lambda: tf.exp(-a) * w[0])

    return tf.while_loop(lambda i, a: i < 5, body, [0, x])[1]


def test_cond_in_loop():
    check(lambda x, w: [chosen(x, w)], [X, W], order=1)


def test_loop_in_cond():
    def function(x, w):
        return [tf.cond(x[0, 0] > 0.0, lambda: recurrence(x, w), lambda: x)]

    check(function, [X, W], order=1)
    check(function, [-X, W], order=1)


def test_data_dependent_iteration_count():
    def function(x, w):
        return [
            tf.while_loop(lambda a: tf.reduce_sum(a) < 40.0, lambda a: a * 1.5 + w[0] ** 2, [x * x])
        ]

    check(function, [X, W], order=1)


@pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices")
def test_gather_in_loop():
    def function(x, w):
        def body(i, total):
            return i + 1, total + tf.gather(w * 1.0, [i, 0]) ** 2 * x

        return [tf.while_loop(lambda i, total: i < 3, body, [0, tf.zeros([2, 3], tf.float64)])[1]]

    check(function, [X, W], order=1)


def test_loop_with_unread_variables():
    def function(x, w):
        def body(i, a, b, c):
            return i + 1, tf.sin(b), a * c[0], tf.matmul(c, w)

        return tf.while_loop(lambda i, *_: i < 4, body, [0, x, x * 2.0, w])[1:3]

    check(function, [X, W], order=1)


def test_overwritten_loop_variable():
    def function(x, w):
        return tf.while_loop(
            lambda i, *_: i < 3, lambda i, a, b: (i + 1, x * 2.0, a + b), [0, x, x]
        )[1:]

    check(function, [X, W], wanted=[0], order=1)


def test_complex_numbers():
    def function(x):
        return [
            tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * tf.conj(a) * x), [0, x])[1]
        ]

    check(function, [X[0] + 1j * W[0]], order=1)


def test_second_derivative_in_loop_body():
    def function(x, w):
        def body(i, a):
            return i + 1, a - 0.1 * tf.gradients(tf.reduce_sum(tf.sin(a) * w[0]), a)[0]

        return [tf.while_loop(lambda i, a: i < 3, body, [0, x])[1]]

    check(function, [X, W], order=1)


def test_training_through_loop():
    """A linear recurrence learns the matrix that generated its targets."""
    rng = np.random.RandomState(0)
    target, starts = np.array([[0.9, -0.2], [0.2, 0.9]]), rng.randn(50, 2)
    w = tf.get_variable("w", initializer=np.eye(2))
    steps = tf.placeholder(tf.int32, [])
    out = tf.while_loop(lambda i, a: i < steps, lambda i, a: (i + 1, tf.matmul(a, w)), [0, starts])[
        1
    ]
    expected = tf.placeholder(tf.float64, [None, 2])
    loss = tf.reduce_mean(tf.square(out - expected))
    train = tf.train.AdamOptimizer(0.02).minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for index in range(400):
            count = 1 + index % 3
            feed = {steps: count, expected: starts @ np.linalg.matrix_power(target, count)}
            session.run(train, feed)
        np.testing.assert_allclose(session.run(w), target, atol=1e-3)


def test_back_prop_off():
    x = tf.constant([1.0, 2.0])
    assert tf.gradients(
        tf.while_loop(lambda a: a[0] < 9.0, lambda a: a * x, [x], back_prop=False), [x]
    ) == [None]


def test_error_leaves_the_graph_unchanged():
    """Nodes created after a None gradient are outside of loops."""
    x = tf.constant([1.0, 2.0])
    (grad,) = tf.gradients(tf.while_loop(lambda a: a[0] < 9.0, lambda a: a * x + 1.0, [x]), [x])
    with pytest.raises(TypeError, match="Second-order gradient for while loops not supported"):
        tf.gradients(grad, [x])
    graph = tf.get_default_graph()
    assert graph._get_control_flow_context() is None
    with tf.Session() as session:
        assert session.run(tf.reduce_sum(x)) == 3.0
        assert np.isfinite(session.run(grad)).all()


def test_gradients_of_reference_variables():
    table = tf.Variable(W)

    def body(i, total):
        return i + 1, total + tf.reduce_sum(tf.gather(table._ref(), [i, 0]) ** 2)

    loop = tf.while_loop(lambda i, total: i < 3, body, [0, tf.constant(0.0, tf.float64)])
    assert "RefEnter" in {op.type for op in tf.get_default_graph().get_operations()}
    (slices,) = tf.gradients(loop[1], [table])
    assert isinstance(slices, tf.IndexedSlices)
    with tf.Session() as session:
        session.run(table.initializer)
        values, indices = session.run([slices.values, slices.indices])
    dense = np.zeros_like(W)
    np.add.at(dense, indices, values)
    np.testing.assert_allclose(dense, 2 * W * np.array([[4.0], [1.0], [1.0]]))
    for name in ("Enter", "Exit", "NextIteration"):
        assert registry["Ref" + name].gradient_rule is registry[name].gradient_rule


def test_invariant_sum_requires_tensors():
    with pytest.raises(TypeError, match="^Type <class 'float'> not supported$"):
        sum_invariant_gradient(None, None, 1.0)
