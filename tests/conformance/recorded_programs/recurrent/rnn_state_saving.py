"""static_state_saving_rnn: states saved in variables between runs, whole or split."""

import numpy as np


def saver_of(tf, sizes):
    class Saver:
        """Stores each named state in a variable."""

        def __init__(self):
            self.states = {
                name: tf.get_variable(
                    name, [2, size], initializer=tf.zeros_initializer(), trainable=False
                )
                for name, size in sizes
            }

        def state(self, name):
            return tf.identity(self.states[name], name="kept_" + name)

        def save_state(self, name, value):
            return tf.assign(self.states[name], value, name="save_" + name)

    return Saver()


def build(tf):
    cells = tf.nn.rnn_cell
    x = tf.placeholder(tf.float32, [2, 3, 2], name="x")
    steps = tf.unstack(x, axis=1)
    saver = saver_of(tf, [("plain", 2), ("c", 3), ("h", 3), ("a", 2), ("b", 4)])
    plain, state = tf.nn.static_state_saving_rnn(cells.GRUCell(2), steps, saver, "plain")
    lstm, lstm_state = tf.nn.static_state_saving_rnn(
        cells.BasicLSTMCell(3), steps, saver, ("c", "h"), sequence_length=[3, 1], scope="lstm"
    )
    stacked = cells.MultiRNNCell([cells.BasicRNNCell(2), cells.GRUCell(4)])
    deep, deep_state = tf.nn.static_state_saving_rnn(
        stacked, steps[:2], saver, ("a", "b"), scope="deep"
    )
    values = np.cos(np.arange(12, dtype=np.float32)).reshape(2, 3, 2)
    kept = list(saver.states.values())
    fed = {x: values}
    return {
        "facts": {
            "kinds": [type(t).__name__ for t in (plain, state, lstm_state, deep_state)],
            "names": [t.name for t in (plain[-1], lstm[-1], deep[0], deep[-1], state)],
            "control": [op.name for op in plain[-1].op.control_inputs],
        },
        "steps": [
            ("init", tf.global_variables_initializer()),
            ("first", [plain, state], fed),
            ("second", [plain[-1], lstm[-1], deep[-1]], fed),
            ("kept", kept),
            ("third", [lstm_state, deep_state], fed),
            ("kept again", kept),
        ],
    }
