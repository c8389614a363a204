"""Grid cells of one, two and three dimensions, some stateless, with shared and separate weights."""

import numpy as np

TOLERANCE = 2e-5  # float32 through three cells in turn; off by less than 2e-5


def build(tf):
    grids = tf.contrib.grid_rnn
    cell_of = tf.nn.rnn_cell.BasicRNNCell

    def lstm(units):
        return tf.nn.rnn_cell.LSTMCell(units, use_peepholes=True)

    x = tf.placeholder(tf.float32, [2, 4], name="x")
    made = {
        "one_basic": grids.Grid1BasicRNNCell(3),
        "one_lstm": grids.Grid1BasicLSTMCell(3, forget_bias=0.5),
        "one_peephole": grids.Grid1LSTMCell(3, use_peepholes=True),
        "two_basic": grids.Grid2BasicRNNCell(3, tied=True),
        "two_flat": grids.Grid2BasicLSTMCell(3, state_is_tuple=True, output_is_tuple=False),
        "two_without": grids.Grid2LSTMCell(3, non_recurrent_fn=tf.nn.relu, use_peepholes=True),
        "two_tied": grids.Grid2LSTMCell(3, tied=True),
        "two_gates": grids.Grid2GRUCell(3, True),
        "two_plain": grids.Grid2GRUCell(3, non_recurrent_fn=tf.sigmoid),
        "three": grids.Grid3LSTMCell(3, tied=True),
        "three_without": grids.Grid3LSTMCell(3, non_recurrent_fn=tf.nn.relu),
        "own": grids.GridRNNCell(
            3, 3, [0, 2], [1, 2, 2], priority_dims=1, non_recurrent_dims=[2], cell_fn=cell_of
        ),
        "joined": grids.GridRNNCell(
            3, 2, 0, (0, 1), cell_fn=lstm, state_is_tuple=False, output_is_tuple=False
        ),
        "silent": grids.GridRNNCell(
            3, 1, 0, non_recurrent_dims=0, state_is_tuple=False, output_is_tuple=False
        ),
        "no_output": grids.GridRNNCell(3, 1, 0, cell_fn=cell_of),
    }
    outputs, facts = [], {}
    start = tf.random_uniform_initializer(-1.0, 1.0, seed=5)
    for name, cell in made.items():
        facts[name] = [str(cell.state_size), str(cell.output_size)]
        with tf.variable_scope(name, initializer=start):
            state = cell.zero_state(2, tf.float32)
            first, state = cell(x, state)
            facts["shapes " + name] = str(tf.contrib.framework.nest.map_structure(str, first))
            tf.get_variable_scope().reuse_variables()
            outputs.append(cell(x, state, "GridRNNCell" if name == "own" else None))
    with tf.variable_scope("unrolled", initializer=start):
        cell = grids.Grid2LSTMCell(2, use_peepholes=True)
        steps, _ = tf.nn.static_rnn(cell, [x, 0.5 * x, x - 0.2], dtype=tf.float32)
        outputs.append(steps)
    with tf.variable_scope("apart", initializer=start):
        cell = grids.GridRNNCell(2, 2, [0, 1], [0, 1], cell_fn=cell_of)
        outputs.append(cell(tf.constant([[0.1, 0.2], [0.3, 0.4]]), cell.zero_state(2, tf.float32)))
    trained = tf.trainable_variables()
    facts["trained"] = [v.name for v in trained]
    flat = tf.contrib.framework.nest.flatten(outputs)
    found = tf.gradients([t for t in flat if t.shape.num_elements()], trained)
    feed = {x: np.sin(np.arange(8, dtype=np.float32)).reshape(2, 4)}
    return {
        "facts": facts,
        "steps": [
            ("init", tf.global_variables_initializer()),
            ("outputs", outputs, feed),
            ("gradients", [g for g in found if g is not None], feed),
        ],
    }
