"""tf.contrib.crf and tf.contrib.grid_rnn: dtypes, single steps, empty sequences, unknown shapes; grids, options."""

import numpy as np

_X = np.float32([[1.0, -0.5, 0.3, 0.7], [0.2, 2.0, -1.0, 0.1]])


def _stepped(tf, make, steps=2):
    with tf.variable_scope("net", initializer=tf.constant_initializer(0.3)):
        cell = make()
        state = cell.zero_state(2, tf.float32)
        outputs = []
        for step in range(steps):
            if step:
                tf.get_variable_scope().reuse_variables()
            output, state = cell(tf.constant(_X), state)
            outputs.append(output)
    names = [(v.op.name, str(v.shape)) for v in tf.trainable_variables()]
    return outputs, state, str(cell.state_size), str(cell.output_size), names


def _all_stepped(tf, stage, cells):
    stage.each(
        {name: lambda make=make: _stepped(tf, make) for name, make in cells.items()}, graph="sum"
    )


def grids(tf, stage):
    of = tf.contrib.grid_rnn
    plain = {
        "line": lambda: of.GridRNNCell(3),
        "no states": lambda: of.GridRNNCell(2, 2, 0, 1, 1, [0, 1], non_recurrent_fn=tf.tanh),
        "no output": lambda: of.GridRNNCell(2, 2, 0, output_is_tuple=False),
        "output elsewhere": lambda: of.GridRNNCell(2, 2, 0, [1, -1]),
    }

    _all_stepped(tf, stage, plain)
