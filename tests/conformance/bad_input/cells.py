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


def depth_that_is_not_known(tf):
    return called(tf, tf.nn.rnn_cell.BasicRNNCell(4), x(tf, [2, None]))


def depth_of_an_lstm_that_is_not_known(tf):
    return called(tf, tf.nn.rnn_cell.LSTMCell(4), x(tf, [2, None]))


def inputs_of_rank_3(tf):
    return called(tf, tf.nn.rnn_cell.GRUCell(4), x(tf, [2, 3, 4]))


def inputs_of_unknown_rank(tf):
    return called(tf, tf.nn.rnn_cell.BasicLSTMCell(4), x(tf, None))


def inputs_that_are_integers(tf):
    return called(tf, tf.nn.rnn_cell.BasicLSTMCell(4), x(tf, dtype=tf.int32))


def dtype_that_is_an_integer(tf):
    return tf.nn.rnn_cell.GRUCell(4, dtype=tf.int32)


def state_of_integers(tf):
    return called(tf, tf.nn.rnn_cell.GRUCell(4), state=tf.zeros([2, 4], tf.int32))


def state_of_another_size(tf):
    return called(tf, tf.nn.rnn_cell.GRUCell(4), state=tf.zeros([2, 5]))


def state_of_another_batch(tf):
    return called(tf, tf.nn.rnn_cell.BasicRNNCell(4), state=tf.zeros([3, 4]))


def dtype_of_another_call(tf):
    cell = tf.nn.rnn_cell.BasicRNNCell(4)
    called(tf, cell)
    return cell(tf.ones([2, 3], tf.float64), tf.ones([2, 4], tf.float64))


def activation_that_is_unknown(tf):
    return tf.nn.rnn_cell.BasicRNNCell(4, activation="nothing")


def activation_that_is_a_number(tf):
    return tf.nn.rnn_cell.BasicRNNCell(4, activation=3)


def initializer_that_is_unknown(tf):
    return tf.nn.rnn_cell.LSTMCell(4, initializer="nothing")


def argument_that_is_unknown(tf):
    return tf.nn.rnn_cell.BasicLSTMCell(4, size=3)


def reuse_of_nothing(tf):
    return called(tf, tf.nn.rnn_cell.GRUCell(4, reuse=True))


def reuse_with_another_size(tf):
    called(tf, tf.nn.rnn_cell.GRUCell(4, name="same"))
    return called(tf, tf.nn.rnn_cell.GRUCell(5, name="same", reuse=True))


def more_shards_than_rows(tf):
    return called(tf, tf.nn.rnn_cell.LSTMCell(4, num_unit_shards=9))


def zero_state_without_a_dtype(tf):
    return tf.nn.rnn_cell.GRUCell(4).get_initial_state(batch_size=3)


def zero_state_of_another_batch(tf):
    return tf.nn.rnn_cell.GRUCell(4).get_initial_state(tf.ones([2, 3]), batch_size=3)


def zero_state_of_another_dtype(tf):
    return tf.nn.rnn_cell.GRUCell(4).get_initial_state(tf.ones([2, 3]), dtype=tf.float64)


def zero_state_of_an_unknown_batch(tf):
    return tf.nn.rnn_cell.GRUCell(4).zero_state(None, tf.float32)


def zero_state_of_a_matrix(tf):
    return tf.nn.rnn_cell.GRUCell(4).zero_state(tf.constant([[2]]), tf.float32)


def dtypes_of_a_pair(tf):
    return tf.nn.rnn_cell.LSTMStateTuple(tf.constant(1.0), tf.constant(1)).dtype


def abstract_state_size(tf):
    return tf.nn.rnn_cell.RNNCell().zero_state(2, tf.float32)


def stack_of_nothing(tf):
    return tf.nn.rnn_cell.MultiRNNCell([])


def stack_of_a_cell(tf):
    return tf.nn.rnn_cell.MultiRNNCell(tf.nn.rnn_cell.GRUCell(4))


def stack_of_joined_tuples(tf):
    parts = [tf.nn.rnn_cell.BasicLSTMCell(4), tf.nn.rnn_cell.GRUCell(4)]
    return tf.nn.rnn_cell.MultiRNNCell(parts, state_is_tuple=False)


def stack_with_a_state_that_is_no_tuple(tf):
    stack = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.GRUCell(4)])
    return called(tf, stack, state=tf.zeros([2, 4]))


def stack_called_in_two_scopes(tf):
    stack = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.GRUCell(3)])
    called(tf, stack)
    other = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.GRUCell(3)])
    return other(x(tf), (tf.zeros([2, 3]),), scope="multi_rnn_cell")


def dropout_of_no_cell(tf):
    return tf.nn.rnn_cell.DropoutWrapper(3)


def dropout_beyond_one(tf):
    return tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.GRUCell(4), input_keep_prob=1.5)


def dropout_below_zero(tf):
    return tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.GRUCell(4), output_keep_prob=-0.5)


def dropout_of_everything(tf):
    return called(tf, tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.GRUCell(4), 0.0))


def dropout_of_a_string(tf):
    return tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.GRUCell(4), "half")


def dropout_filter_that_is_none(tf):
    return tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.GRUCell(4), dropout_state_filter_visitor=3)


