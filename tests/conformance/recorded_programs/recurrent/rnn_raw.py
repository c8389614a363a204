"""raw_rnn: cell outputs, emitted values, loop states of tensors and TensorArrays, gradients."""

import numpy as np


def build(tf):
    cells = tf.nn.rnn_cell
    x = tf.placeholder(tf.float32, [3, 2, 2], name="x")
    lengths = tf.placeholder(tf.int32, [2], name="lengths")
    inputs = tf.TensorArray(tf.float32, size=3, name="inputs").unstack(x)
    lstm = cells.LSTMCell(2)

    def reading(time, output, state, loop_state):
        state = lstm.zero_state(2, tf.float32) if output is None else state
        ended = time >= lengths
        value = tf.cond(tf.reduce_all(ended), lambda: tf.zeros([2, 2]), lambda: inputs.read(time))
        return ended, value, state, output, None

    emitted, last, nothing = tf.nn.raw_rnn(lstm, reading)
    gru = cells.GRUCell(3)
    unknown = tf.placeholder(tf.float32, [None, 3], name="unknown")

    def feeding(time, output, state, loop_state):
        """Feeds back the emitted values until their sum is large; counts and stores the states."""
        if output is None:
            kept = tf.TensorArray(tf.float32, size=0, dynamic_size=True, element_shape=[None, 3])
            emit = {"double": tf.zeros([1, 2]), "total": tf.zeros([], tf.float64)}
            rows = tf.shape(unknown)[0]
            return tf.zeros([rows], tf.bool), unknown[:, :2], unknown, emit, (tf.constant(7), kept)
        count, kept = loop_state
        kept = kept.write(time - 1, state)
        total = tf.cast(tf.reduce_sum(output, 1), tf.float64)
        emit = {"double": tf.expand_dims(output[:, 1:], 1) * 2.0, "total": total}
        finished = tf.logical_or(tf.fill([tf.shape(unknown)[0]], time >= 4), output[:, 0] > 0.6)
        return finished, output[:, :2], state, emit, (count + 1, kept)

    fed, fed_state, (count, kept) = tf.nn.raw_rnn(
        gru, feeding, parallel_iterations=3, swap_memory=True, scope="feeding"
    )
    stacked = cells.MultiRNNCell([cells.BasicRNNCell(2), cells.BasicLSTMCell(2)])

    def stepping(time, output, state, loop_state):
        state = stacked.zero_state(2, tf.float32) if output is None else state
        count = tf.zeros([], tf.int32) if output is None else None
        value = tf.one_hot([time, time + 1], 4)
        return tf.tile([time >= 3], [2]), value, state, output, count

    third, third_state, third_count = tf.nn.raw_rnn(stacked, stepping, scope="third")
    outputs = emitted.stack()
    loss = tf.reduce_sum(tf.square(outputs)) + tf.reduce_sum(last.c * third.stack()[0])
    gradients = tf.gradients(
        loss, [x, *tf.trainable_variables("rnn"), *tf.trainable_variables("third")]
    )
    facts = {
        "nothing": nothing,
        "kinds": [type(t).__name__ for t in (emitted, fed, last, third_state, third_count)],
        "names": [t.name for t in (outputs, last.h, fed_state, count, third_count)],
        "shapes": [str(t.shape) for t in (outputs, last.h, fed_state, third.stack())],
    }
    feed = {x: np.sin(np.arange(12, dtype=np.float32)).reshape(3, 2, 2)}
    fetches = [outputs, last, loss, gradients]
    states = np.array([[0.1, 0.2, 0.3], [0.9, 0.5, -0.5], [0.55, -1, 1]], np.float32)
    return {
        "facts": facts,
        "steps": [
            ("init", tf.global_variables_initializer()),
            ("lengths 3 1", fetches, {**feed, lengths: [3, 1]}),
            ("lengths 1 2", fetches, {**feed, lengths: [1, 2]}),
            (
                "feeding",
                [fed["double"].concat(), fed_state, count, kept.stack()],
                {unknown: states},
            ),
            ("third", [third.stack(), third_state, third_count]),
        ],
    }
