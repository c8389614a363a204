"""Private modules from which programs take recurrent networks."""

import tfmini as tf
from tfmini.compat.python.ops import rnn, rnn_cell, rnn_cell_impl


def test_they_are_those_of_tf_nn():
    for name in rnn.__all__:
        assert getattr(rnn, name) is getattr(tf.nn, name)
    for name in tf.nn.rnn_cell.__all__:
        assert getattr(rnn_cell, name) is getattr(tf.nn.rnn_cell, name)
        assert getattr(rnn_cell_impl, name) is getattr(tf.nn.rnn_cell, name)


def test_a_cell_of_ones_own():
    class Cell(rnn_cell_impl.LayerRNNCell):
        state_size = output_size = 2

        def build(self, shape):
            self.kernel = self.add_variable("kernel", [shape[-1], 2])

        def call(self, inputs, state):
            state = tf.nn.relu(tf.matmul(inputs, self.kernel) + state)
            return state, state

    with tf.Graph().as_default():
        cell = Cell(name="sums")
        rnn_cell_impl.assert_like_rnncell("cell", cell)
        outputs, _ = rnn.dynamic_rnn(cell, tf.ones([3, 4, 5]), dtype=tf.float32)
        assert outputs.shape == [3, 4, 2]
        assert [v.name for v in tf.trainable_variables()] == ["rnn/sums/kernel:0"]
