"""Cells of recurrent networks: arguments, states and inputs that do not fit; the ops of whole cells."""


def x(tf, shape=(2, 3), dtype=None):
    return tf.placeholder(dtype or tf.float32, shape, name="x")


def called(tf, cell, inputs=None, state=None):
    inputs = x(tf) if inputs is None else inputs
    return cell(inputs, cell.zero_state(2, tf.float32) if state is None else state)


def initialized(tf, fetch, feed):
    """Runs it with variables that have their values."""

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


CASES = {
    "depth_of_an_lstm_that_is_not_known": lambda tf: called(
        tf, tf.nn.rnn_cell.LSTMCell(4), x(tf, [2, None])
    ),
    "dtype_that_is_an_integer": lambda tf: tf.nn.rnn_cell.GRUCell(4, dtype=tf.int32),
    "activation_that_is_unknown": lambda tf: tf.nn.rnn_cell.BasicRNNCell(4, activation="nothing"),
    "activation_that_is_a_number": lambda tf: tf.nn.rnn_cell.BasicRNNCell(4, activation=3),
    "initializer_that_is_unknown": lambda tf: tf.nn.rnn_cell.LSTMCell(4, initializer="nothing"),
    "argument_that_is_unknown": lambda tf: tf.nn.rnn_cell.BasicLSTMCell(4, size=3),
    "zero_state_without_a_dtype": lambda tf: tf.nn.rnn_cell.GRUCell(4).get_initial_state(
        batch_size=3
    ),
    "zero_state_of_another_batch": lambda tf: tf.nn.rnn_cell.GRUCell(4).get_initial_state(
        tf.ones([2, 3]), batch_size=3
    ),
    "zero_state_of_another_dtype": lambda tf: tf.nn.rnn_cell.GRUCell(4).get_initial_state(
        tf.ones([2, 3]), dtype=tf.float64
    ),
    "zero_state_of_an_unknown_batch": lambda tf: tf.nn.rnn_cell.GRUCell(4).zero_state(
        None, tf.float32
    ),
    "zero_state_of_a_matrix": lambda tf: tf.nn.rnn_cell.GRUCell(4).zero_state(
        tf.constant([[2]]), tf.float32
    ),
    "dtypes_of_a_pair": lambda tf: (
        tf.nn.rnn_cell.LSTMStateTuple(tf.constant(1.0), tf.constant(1)).dtype
    ),
    "abstract_state_size": lambda tf: tf.nn.rnn_cell.RNNCell().zero_state(2, tf.float32),
    "dropout_below_zero": lambda tf: tf.nn.rnn_cell.DropoutWrapper(
        tf.nn.rnn_cell.GRUCell(4), output_keep_prob=-0.5
    ),
    "dropout_of_everything": lambda tf: called(
        tf, tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.GRUCell(4), 0.0)
    ),
    "dropout_of_a_string": lambda tf: tf.nn.rnn_cell.DropoutWrapper(
        tf.nn.rnn_cell.GRUCell(4), "half"
    ),
    "dropout_filter_that_is_none": lambda tf: tf.nn.rnn_cell.DropoutWrapper(
        tf.nn.rnn_cell.GRUCell(4), dropout_state_filter_visitor=3
    ),
    "variational_dropout_without_a_dtype": lambda tf: tf.nn.rnn_cell.DropoutWrapper(
        tf.nn.rnn_cell.GRUCell(4), variational_recurrent=True
    ),
    "variational_dropout_without_a_size": lambda tf: tf.nn.rnn_cell.DropoutWrapper(
        tf.nn.rnn_cell.GRUCell(4), 0.5, variational_recurrent=True, dtype=tf.float32
    ),
    "device_that_is_none": lambda tf: called(
        tf, tf.nn.rnn_cell.DeviceWrapper(tf.nn.rnn_cell.GRUCell(4), "/gpu/zero")
    ),
    "block_of_an_unknown_depth": lambda tf: called(
        tf, tf.contrib.rnn.LSTMBlockCell(4), x(tf, [2, None])
    ),
    "block_with_a_state_of_three": lambda tf: called(
        tf, tf.contrib.rnn.LSTMBlockCell(4), state=(1, 2, 3)
    ),
    "fused_without_a_dtype": lambda tf: tf.contrib.rnn.LSTMBlockFusedCell(4)(x(tf, [5, 2, 3])),
    "fused_with_a_state_of_three": lambda tf: tf.contrib.rnn.LSTMBlockFusedCell(4)(
        x(tf, [5, 2, 3]), (1, 2, 3)
    ),
    "highway_to_another_size": lambda tf: called(
        tf, tf.contrib.rnn.HighwayWrapper(tf.nn.rnn_cell.GRUCell(4))
    ),
    "simple_unit_of_an_unknown_depth": lambda tf: called(
        tf, tf.contrib.rnn.SRUCell(4), x(tf, [2, None])
    ),
    "groups_that_do_not_divide": lambda tf: tf.contrib.rnn.GLSTMCell(4, number_of_groups=3),
    "grid_without_blocks": lambda tf: tf.contrib.rnn.GridLSTMCell(4),
}
