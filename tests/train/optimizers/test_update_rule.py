"""Several steps of every optimizer against the same updates in numpy, dense and by rows, on reference and
resource variables. Golden programs compare their graphs with TensorFlow's.
"""

import numpy as np
import pytest

import tfmini as tf
from tests.conformance.samples import updates

START = np.array([[1.0, -2.0], [0.5, 0.25], [-1.5, 3.0]])
RATE = 0.1

# optimizer, formula, its scalars, initial slot values
CASES = {
    "descent": (lambda: tf.train.GradientDescentOptimizer(RATE), updates.gradient_descent,
                {"alpha": RATE}, ()),
    "momentum": (lambda: tf.train.MomentumOptimizer(RATE, 0.9), updates.momentum,
                 {"lr": RATE, "momentum": 0.9}, (0.0,)),
    "nesterov": (lambda: tf.train.MomentumOptimizer(RATE, 0.9, use_nesterov=True), updates.momentum,
                 {"lr": RATE, "momentum": 0.9, "use_nesterov": True}, (0.0,)),
    "adagrad": (lambda: tf.train.AdagradOptimizer(RATE, 0.2), updates.adagrad, {"lr": RATE}, (0.2,)),
    "adadelta": (lambda: tf.train.AdadeltaOptimizer(RATE, 0.8, 1e-4), updates.adadelta,
                 {"lr": RATE, "rho": 0.8, "epsilon": 1e-4}, (0.0, 0.0)),
    "rmsprop": (lambda: tf.train.RMSPropOptimizer(RATE, 0.8, 0.5, 1e-3), updates.rmsprop,
                {"lr": RATE, "rho": 0.8, "momentum": 0.5, "epsilon": 1e-3}, (1.0, 0.0)),
    "centered": (lambda: tf.train.RMSPropOptimizer(RATE, 0.8, 0.5, 1e-3, centered=True),
                 updates.centered_rmsprop,
                 {"lr": RATE, "rho": 0.8, "momentum": 0.5, "epsilon": 1e-3}, (0.0, 1.0, 0.0)),
    "ftrl": (lambda: tf.train.FtrlOptimizer(RATE, -0.5, 0.2, 0.01, 0.02), updates.ftrl,
             {"lr": RATE, "lr_power": -0.5, "l1": 0.01, "l2": 0.02}, (0.2, 0.0)),
    "proximal": (lambda: tf.train.ProximalGradientDescentOptimizer(RATE, 0.01, 0.02),
                 updates.proximal_gradient_descent, {"alpha": RATE, "l1": 0.01, "l2": 0.02}, ()),
    "proximal adagrad": (lambda: tf.train.ProximalAdagradOptimizer(RATE, 0.2, 0.01, 0.02),
                         updates.proximal_adagrad, {"lr": RATE, "l1": 0.01, "l2": 0.02}, (0.2,)),
}  # fmt: skip


def stepped(optimizer, build, gradients, resource):
    v = tf.Variable(START.astype("f"), use_resource=resource)
    steps = [optimizer.minimize(build(v, g), var_list=[v]) for g in gradients]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(v)
        for step in steps:
            session.run(step)
        return session.run(v)


def dense(v, gradient):
    return tf.reduce_sum(v * gradient.astype("f"))


def by_rows(v, gradient):
    return tf.reduce_sum(tf.gather(v, [2, 0, 2]) * gradient.astype("f"))


