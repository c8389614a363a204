"""Residual connections, devices, dropout around and in them; cells that make variables in their call."""

import numpy as np

TOLERANCE = 1e-4  # float32; the furthest value was off by less than 5e-5


def build(tf):
    cells = tf.nn.rnn_cell
    x = tf.placeholder(tf.float32, [2, 3], name="x")

    class Own(cells.RNNCell):
        """Makes its variables while it is called."""

        state_size = tf.TensorShape([3])
        output_size = 3

        def call(self, inputs, state):
            w = tf.get_variable("w", [3, 3])
            b = tf.get_variable("b", [3], trainable=False, initializer=tf.ones_initializer())
            state = tf.tanh(tf.matmul(inputs, w) + state + b)
            return state, state

    def halves(inputs, outputs):
        return inputs * 0.5 + outputs * 0.5

    residual = cells.ResidualWrapper
    wrapped = [
        residual(cells.GRUCell(3)),
        residual(cells.BasicLSTMCell(3), halves),
        cells.DeviceWrapper(cells.GRUCell(3), "/cpu:0"),
        cells.DeviceWrapper(cells.GRUCell(2), lambda op: "/cpu:0" if op.type == "MatMul" else ""),
        residual(cells.DropoutWrapper(cells.GRUCell(3), 0.5, seed=1)),
        cells.DropoutWrapper(residual(cells.LSTMCell(4, num_proj=3)), state_keep_prob=0.5, seed=2),
        cells.MultiRNNCell([residual(cells.GRUCell(3)), cells.DeviceWrapper(Own(), "/cpu:0")]),
        Own(),
        Own(name="own_name"),
    ]
    outputs, facts = [], {}
    for number, cell in enumerate(wrapped):
        with tf.variable_scope(f"cell{number}"):
            state = cell.zero_state(2, tf.float32)
            output, state = cell(x, state)
            if type(cell).__name__ == "Own":
                facts[f"own {number}"] = [v.name for v in cell.weights]
            output, state = cell(x, state)
        outputs.append((output, state))
        facts[str(number)] = [
            [v.name for v in cell.weights],
            str(cell.state_size),
            str(cell.output_size),
        ]
    with tf.variable_scope("given"):
        cell = Own()
        output, state = cell(x, cell.zero_state(2, tf.float32), scope="inner")
        with tf.variable_scope("other"):
            outputs.append(cell(output, state, "outer"))
    facts["variables"] = [v.name for v in tf.global_variables()]
    trained = tf.trainable_variables()
    found = tf.gradients([output for output, _ in outputs], trained)
    feed = {x: np.sin(np.arange(6, dtype=np.float32)).reshape(2, 3)}
    steps = [("init", tf.global_variables_initializer()), ("outputs", outputs, feed)]
    return {"facts": facts, "steps": steps + [("gradients", found, feed)]}
