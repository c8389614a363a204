"""Grids of cells: dimensions that are not there, states and inputs that do not fit."""


def grid(tf, *dims, **settings):
    return tf.contrib.grid_rnn.GridRNNCell(3, *dims, **settings)


def step(tf, cell, state=None):
    x = tf.placeholder(tf.float32, [2, 4], name="x")
    return cell(x, cell.zero_state(2, tf.float32) if state is None else state)


def no_dimensions(tf):
    return grid(tf, 0)


def a_negative_dimension(tf):
    return grid(tf, 2, 0, output_dims=-1)


def cells_that_are_none(tf):
    return grid(tf, 2, cell_fn=lambda units: units)


def a_state_too_few(tf):
    return step(tf, tf.contrib.grid_rnn.Grid2LSTMCell(3), (tf.zeros([2, 3]),))


def columns_that_do_not_divide(tf):
    return step(tf, grid(tf, 3, [0, 1, 2], 0))


def weights_shared_with_a_layer(tf):
    with tf.variable_scope("scope", initializer=tf.ones_initializer()):
        return step(tf, tf.contrib.grid_rnn.Grid2LSTMCell(3, True, non_recurrent_fn=tf.nn.relu))


def one_tensor_of_states_that_are_no_tuples(tf):
    return step(tf, tf.contrib.grid_rnn.Grid1BasicRNNCell(3, state_is_tuple=False))