def variational_dropout_without_a_dtype(tf):
    return tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.GRUCell(4), variational_recurrent=True)


def variational_dropout_without_a_size(tf):
    return tf.nn.rnn_cell.DropoutWrapper(
        tf.nn.rnn_cell.GRUCell(4), 0.5, variational_recurrent=True, dtype=tf.float32
    )


def residual_of_another_size(tf):
    return called(tf, tf.nn.rnn_cell.ResidualWrapper(tf.nn.rnn_cell.GRUCell(4)))


def residual_of_another_structure(tf):
    class Pair(tf.nn.rnn_cell.RNNCell):
        state_size = output_size = 3

        def call(self, inputs, state):
            return (inputs, state), state

    return called(tf, tf.nn.rnn_cell.ResidualWrapper(Pair()))


def device_that_is_none(tf):
    return called(tf, tf.nn.rnn_cell.DeviceWrapper(tf.nn.rnn_cell.GRUCell(4), "/gpu/zero"))


def wrapper_of_a_described_cell(tf):
    wrapper = tf.nn.rnn_cell.ResidualWrapper(tf.nn.rnn_cell.GRUCell(4))
    return tf.nn.rnn_cell.ResidualWrapper.from_config(wrapper.get_config())


def block_of_an_unknown_depth(tf):
    return called(tf, tf.contrib.rnn.LSTMBlockCell(4), x(tf, [2, None]))


def block_with_a_state_of_three(tf):
    return called(tf, tf.contrib.rnn.LSTMBlockCell(4), state=(1, 2, 3))


def block_of_another_batch(tf):
    rows = x(tf, [None, 3])
    h, _ = called(tf, tf.contrib.rnn.LSTMBlockCell(4, name="given"), rows)
    return initialized(tf, h, {rows: [[1.0, 2.0, 3.0]] * 3})


def block_of_doubles(tf):
    double = tf.float64
    return tf.contrib.rnn.LSTMBlockCell(4)(x(tf, dtype=double), (tf.zeros([2, 4], double),) * 2)


def gru_block_of_no_size(tf):
    return tf.contrib.rnn.GRUBlockCell()


def gru_block_with_a_state_of_another_size(tf):
    return called(tf, tf.contrib.rnn.GRUBlockCell(4), state=tf.zeros([2, 5]))


def gru_block_of_another_batch(tf):
    rows = x(tf, [None, 3])
    h, _ = called(tf, tf.contrib.rnn.GRUBlockCell(4, name="given"), rows)
    return initialized(tf, h, {rows: [[1.0, 2.0, 3.0]] * 3})


def fused_of_rank_2(tf):
    return tf.contrib.rnn.LSTMBlockFusedCell(4)(x(tf), dtype=tf.float32)


def fused_without_a_dtype(tf):
    return tf.contrib.rnn.LSTMBlockFusedCell(4)(x(tf, [5, 2, 3]))


def fused_with_a_state_of_three(tf):
    return tf.contrib.rnn.LSTMBlockFusedCell(4)(x(tf, [5, 2, 3]), (1, 2, 3))


def projection_to_nothing(tf):
    return tf.contrib.rnn.OutputProjectionWrapper(tf.nn.rnn_cell.GRUCell(4), 0)


def projection_of_no_cell(tf):
    return tf.contrib.rnn.InputProjectionWrapper(None, 3)


def projection_of_rank_3(tf):
    cell = tf.contrib.rnn.InputProjectionWrapper(tf.nn.rnn_cell.GRUCell(4), 3)
    return called(tf, cell, x(tf, [2, 3, 4]))


def projection_of_an_unknown_depth(tf):
    cell = tf.contrib.rnn.InputProjectionWrapper(tf.nn.rnn_cell.GRUCell(4), 3)
    return called(tf, cell, x(tf, [2, None]))


def embedding_of_nothing(tf):
    return tf.contrib.rnn.EmbeddingWrapper(tf.nn.rnn_cell.GRUCell(4), 0, 3)


def highway_to_another_size(tf):
    return called(tf, tf.contrib.rnn.HighwayWrapper(tf.nn.rnn_cell.GRUCell(4)))


def intersection_of_another_size(tf):
    return called(tf, tf.contrib.rnn.IntersectionRNNCell(4))


def coupled_with_too_many_shards(tf):
    return called(tf, tf.contrib.rnn.CoupledInputForgetGateLSTMCell(4, num_unit_shards=9))


def search_of_an_unknown_depth(tf):
    return called(tf, tf.contrib.rnn.NASCell(4), x(tf, [2, None]))


def simple_unit_of_an_unknown_depth(tf):
    return called(tf, tf.contrib.rnn.SRUCell(4), x(tf, [2, None]))


def groups_that_do_not_divide(tf):
    return tf.contrib.rnn.GLSTMCell(4, number_of_groups=3)


def groups_that_do_not_divide_the_inputs(tf):
    return called(tf, tf.contrib.rnn.GLSTMCell(4, number_of_groups=2))


def grid_without_blocks(tf):
    return tf.contrib.rnn.GridLSTMCell(4)


def grid_of_another_number(tf):
    cell = tf.contrib.rnn.GridLSTMCell(
        4, feature_size=2, frequency_skip=1, num_frequency_blocks=[3]
    )
    return called(tf, cell)


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
