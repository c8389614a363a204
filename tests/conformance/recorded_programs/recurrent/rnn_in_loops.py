"""dynamic_rnn in conds and loops, a loop in a cell, stacked RNNs; variables there are not cached."""

import numpy as np


def looping_cell(tf):
    class Cell(tf.nn.rnn_cell.RNNCell):
        """A cell whose step is a loop."""

        state_size = 2
        output_size = 2

        def call(self, inputs, state):
            w = tf.get_variable("w", [2, 2])
            _, state = tf.while_loop(
                lambda i, s: i < 2,
                lambda i, s: (i + 1, tf.tanh(tf.matmul(s, w) + inputs)),
                (0, state),
            )
            return state * 2.0, state

    return Cell()


def build(tf):
    x = tf.placeholder(tf.float32, [2, None, 2], name="x")
    times = tf.placeholder(tf.int32, [], name="times")
    cell = tf.nn.rnn_cell.BasicRNNCell(2)

    def again(i, state):
        with tf.variable_scope("again", reuse=tf.AUTO_REUSE):
            _, state = tf.nn.dynamic_rnn(cell, x, initial_state=state)
        return i + 1, state

    _, repeated = tf.while_loop(lambda i, s: i < times, again, (0, tf.ones([2, 2])))
    chosen = tf.cond(
        times > 1,
        lambda: tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(2), x, dtype=tf.float32, scope="yes")[1],
        lambda: tf.reduce_sum(x, 1),
    )
    looped = tf.nn.dynamic_rnn(looping_cell(tf), x, [2, 3], dtype=tf.float32, scope="looped")
    upper = tf.nn.dynamic_rnn(
        tf.nn.rnn_cell.BasicLSTMCell(3), looped[0], dtype=tf.float32, scope="upper"
    )
    unrolled = tf.while_loop(
        lambda i, s: i < times,
        lambda i, s: (
            i + 1,
            tf.nn.static_rnn(
                tf.nn.rnn_cell.BasicRNNCell(2, name="cell"),
                [s, s],
                dtype=tf.float32,
                scope="unrolled",
            )[1],
        ),
        (0, tf.ones([1, 2])),
    )[1]
    loss = tf.add_n([tf.reduce_sum(t) for t in (chosen, upper[0], looped[1])])
    variables = tf.trainable_variables()
    gradients = tf.gradients(loss, variables)
    nested = tf.gradients(tf.reduce_sum(repeated), variables[:2])
    values = np.sin(np.arange(12, dtype=np.float32)).reshape(2, 3, 2)
    fetches = [repeated, chosen, looped, upper, unrolled, nested]
    used = [g for g in gradients if g is not None]
    return {
        "facts": {"variables": [v.name for v in variables], "none": [g is None for g in gradients]},
        "steps": [
            ("init", tf.global_variables_initializer()),
            ("once", [*fetches, used], {x: values, times: 1}),
            ("three times", [*fetches, used], {x: values, times: 3}),
        ],
    }
