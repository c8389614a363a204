"""Cells not derived from RNNCell: duck-typed objects in all unrolling functions."""

import numpy as np


def cell_of(tf, size, outputs=None):
    class Cell:
        """Two states of `size`, an output of `outputs`; zero_state creates the state."""

        state_size = (size, tf.TensorShape([size]))
        output_size = outputs or size

        def zero_state(self, batch_size, dtype):
            with tf.name_scope("zeros"):
                return tuple(
                    tf.fill(tf.stack([batch_size, size]), tf.cast(k, dtype)) for k in (0.5, -1)
                )

        def __call__(self, inputs, state):
            with tf.variable_scope("cell"):
                depth = inputs.get_shape()[-1].value
                w = tf.get_variable("w", [depth, size], initializer=tf.ones_initializer())
                v = tf.get_variable("v", [size, self.output_size])
                new = tf.tanh(tf.matmul(inputs, w) * 0.1 + state[0])
                return tf.matmul(new, v), (new, state[1] * 0.5 + new)

    return Cell()


def first_state_of(tf):
    class Cell:
        """A counter; get_initial_state creates the state, for a batch size that may be a tensor."""

        state_size = tf.TensorShape([])
        output_size = tf.TensorShape([1, 2])

        def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
            return tf.zeros([batch_size], dtype, name="first")

        def __call__(self, inputs, state):
            kept = tf.expand_dims(tf.expand_dims(state, 1), 2)
            return tf.reduce_sum(inputs) + kept * [[1.0, 2.0]], state + 1.0

    return Cell()


def build(tf):
    x = tf.placeholder(tf.float32, [None, 3, 2], name="x")
    lengths = tf.placeholder(tf.int32, [None], name="lengths")
    steps = tf.unstack(x, axis=1)
    cell = cell_of(tf, 2, 3)
    static = tf.nn.static_rnn(cell, steps, dtype=tf.float32)
    given = tf.nn.static_rnn(cell, steps[:2], static[1], sequence_length=lengths, scope="given")
    ended = tf.nn.static_rnn(
        cell, steps, dtype=tf.float32, sequence_length=tf.cast(lengths, tf.int64), scope="ended"
    )
    both = tf.nn.static_bidirectional_rnn(
        cell, cell_of(tf, 1), steps, dtype=tf.float32, sequence_length=lengths
    )
    dynamic = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32, scope="dynamic")
    bounded = tf.nn.dynamic_rnn(cell, x, lengths, dtype=tf.float32, scope="bounded")
    counted = tf.nn.dynamic_rnn(first_state_of(tf), x, lengths, dtype=tf.float32, scope="counted")
    loop = tf.nn.bidirectional_dynamic_rnn(
        cell, first_state_of(tf), x, lengths, dtype=tf.float32, scope="loop"
    )

    def step(time, output, state, loop_state):
        state = cell.zero_state(tf.shape(x)[0], tf.float32) if output is None else state
        value = tf.gather(x, tf.minimum(time, 2), axis=1)
        value.set_shape([None, 2])
        return time >= lengths, value, state, output, None

    emitted, last, none = tf.nn.raw_rnn(cell, step, scope="raw")
    values = np.arange(12, dtype=np.float32).reshape(2, 3, 2) - 5
    fetches = [static, given, ended, both, dynamic, bounded, counted, loop, emitted.stack(), last]
    return {
        "facts": {
            "none": none,
            "variables": [v.name for v in tf.global_variables()],
            "shapes": [str(t.shape) for t in (dynamic[0], counted[0], bounded[1][1], last[0])],
        },
        "steps": [
            ("init", tf.global_variables_initializer()),
            ("lengths 3 1", fetches, {x: values, lengths: [3, 1]}),
            ("lengths 0 2", fetches, {x: values, lengths: [0, 2]}),
        ],
    }
