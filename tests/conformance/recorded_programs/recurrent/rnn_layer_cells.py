"""Layers as cells: states are passed and returned in lists, unless the cell has zero_state."""

import numpy as np


def cell_of(tf, sizes):
    class Cell(tf.layers.Layer):
        """A Keras-style cell: get_initial_state, and states in a list."""

        state_size = sizes
        output_size = 2

        def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
            flat = tf.nest.flatten(self.state_size)
            states = [tf.ones([batch_size, size], dtype) for size in flat]
            return states if isinstance(self.state_size, list) else states[0]

        def build(self, shape):
            self.kernel = self.add_weight("kernel", [shape[-1].value, 2])

        def call(self, inputs, states):
            new = tf.tanh(tf.matmul(inputs, self.kernel) + states[0])
            return new * 2.0, [new, *[state + 1.0 for state in states[1:]]]

    return Cell()


def build(tf):
    x = tf.placeholder(tf.float32, [2, 3, 2], name="x")
    steps = tf.unstack(x, axis=1)
    single = tf.nn.static_rnn(cell_of(tf, 2), steps, dtype=tf.float32)
    several = tf.nn.static_rnn(
        cell_of(tf, [2, 3]), steps, dtype=tf.float32, sequence_length=[1, 3], scope="several"
    )
    loop = tf.nn.dynamic_rnn(cell_of(tf, 2), x, dtype=tf.float32, scope="loop")
    pair = tf.nn.dynamic_rnn(cell_of(tf, [2, 1]), x, [3, 1], dtype=tf.float32, scope="pair")
    gradients = tf.gradients([single[1], several[0][-1], pair[0]], tf.trainable_variables())
    values = np.sin(np.arange(12, dtype=np.float32)).reshape(2, 3, 2)
    return {
        "facts": {
            "variables": [v.name for v in tf.global_variables()],
            "kinds": [type(r[1]).__name__ for r in (single, several, loop, pair)],
            "none": [g is None for g in gradients],
        },
        "steps": [
            ("init", tf.global_variables_initializer()),
            ("outputs", [single, several, loop, pair], {x: values}),
            ("gradients", [g for g in gradients if g is not None], {x: values}),
        ],
    }
