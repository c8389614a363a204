"""BasicRNN, GRU and BasicLSTM cells: names, dtypes, activations, shared weights, zero states."""

import numpy as np

TOLERANCE = 5e-5  # float32; the maximum difference was below 1e-5


def build(tf):
    cells = tf.nn.rnn_cell
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    rows = tf.placeholder(tf.float32, [None, 3], name="rows")
    outputs, facts = [], {}

    def run(label, cell, inputs=x, state=None, **kwargs):
        if state is None:
            state = cell.zero_state(inputs.shape[0].value or tf.shape(inputs)[0], inputs.dtype)
        for _ in range(2):
            output, state = cell(inputs, state, **kwargs)
        outputs.append((output, state))
        sizes = [str(cell.state_size), str(cell.output_size)]
        facts[label] = [[v.name for v in cell.weights], sizes, cell.dtype, type(state).__name__]
        facts[label + " shapes"] = [str(t.shape) for t in tf.nest.flatten((output, state))]
        return output

    run("plain", cells.BasicRNNCell(4))
    run("relu", cells.BasicRNNCell(4, activation="relu", name="named"), rows)
    run("double", cells.BasicRNNCell(2, dtype=tf.float64), tf.cast(x, tf.float64))
    run("function", cells.BasicRNNCell(4, tf.nn.softplus), scope="scope")
    with tf.variable_scope("shared"):
        run("first", cells.BasicRNNCell(3, name="same"))
    with tf.variable_scope("shared", reuse=True):
        run("again", cells.BasicRNNCell(3, name="same"))
    with tf.variable_scope("shared"):
        run("reused", cells.BasicRNNCell(3, reuse=True, name="same"))
    run("gru", cells.GRUCell(4))
    run(
        "gru initializers",
        cells.GRUCell(
            2,
            "sigmoid",
            kernel_initializer=tf.orthogonal_initializer(0.5),
            bias_initializer="ones",
            trainable=False,
        ),
        rows,
    )
    with tf.variable_scope("custom", initializer=tf.constant_initializer(0.25)):
        run("scope's initializer", cells.GRUCell(2))
    run("lstm", cells.BasicLSTMCell(4))
    run("lstm rows", cells.BasicLSTMCell(4, forget_bias=0.5, activation=tf.identity), rows)
    run("joined", cells.BasicLSTMCell(3, state_is_tuple=False))
    cell = cells.BasicLSTMCell(2, name="initial")
    run("initial", cell, state=cell.get_initial_state(x))
    states = [
        cell.get_initial_state(rows),
        cell.get_initial_state(batch_size=tf.constant(3), dtype=tf.float32),
        cells.GRUCell(5).zero_state(tf.shape(rows)[0], tf.float64),
    ]
    facts["zeros"] = [[str(t.shape), t.name] for t in tf.nest.flatten(states)]
    pair = cells.LSTMStateTuple(x, rows)
    facts["pair"] = [pair.dtype.name, pair._fields, type(pair).__mro__[1].__name__]
    trained = tf.trainable_variables()
    facts["trained"] = [v.name for v in trained]
    facts["config"] = {
        k: str(v) for k, v in cells.GRUCell(3, "relu", name="g").get_config().items()
    }
    found = tf.gradients([output for output, _ in outputs], trained)
    values = np.sin(np.arange(6, dtype=np.float32)).reshape(2, 3)
    feed = {x: values, rows: values}
    steps = [("init", tf.global_variables_initializer())]
    steps += [("outputs", outputs, feed), ("zeros", states, feed), ("gradients", found, feed)]
    return {"facts": facts, "steps": steps}
