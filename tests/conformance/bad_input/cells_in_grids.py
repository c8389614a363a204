"""Grid RNN cells: missing dimensions, mismatched states and inputs."""


def grid(tf, *dims, **settings):
    return tf.contrib.grid_rnn.GridRNNCell(3, *dims, **settings)


def step(tf, cell, state=None):
    x = tf.placeholder(tf.float32, [2, 4], name="x")
    return cell(x, cell.zero_state(2, tf.float32) if state is None else state)


def weights_shared_with_a_layer(tf):
    with tf.variable_scope("scope", initializer=tf.ones_initializer()):
        return step(tf, tf.contrib.grid_rnn.Grid2LSTMCell(3, True, non_recurrent_fn=tf.nn.relu))
