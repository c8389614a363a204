"""Products, embeddings and highways around cells."""

import numpy as np

TOLERANCE = 1e-4  # float32; the furthest value was off by less than 2e-5


def build(tf):
    rnn = tf.contrib.rnn
    cells = tf.nn.rnn_cell
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    numbers = tf.placeholder(tf.int32, [2], name="numbers")
    cases = [
        (x, rnn.InputProjectionWrapper(cells.GRUCell(4), 5)),
        (x, rnn.InputProjectionWrapper(cells.BasicLSTMCell(4), 5, tf.tanh, input_size=3)),
        (x, rnn.OutputProjectionWrapper(cells.BasicLSTMCell(4), 2)),
        (x, rnn.OutputProjectionWrapper(cells.GRUCell(4), 2, tf.nn.relu)),
        (numbers, rnn.EmbeddingWrapper(cells.BasicLSTMCell(4), 7, 3)),
        (numbers[:, None], rnn.EmbeddingWrapper(cells.GRUCell(4), 7, 3, tf.ones_initializer())),
        (x, rnn.HighwayWrapper(cells.GRUCell(3))),
        (x, rnn.HighwayWrapper(cells.BasicLSTMCell(3), False, 0.5)),
    ]
    outputs, facts = [], {}
    for number, (inputs, cell) in enumerate(cases):
        with tf.variable_scope(f"cell{number}") as scope:
            output, state = cell(inputs, cell.zero_state(2, tf.float32))
            scope.reuse_variables()
            outputs.append(cell(inputs, state))
        facts[str(number)] = [str(cell.state_size), cell.output_size, str(output.shape)]
        if not isinstance(cell, rnn.HighwayWrapper):
            facts[f"weights {number}"] = [v.name for v in cell.weights]
    with tf.variable_scope("all", initializer=tf.constant_initializer(0.1)):
        stack = cells.MultiRNNCell([rnn.HighwayWrapper(cells.GRUCell(3)), cells.GRUCell(2)])
        stack = rnn.OutputProjectionWrapper(rnn.EmbeddingWrapper(stack, 5, 3), 4)
        outputs.append(stack(numbers, stack.zero_state(2, tf.float32)))
    facts["variables"] = [v.name for v in tf.global_variables()]
    trained = tf.trainable_variables()
    found = tf.gradients([output for output, _ in outputs], trained)
    feed = {x: np.sin(np.arange(6, dtype=np.float32)).reshape(2, 3), numbers: [4, 0]}
    steps = [("init", tf.global_variables_initializer()), ("outputs", outputs, feed)]
    return {"facts": facts, "steps": steps + [("gradients", found, feed)]}
