"""static_rnn with sequence_length: lists and tensors of lengths, nested states, gradients through its conds."""

import numpy as np


def build(tf):
    cells = tf.nn.rnn_cell
    x = tf.placeholder(tf.float32, [None, 4, 2], name="x")
    lengths = tf.placeholder(tf.int64, [None], name="lengths")
    steps = tf.unstack(x, axis=1)
    outputs, state = tf.nn.static_rnn(
        cells.LSTMCell(3), steps, dtype=tf.float32, sequence_length=lengths
    )
    fixed = [tf.constant(np.full([2, 2], k, np.float32)) for k in range(3)]
    few, few_state = tf.nn.static_rnn(
        cells.GRUCell(2), fixed, dtype=tf.float32, sequence_length=[1, 3], scope="few"
    )
    stacked = cells.MultiRNNCell([cells.BasicLSTMCell(2), cells.BasicRNNCell(2)])
    deep, deep_state = tf.nn.static_rnn(
        stacked, steps, dtype=tf.float32, sequence_length=lengths, scope="deep"
    )
    loss = tf.add_n([tf.reduce_sum(tf.square(t)) for t in (*outputs, state.c, deep[-1])])
    gradients = tf.gradients(loss, [*tf.trainable_variables("rnn"), x])
    values = np.sin(np.arange(24, dtype=np.float32)).reshape(3, 4, 2)
    fetches = [outputs, state, deep, deep_state, loss, gradients]
    steps = [(f"lengths {n}", fetches, {x: values, lengths: n}) for n in ([4, 2, 1], [2, 2, 3])]
    steps += [("nothing", fetches, {x: values, lengths: [0, 0, 0]})]
    steps += [("all", fetches, {x: values, lengths: [4, 4, 4]})]
    return {
        "facts": {"shapes": [str(t.shape) for t in (outputs[0], state.h, few[0], few_state)]},
        "steps": [("init", tf.global_variables_initializer()), ("few", [few, few_state]), *steps],
    }
