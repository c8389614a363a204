"""tf.contrib.rnn.LSTMBlockCell."""

import numpy as np
import pytest

import tfmini as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as created:
        tf.set_random_seed(1)
        yield created


def drawn(seed, *shape):
    return np.random.RandomState(seed).uniform(-1, 1, shape).astype("f")


CELLS = tf.nn.rnn_cell

RNN = tf.contrib.rnn


def test_block_cell_restores_basic_cell_checkpoint(tmp_path):
    """LSTMBlockCell restores BasicLSTMCell checkpoints if the scopes have the same names."""
    x = tf.constant(drawn(1, 4, 2, 3))
    expected = tf.nn.dynamic_rnn(CELLS.LSTMCell(5), x, dtype=tf.float32)[0]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        path = tf.train.Saver().save(session, str(tmp_path / "model"))
        expected = session.run(expected)
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant(drawn(1, 4, 2, 3))
        actual = tf.nn.dynamic_rnn(RNN.LSTMBlockCell(5), x, dtype=tf.float32)[0]
        tf.train.Saver().restore(session, path)
        np.testing.assert_allclose(session.run(actual), expected, rtol=1e-5, atol=1e-6)
