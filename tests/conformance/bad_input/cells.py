"""RNN cells: mismatched arguments, states and inputs; the ops of fused cells."""


def x(tf, shape=(2, 3), dtype=None):
    return tf.placeholder(dtype or tf.float32, shape, name="x")


def called(tf, cell, inputs=None, state=None):
    inputs = x(tf) if inputs is None else inputs
    return cell(inputs, cell.zero_state(2, tf.float32) if state is None else state)


def initialized(tf, fetch, feed):
    """Runs it with initialized variables."""

    def run(session):
        session.run(tf.global_variables_initializer())
        session.run(fetch, feed)

    return run


def reuse_with_another_size(tf):
    called(tf, tf.nn.rnn_cell.GRUCell(4, name="same"))
    return called(tf, tf.nn.rnn_cell.GRUCell(5, name="same", reuse=True))


def stack_called_in_two_scopes(tf):
    stack = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.GRUCell(3)])
    called(tf, stack)
    other = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.GRUCell(3)])
    return other(x(tf), (tf.zeros([2, 3]),), scope="multi_rnn_cell")


def residual_of_another_structure(tf):
    class Pair(tf.nn.rnn_cell.RNNCell):
        state_size = output_size = 3

        def call(self, inputs, state):
            return (inputs, state), state

    return called(tf, tf.nn.rnn_cell.ResidualWrapper(Pair()))


def wrapper_of_a_described_cell(tf):
    wrapper = tf.nn.rnn_cell.ResidualWrapper(tf.nn.rnn_cell.GRUCell(4))
    return tf.nn.rnn_cell.ResidualWrapper.from_config(wrapper.get_config())


def block_of_another_batch(tf):
    rows = x(tf, [None, 3])
    h, _ = called(tf, tf.contrib.rnn.LSTMBlockCell(4, name="given"), rows)
    return initialized(tf, h, {rows: [[1.0, 2.0, 3.0]] * 3})


def gru_block_of_another_batch(tf):
    rows = x(tf, [None, 3])
    h, _ = called(tf, tf.contrib.rnn.GRUBlockCell(4, name="given"), rows)
    return initialized(tf, h, {rows: [[1.0, 2.0, 3.0]] * 3})


def projection_of_rank_3(tf):
    cell = tf.contrib.rnn.InputProjectionWrapper(tf.nn.rnn_cell.GRUCell(4), 3)
    return called(tf, cell, x(tf, [2, 3, 4]))


def projection_of_an_unknown_depth(tf):
    cell = tf.contrib.rnn.InputProjectionWrapper(tf.nn.rnn_cell.GRUCell(4), 3)
    return called(tf, cell, x(tf, [2, None]))


def grid_of_starts_without_ends(tf):
    cell = tf.contrib.rnn.GridLSTMCell(
        4,
        feature_size=2,
        frequency_skip=1,
        num_frequency_blocks=[2],
        start_freqindex_list=[0],
        end_freqindex_list=[3, 4],
    )
    return called(tf, cell)
