"""Optimizers outside the graph: known minima, constraints, bounds, callback arguments."""

import numpy as np

import tfmini as tf

opt = tf.contrib.opt


def minimized(optimizer, *fetches, **options):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        optimizer.minimize(session, **options)
        return session.run(fetches)


def test_minimum_over_several_variables():
    x = tf.Variable([7.0, -3.0])
    y = tf.Variable(2.0)
    loss = tf.reduce_sum(tf.square(x - [1.0, 2.0])) + tf.square(y + 0.5)
    result = minimized(opt.ScipyOptimizerInterface(loss, options={"maxiter": 50}), x, y)
    np.testing.assert_allclose(result[0], [1.0, 2.0], atol=1e-4)
    np.testing.assert_allclose(result[1], -0.5, atol=1e-4)


def test_rosenbrock_by_bfgs():
    x = tf.Variable([-1.2, 1.0])
    loss = 100.0 * tf.square(x[1] - tf.square(x[0])) + tf.square(1.0 - x[0])
    (result,) = minimized(opt.ScipyOptimizerInterface(loss, method="BFGS"), x)
    np.testing.assert_allclose(result, [1.0, 1.0], atol=1e-3)


def test_constraints_hold():
    x = tf.Variable([7.0, 7.0])
    optimizer = opt.ScipyOptimizerInterface(
        tf.reduce_sum(tf.square(x)),
        equalities=[x[1] - 2.0],
        inequalities=[x[0] - 1.0],
        method="SLSQP",
    )
    (result,) = minimized(optimizer, x)
    np.testing.assert_allclose(result, [1.0, 2.0], atol=1e-4)


def test_bounds_hold_for_selected_variables():
    x, y = tf.Variable([5.0, 5.0]), tf.Variable(5.0)
    loss = tf.reduce_sum(x) + tf.square(y)
    optimizer = opt.ScipyOptimizerInterface(loss, var_to_bounds={x: ([1.0, -2.0], np.inf)})
    result = minimized(optimizer, x, y)
    np.testing.assert_allclose(result[0], [1.0, -2.0])
    np.testing.assert_allclose(result[1], 0.0, atol=1e-4)
