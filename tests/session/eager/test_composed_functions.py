"""Functions of several ops in eager mode: loops over steps, ragged rows. The values are TensorFlow 1.15.5's."""

import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("eager")


def test_ragged_rows():
    ragged = tf.ragged.constant([[1, 2], [3]])
    assert [row.numpy().tolist() for row in ragged] == [[1, 2], [3]]
    assert (ragged + 1)[:, :1].to_list() == [[2], [4]]
    with pytest.raises(IndexError, match="Row key 2 out of bounds"):
        ragged[2]


@pytest.mark.filterwarnings("ignore")
def test_recurrent_networks():
    ones = tf.ones([2, 3, 4])
    cell = tf.nn.rnn_cell.BasicRNNCell(2)
    outputs, state = tf.nn.dynamic_rnn(cell, ones, dtype=tf.float32)
    np.testing.assert_array_equal(outputs[:, -1].numpy(), state.numpy())
    steps, last = tf.nn.static_rnn(cell, [ones[:, 0]] * 3, dtype=tf.float32)
    np.testing.assert_allclose(last.numpy(), state.numpy(), rtol=1e-6)
    assert len(steps) == 3
    short = tf.nn.dynamic_rnn(
        tf.nn.rnn_cell.LSTMCell(2), ones, dtype=tf.float32, sequence_length=[1, 3]
    )[0]
    assert not short[0, 1:].numpy().any()
    assert short[1, 1:].numpy().all()


def test_sparse_matmul_gradients():
    a, b = tf.constant([[1.0, 0.0]]), tf.constant([[2.0], [3.0]])
    with tf.GradientTape() as tape:
        tape.watch([a, b])
        product = tf.matmul(a, b, a_is_sparse=True)
    of_a, of_b = tape.gradient(product, [a, b])
    assert of_a.numpy().tolist() == [[2, 3]]
    assert of_b.numpy().tolist() == [[1], [0]]
