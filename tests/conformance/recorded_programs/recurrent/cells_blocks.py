"""Single-op cells: LSTMBlockCell, GRUBlockCell; they share weights with the multi-op cells."""

import numpy as np

TOLERANCE = 2e-5  # float32; the maximum difference was below 5e-6


def build(tf):
    rnn = tf.contrib.rnn
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    rows = tf.placeholder(tf.float32, [None, 3], name="rows")
    outputs, facts = [], {}

    def run(label, cell, inputs=x):
        state = cell.zero_state(inputs.shape[0].value or tf.shape(inputs)[0], tf.float32)
        for _ in range(2):
            output, state = cell(inputs, state)
        outputs.append((output, state))
        facts[label] = [[v.name for v in cell.weights], str(cell.state_size), str(output.shape)]

    for label, inputs in (("known", x), ("rows", rows)):
        with tf.variable_scope(label):
            run(label + " lstm", rnn.LSTMBlockCell(4), inputs)
            run(
                label + " peephole",
                rnn.LSTMBlockCell(4, 0.5, 0.2, use_peephole=True, name="peephole"),
                inputs,
            )
            run(label + " gru", rnn.GRUBlockCell(4), inputs)
            run(label + " gru v2", rnn.GRUBlockCellV2(4, name="second"), inputs)
            run(label + " gru size", rnn.GRUBlockCell(cell_size=2, name="size"), inputs)
    with tf.variable_scope("known", reuse=True):
        run("lstm of many ops", tf.nn.rnn_cell.LSTMCell(4))
        run("gru of many ops", tf.nn.rnn_cell.GRUCell(4, name="second"))
    trained = tf.trainable_variables()
    found = tf.gradients([output for output, _ in outputs], trained)
    values = np.sin(np.arange(6, dtype=np.float32)).reshape(2, 3)
    feed = {x: values, rows: values}
    steps = [("init", tf.global_variables_initializer()), ("outputs", outputs, feed)]
    return {"facts": facts, "steps": steps + [("gradients", found, feed)]}
