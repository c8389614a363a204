"""Optimizers in eager mode: TensorFlow 1.15.5's values after three steps."""

import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("eager")

X = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], np.float32)


train, opt = tf.train, tf.contrib.opt
CASES = {
    "sgd": (
        lambda: train.GradientDescentOptimizer(0.01),
        [0.62692267, 0.43328664, -0.76034933, 0.156364],
        [1, 1, 0.94, 0.88, 1, 1, 0.97, 0.94],
        [],
    ),
    "momentum": (
        lambda: train.MomentumOptimizer(0.01, 0.9),
        [0.73833364, 0.59408957, -0.55015433, 0.205756],
        [1, 1, 0.8878, 0.7756, 1, 1, 0.9439, 0.8878],
        ["b/Momentum:0", "emb/Momentum:0", "w/Momentum:0"],
    ),
    "adam": (
        lambda: train.AdamOptimizer(lambda: 0.01),
        [0.5299266, 0.27992937, -0.9700691, 0.1299367],
        [1, 1, 0.97, 0.97, 1, 1, 0.97, 0.97],
        ["b/Adam:0", "b/Adam_1:0", "beta1_power:0", "beta2_power:0", "emb/Adam:0", "emb/Adam_1:0"]
        + ["w/Adam:0", "w/Adam_1:0"],
    ),
    "adagrad": (
        lambda: train.AdagradOptimizer(0.1),
        [0.6575483, 0.41076562, -0.83740866, 0.26881942],
        [1, 1, 0.77345824, 0.7720356, 1, 1, 0.77885097, 0.77345824],
        ["b/Adagrad:0", "emb/Adagrad:0", "w/Adagrad:0"],
    ),
    "centered rmsprop": (
        lambda: train.RMSPropOptimizer(0.01, centered=True),
        [0.5729393, 0.32398587, -0.9255143, 0.16480474],
        [1, 1, 0.9492057, 0.9314583, 1, 1, 0.96937537, 0.9492057],
        ["b/RMSProp:0", "b/RMSProp_1:0", "b/RMSProp_2:0", "emb/RMSProp:0", "emb/RMSProp_1:0"]
        + ["emb/RMSProp_2:0", "w/RMSProp:0", "w/RMSProp_1:0", "w/RMSProp_2:0"],
    ),
    "ftrl": (
        lambda: train.FtrlOptimizer(0.1, l1_regularization_strength=0.1),
        [0.64394104, 0.40531877, -0.82256603, 0.2593156],
        [1, 1, 0.6123458, 0.69073236, 1, 1, 0.467805, 0.6123458],
        ["b/Ftrl:0", "b/Ftrl_1:0", "emb/Ftrl:0", "emb/Ftrl_1:0", "w/Ftrl:0", "w/Ftrl_1:0"],
    ),
    "lazy adam": (
        lambda: opt.LazyAdamOptimizer(0.01),
        [0.5299266, 0.27992937, -0.9700691, 0.1299367],
        [1, 1, 0.97, 0.97, 1, 1, 0.97, 0.97],
        ["b/Adam:0", "b/Adam_1:0", "beta1_power:0", "beta2_power:0", "emb/Adam:0", "emb/Adam_1:0"]
        + ["w/Adam:0", "w/Adam_1:0"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_minimize_accepts_loss_function(name):
    make, weights, embedding, slots = CASES[name]
    optimizer = make()
    w = tf.Variable([[0.5], [0.25], [-1.0]], name="w")
    b = tf.Variable(0.1, name="b")
    table = tf.Variable(np.ones([4, 2], np.float32), name="emb")
    step = tf.train.get_or_create_global_step()

    def loss():
        rows = tf.nn.embedding_lookup(table, [1, 1, 3])
        return tf.reduce_mean((tf.matmul(X, w) + b) ** 2) + tf.reduce_sum(rows * [1.0, 2.0])

    for _ in range(3):
        result = optimizer.minimize(loss, global_step=step, var_list=[w, b, table])
        assert result is None
    np.testing.assert_allclose([*w.numpy()[:, 0], b.numpy()], weights, rtol=2e-6)
    np.testing.assert_allclose(table.numpy().ravel(), embedding, rtol=2e-6)
    assert step.numpy() == 3
    assert [v.name for v in optimizer.variables()] == slots


def test_apply_gradients_inside_function():
    v, step = tf.Variable([1.0, 2.0]), tf.train.get_or_create_global_step()
    optimizer = train.AdamOptimizer(0.1)

    @tf.function
    def run():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(v * v)
        optimizer.apply_gradients([(tape.gradient(loss, v), v)], global_step=step)
        return loss

    np.testing.assert_allclose([run().numpy() for _ in range(3)], [5, 4.42, 3.8812609], rtol=1e-6)
    np.testing.assert_allclose(v.numpy(), [0.7015873, 1.7006245], rtol=1e-6)
    assert step.numpy() == 3


def test_invalid_arguments():
    v = tf.Variable([1.0, 2.0])
    optimizer = train.GradientDescentOptimizer(0.1)
    with pytest.raises(RuntimeError, match="should be a function when eager execution is enabled"):
        optimizer.minimize(tf.constant(1.0))
    with pytest.raises(ValueError, match="No gradients provided for any variable, check"):
        optimizer.minimize(lambda: tf.constant(1.0), var_list=[v])
    with pytest.raises(NotImplementedError, match="Trying to update a Tensor"):
        optimizer.apply_gradients([(tf.constant(1.0), tf.constant(1.0))])
    with pytest.raises(TypeError, match="does not support non-Variable tensors when eager"):
        train.ExponentialMovingAverage(0.9).apply([tf.constant(1.0)])


@pytest.mark.parametrize(
    "decay, rates",
    [
        (lambda step: train.exponential_decay(0.1, step, 10, 0.9), [0.1, 0.09791484, 0.08812341]),
        (lambda step: train.natural_exp_decay(0.1, step, 10, 0.9), [0.1, 0.0835270, 0.0339596]),
        (lambda step: train.polynomial_decay(0.1, step, 10), [0.1, 0.08002, 0.0001]),
        (lambda step: train.cosine_decay(0.1, step, 10), [0.1, 0.0904508, 0.0]),
    ],
)
def test_decay_is_evaluated_at_current_step(decay, rates):
    step = tf.Variable(0, dtype=tf.int64)
    rate = decay(step)
    for count, expected in zip((0, 2, 12), rates):
        step.assign(count)
        np.testing.assert_allclose(rate().numpy(), expected, atol=1e-6)
