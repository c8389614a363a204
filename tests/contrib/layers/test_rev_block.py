"""Reversible blocks of many layers against plain ones; recomputed functions; scaled gradients."""

import numpy as np
import pytest

import tfmini as tf

layers = tf.contrib.layers

X = np.linspace(-1, 1, 12).reshape(2, 2, 3).astype("f")


def dense(x, side=None):
    w = tf.get_variable("w", [3, 3], initializer=tf.random_normal_initializer(seed=1))
    b = tf.get_variable("b", [3], initializer=tf.ones_initializer())
    y = tf.tanh(tf.matmul(x, w) + b)
    return y if side is None else y * side[0]


def gradients_of(is_training):
    """The gradients of inputs, side inputs and variables of three layers."""
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(4)
        x1, x2 = tf.constant(X[0]), tf.constant(X[1])
        sides = [tf.constant([0.5, 1.0, -2.0]), tf.constant([[2.0], [0.3]])]
        y1, y2 = layers.rev_block(
            x1,
            x2,
            dense,
            [dense] * 3,
            3,
            f_side_input=sides[:1],
            g_side_input=sides[1:],
            is_training=is_training,
        )
        loss = tf.reduce_sum(y1 * y1 + tf.sin(y2))
        result = tf.gradients(loss, [x1, x2, *sides, *tf.trainable_variables()])
        session.run(tf.global_variables_initializer())
        names = [v.name for v in tf.trainable_variables()]
        return names, session.run([y1, y2, *result])


def test_efficient_gradients_match_plain_block():
    names, plain = gradients_of(False)
    repeated, efficient = gradients_of(True)
    assert names == repeated and len(names) == 12
    for a, b in zip(plain, efficient):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)


def test_mismatched_function_list_is_refused():
    with (
        tf.Graph().as_default(),
        pytest.raises(AssertionError, match="^`f` requires one function per layer: got 1 "),
    ):
        layers.RevBlock([dense], dense, num_layers=2)


@pytest.mark.parametrize("by_data", [False, True])
def test_recompute_grad(by_data):
    calls = []

    @layers.recompute_grad(use_data_dep=by_data, tupleize_grads=True)
    def block(x, is_recomputing=False):
        calls.append(is_recomputing)
        return dense(x)

    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant(X[0])
        with tf.variable_scope("one", use_resource=True):
            y = block(x)
        with tf.variable_scope("one", use_resource=True, reuse=True):
            plain = dense(x)
        sources = [x, *tf.trainable_variables()]
        result, expected = tf.gradients(y, sources), tf.gradients(plain, sources)
        session.run(tf.global_variables_initializer())
        for a, b in zip(*session.run([result, expected])):
            np.testing.assert_allclose(a, b, rtol=1e-5)
    assert calls == [False, True]


def test_scale_gradient():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant([1.0, 2.0])
        y = layers.scale_gradient(x, tf.constant([0.5, -1.0]))
        assert y.shape == [2]
        (grad,) = tf.gradients(y * y, x)
        np.testing.assert_allclose(session.run([y, grad]), [[1, 2], [1, -4]])
