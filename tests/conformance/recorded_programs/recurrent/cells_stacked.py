"""MultiRNNCell: states as tuples and side by side, cells of several kinds, one cell twice, cells in cells."""

import numpy as np

TOLERANCE = 5e-5  # float32; the furthest value was off by less than 1e-5


def build(tf):
    cells = tf.nn.rnn_cell
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    outputs, facts = [], {}

    def run(label, cell):
        with tf.variable_scope(label):
            state = cell.zero_state(2, tf.float32)
            facts[label + " zeros"] = [t.name for t in tf.nest.flatten(state)]
            for _ in range(2):
                output, state = cell(x, state)
        outputs.append((output, state))
        names = [[v.name for v in cell.trainable_weights], [v.name for v in cell.weights]]
        facts[label] = [names, str(cell.state_size), cell.output_size, type(state).__name__]

    run("lstms", cells.MultiRNNCell([cells.BasicLSTMCell(4), cells.LSTMCell(2, num_proj=3)]))
    run(
        "mixed",
        cells.MultiRNNCell((cells.GRUCell(4), cells.BasicLSTMCell(3), cells.BasicRNNCell(2))),
    )
    joined = [cells.GRUCell(4), cells.BasicLSTMCell(3, state_is_tuple=False)]
    run("joined", cells.MultiRNNCell(joined, state_is_tuple=False))
    inner = cells.MultiRNNCell([cells.GRUCell(2), cells.GRUCell(3)])
    run("nested", cells.MultiRNNCell([inner, cells.BasicLSTMCell(2)]))
    fixed = cells.MultiRNNCell([cells.GRUCell(3), cells.GRUCell(3)])
    fixed.trainable = False
    run("fixed", fixed)
    one = cells.GRUCell(3)
    run("twice", cells.MultiRNNCell([one, one]))
    trained = tf.trainable_variables()
    found = tf.gradients([output for output, _ in outputs], trained)
    feed = {x: np.sin(np.arange(6, dtype=np.float32)).reshape(2, 3)}
    steps = [("init", tf.global_variables_initializer()), ("outputs", outputs, feed)]
    return {"facts": facts, "steps": steps + [("gradients", found, feed)]}
