"""Gradients of loops: against differences, and what they keep while they go back."""

import numpy as np
import pytest

import tfmini as tf
from tests.numeric_gradient import check
from tfmini.graph.opdef import registry

X = np.array([[0.3, -0.2, 0.5], [1.0, 0.1, -0.7]])
W = np.array([[0.2, -0.4, 0.1], [0.7, 0.3, -0.2], [-0.5, 0.2, 0.6]])


def recurrence(x, w, steps=4, **settings):
    return tf.while_loop(
        lambda i, h: i < steps, lambda i, h: (i + 1, tf.tanh(tf.matmul(h, w))), [0, x], **settings
    )[1]


def test_gradients_go_through_all_iterations():
    check(lambda x, w: [recurrence(x, w)], [X, W], order=1)


@pytest.mark.parametrize("steps", [0, 1])
def test_few_iterations(steps):
    check(lambda x, w: [recurrence(x, w, steps)], [X, W], order=1)


def test_gradients_of_references_in_loops():
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