@pytest.mark.parametrize("resource", [False, True])
@pytest.mark.parametrize("name", CASES)
def test_dense_updates(name, resource):
    make, formula, scalars, starts = CASES[name]
    gradients = np.random.RandomState(3).randn(3, 3, 2)
    cells = [START, *(np.full_like(START, start) for start in starts)]
    for gradient in gradients:
        cells = formula(scalars, gradient, *cells)
    actual = stepped(make(), dense, gradients, resource)
    np.testing.assert_allclose(actual, cells[0], rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("resource", [False, True])
@pytest.mark.parametrize("name", CASES)
def test_sparse_updates(name, resource):
    make, formula, scalars, starts = CASES[name]
    gradients = np.random.RandomState(3).randn(3, 3, 2)
    cells = [START.copy(), *(np.full_like(START, start) for start in starts)]
    for gradient in gradients:
        for row, summed in ((0, gradient[1]), (2, gradient[0] + gradient[2])):
            new = formula(scalars, summed, *(cell[row] for cell in cells))
            for cell, value in zip(cells, new):
                cell[row] = value
    actual = stepped(make(), by_rows, gradients, resource)
    np.testing.assert_allclose(actual, cells[0], rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("rows", [False, True])
@pytest.mark.parametrize("resource", [False, True])
def test_adam(resource, rows):
    gradients = np.random.RandomState(3).randn(4, 3, 2)
    var, m, v = START, np.zeros_like(START), np.zeros_like(START)
    scalars = {"lr": RATE, "beta1": 0.8, "beta2": 0.9, "epsilon": 1e-3}
    for step, gradient in enumerate(gradients, 1):
        whole = gradient
        if rows:  # rows without a gradient move too: their moments decay
            whole = np.stack([gradient[1], 0 * gradient[0], gradient[0] + gradient[2]])
        powers = {"beta1_power": 0.8**step, "beta2_power": 0.9**step}
        var, m, v = updates.adam({**scalars, **powers}, whole, var, m, v)
    optimizer = tf.train.AdamOptimizer(RATE, 0.8, 0.9, 1e-3)
    actual = stepped(optimizer, by_rows if rows else dense, gradients, resource)
    np.testing.assert_allclose(actual, var, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("resource", [False, True])
def test_adagrad_da(resource):
    gradients = np.random.RandomState(3).randn(3, 3, 2)
    global_step = tf.train.get_or_create_global_step()
    v = tf.Variable(START.astype("f"), use_resource=resource)
    optimizer = tf.train.AdagradDAOptimizer(RATE, global_step, 0.2, 0.01, 0.02)
    steps = [optimizer.minimize(dense(v, g), global_step, [v]) for g in gradients]
    cells = (START, np.zeros_like(START), np.full_like(START, 0.2))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for index, (step, gradient) in enumerate(zip(steps, gradients), 1):
            session.run(step)
            scalars = {"lr": RATE, "l1": 0.01, "l2": 0.02, "global_step": index}
            cells = updates.adagrad_da(scalars, gradient, *cells)
        np.testing.assert_allclose(session.run(v), cells[0], rtol=2e-5, atol=1e-6)


def test_callable_and_tensor_settings():
    rate = tf.placeholder_with_default(0.5, [])
    v = tf.Variable(1.0)
    step = tf.train.MomentumOptimizer(lambda: rate, lambda: 0.0).minimize(v * 2.0)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(step)
        assert session.run(v) == 0.0
        session.run(step, {rate: 2.0})
        assert session.run(v) == -4.0


def test_subclasses_access_settings():
    class Halved(tf.train.MomentumOptimizer):
        def _apply_dense(self, grad, var):
            assert self._learning_rate_tensor.name == "Momentum/learning_rate:0"
            return super()._apply_dense(grad / 2.0, var)

    optimizer = Halved(1.0, 0.0)
    assert (optimizer._learning_rate, optimizer._momentum) == (1.0, 0.0)
    optimizer._learning_rate = 3.0
    v = tf.Variable(1.0)
    step = optimizer.minimize(v * 2.0)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(step)
        assert session.run(v) == -2.0


@pytest.mark.parametrize("use_resource", [False, True])
def test_integers_are_cast(use_resource):
    """neupy's RMSProp has an integer momentum. Values of TensorFlow 1.15.5."""
    optimizers = [
        tf.train.MomentumOptimizer(1, 1),
        tf.train.AdagradOptimizer(1, 1),
        tf.train.AdadeltaOptimizer(1, 0, 1),
        tf.train.RMSPropOptimizer(1, 0, 0, 1),
        tf.train.FtrlOptimizer(1, -0.5, 1, 1, 1),
    ]
    for optimizer, value in zip(optimizers, [-1, 0.1056, 0.1056, 0.1056, 0], strict=True):
        var = tf.Variable(1.0, use_resource=use_resource)
        step = optimizer.minimize(var * var)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            sess.run(step)
            assert round(float(sess.run(var)), 4) == value
