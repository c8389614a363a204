"""Trains unrolled cells: an LSTM whose state continues from batch to batch, and one that adds numbers."""

import numpy as np


def build(tf):
    x = tf.placeholder(tf.float32, [4, 5, 2], name="x")
    y = tf.placeholder(tf.float32, [4, 1], name="y")
    with tf.variable_scope("adder", initializer=tf.random_uniform_initializer(-0.3, 0.3)):
        cell = tf.nn.rnn_cell.BasicLSTMCell(6)
        outputs, _ = tf.nn.static_rnn(cell, tf.unstack(x, axis=1), dtype=tf.float32)
        w = tf.get_variable("w", [6, 1])
        guess = tf.matmul(outputs[-1], w)
    loss = tf.reduce_mean(tf.square(guess - y))
    train = tf.train.RMSPropOptimizer(0.01, momentum=0.5).minimize(loss)
    with tf.variable_scope("kept"):
        gru = tf.nn.rnn_cell.GRUCell(3)
        state = tf.get_variable(
            "state", [4, 3], trainable=False, initializer=tf.zeros_initializer()
        )
        along, last = tf.nn.static_rnn(gru, tf.unstack(x, axis=1)[:3], state.read_value())
        kept_loss = tf.add_n([tf.reduce_sum(tf.abs(t)) for t in along])
    variables = tf.trainable_variables("kept")
    gradients = tf.gradients(kept_loss, variables)
    clipped = [tf.clip_by_value(g, -1.0, 1.0) for g in gradients]
    with tf.control_dependencies([*clipped, *along]):
        keep = state.assign(last)
    with tf.control_dependencies([keep]):
        descend = tf.train.GradientDescentOptimizer(0.1).apply_gradients(zip(clipped, variables))
    random = np.random.RandomState(1)
    rows = [("init", tf.global_variables_initializer())]
    for number in range(4):
        values = random.uniform(size=[4, 5, 2]).astype(np.float32)
        feed = {x: values, y: values[:, :, 0].sum(1, keepdims=True)}
        rows.append((f"loss {number}", [loss, kept_loss], feed))
        rows += [(f"train {number}", train, feed), (f"descend {number}", descend, feed)]
    rows += [("state", state), ("variables", tf.trainable_variables())]
    return {"steps": rows}
