"""dynamic_rnn: nested inputs, outputs and states, multi-dimensional elements, scalars and TensorArrays in states."""

import numpy as np


def cell_of(tf):
    class Cell(tf.nn.rnn_cell.RNNCell):
        """Reads a matrix and a pair of vectors, outputs both, counts, and stores all sums in an array."""

        @property
        def state_size(self):
            return (tf.TensorShape([2, 2]), {"n": 1, "sums": 3})

        @property
        def output_size(self):
            return (tf.TensorShape([2, 2]), {"left": 1, "right": 3})

        def call(self, inputs, state):
            matrix, (left, right) = inputs
            total, counts = state
            total = total + matrix
            counts = {"n": counts["n"] + 1.0, "sums": counts["sums"] + right}
            return (total * 2.0, {"left": left, "right": counts["sums"]}), (total, counts)

    return Cell(name="pairs")


def keeper_of(tf):
    class Keeper(tf.nn.rnn_cell.RNNCell):
        """A cell whose state is a step count and a TensorArray of its inputs."""

        state_size = (tf.TensorShape([]), tf.TensorShape([]))
        output_size = 2

        def call(self, inputs, state):
            time, kept = state
            return inputs * tf.cast(time, tf.float32), (time + 1, kept.write(time, inputs))

    return Keeper()


def build(tf):
    matrices = tf.placeholder(tf.float32, [None, None, 2, 2], name="matrices")
    left = tf.placeholder(tf.float32, [None, None, 1], name="left")
    right = tf.placeholder(tf.float32, [None, None, 3], name="right")
    lengths = tf.placeholder(tf.int32, [None], name="lengths")
    inputs = (matrices, (left, right))
    cell = cell_of(tf)
    nested = tf.nn.dynamic_rnn(cell, inputs, dtype=tf.float32)
    bounded = tf.nn.dynamic_rnn(cell, inputs, lengths, dtype=tf.float32, scope="bounded")
    array = tf.TensorArray(tf.float32, size=3, element_shape=[2, 2], name="kept")
    outputs, (count, kept) = tf.nn.dynamic_rnn(
        keeper_of(tf),
        tf.reshape(matrices, [2, 3, 2, 2])[:, :, 0],
        lengths,
        initial_state=(tf.constant(0), array),
        dtype=tf.float32,
        scope="keeper",
    )
    rows = kept.stack()
    loss = tf.add_n([tf.reduce_sum(t * t) for t in tf.nest.flatten((bounded, outputs, rows))])
    gradients = tf.gradients(loss, [matrices, left, right])
    feed = {
        matrices: np.arange(24, dtype=np.float32).reshape(2, 3, 2, 2) / 10,
        left: np.arange(6, dtype=np.float32).reshape(2, 3, 1),
        right: np.arange(18, dtype=np.float32).reshape(2, 3, 3),
    }
    fetches = [nested, bounded, outputs, count, rows, gradients]
    return {
        "facts": {"shapes": [str(t.shape) for t in tf.nest.flatten((nested, bounded, outputs))]},
        "steps": [
            ("init", tf.global_variables_initializer()),
            ("lengths 3 1", fetches, {**feed, lengths: [3, 1]}),
            ("lengths 0 2", fetches, {**feed, lengths: [0, 2]}),
        ],
    }
