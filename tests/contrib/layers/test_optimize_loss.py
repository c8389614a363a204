"""optimize_loss: processing of dense and sparse gradients before they are applied."""

import numpy as np
import pytest

import tfmini as tf

ROWS, COLUMNS = 60, 50


def trained(sparse, **options):
    """(gradient classes, table, bias, global step) after a step with learning rate 1 from zeros.

    The table's gradient is 2 everywhere, or, if sparse, 2 in the first row and 1 in the last; the bias's is 1.
    """
    table = tf.get_variable("table", [ROWS, COLUMNS], initializer=tf.zeros_initializer())
    bias = tf.get_variable("bias", [COLUMNS], initializer=tf.zeros_initializer())
    step = tf.train.get_or_create_global_step()
    read = tf.gather(table, [0, ROWS - 1, 0]) if sparse else 2.0 * table
    kinds = []

    def look(pairs):
        kinds.extend(type(gradient) for gradient, _ in pairs)
        return pairs

    train = tf.contrib.layers.optimize_loss(
        tf.reduce_sum(read) + tf.reduce_sum(bias), step, 1.0, "SGD", clip_gradients=look, **options
    )
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(train)
        return kinds, *session.run([table, bias, step])


def gradient_of(sparse):
    if not sparse:
        return np.full([ROWS, COLUMNS], 2.0)
    return np.repeat([2.0, 0.0, 1.0], [1, ROWS - 2, 1])[:, None] * np.ones(COLUMNS)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize(
    "multipliers, of_table, of_bias",
    [
        (None, 1, 1),
        ({"table:0": 3.0}, 3, 1),
        ({"table:0": 0.5, "bias:0": 4}, 0.5, 4),
        ({"table": 3.0, "bias:0": -1.0}, 1, -1),  # not a variable name
    ],
)
def test_multipliers(sparse, multipliers, of_table, of_bias):
    kinds, table, bias, step = trained(sparse, gradient_multipliers=multipliers)
    assert kinds == [tf.IndexedSlices if sparse else tf.Tensor, tf.Tensor]
    np.testing.assert_allclose(table, -of_table * gradient_of(sparse))
    np.testing.assert_allclose(bias, np.full(COLUMNS, -of_bias))
    assert step == 1


def test_multipliers_by_variable():
    variable = tf.get_variable("v", initializer=[1.0, 2.0])
    train = tf.contrib.layers.optimize_loss(
        tf.reduce_sum(variable), tf.train.create_global_step(), 1.0, "SGD", gradient_multipliers={variable: 0.25}
    )  # fmt: skip
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(train)
        assert session.run(variable).tolist() == [0.75, 1.75]


@pytest.mark.parametrize("scale", [0.0, 0.01, 10.0])
@pytest.mark.parametrize("sparse", [False, True])
def test_noise_is_added_to_every_element(sparse, scale):
    tf.set_random_seed(1)
    kinds, table, *_ = trained(sparse, gradient_noise_scale=scale)
    assert kinds == [tf.Tensor, tf.Tensor]
    noise = -table - gradient_of(sparse)
    assert (
        np.abs(noise).max() <= 2 * scale + 1e-5
    )  # of a normal distribution truncated at two standard deviations
    # Within five standard deviations for 3,000 draws.
    np.testing.assert_allclose(noise.std(), 0.8796 * scale, rtol=0.05, atol=1e-9)
    assert abs(noise.mean()) <= 0.08 * scale  # five standard deviations of a mean of 3,000
    assert len(np.unique(noise.round(6))) > 2000 or not scale


def test_global_step_increment_is_optional():
    assert trained(False, increment_global_step=False)[-1] == 0
