"""tf.contrib.rnn: cells and whole sequences with rare arguments."""

import numpy as np


def _x(tf):
    return tf.constant(np.arange(6, dtype=np.float32).reshape(2, 3) / 10)


def _stepped(tf, make, x=None, steps=2):
    """A cell's outputs and state after some steps."""
    with tf.variable_scope("v", initializer=tf.random_uniform_initializer(-0.5, 0.5, 3)):
        cell = make()
        x = _x(tf) if x is None else x
        state = cell.zero_state(2, tf.float32)
        for _ in range(steps):
            output, state = cell(x, state)
        return output, state, tf.constant(str((cell.output_size, cell.state_size)))


def cells(tf, stage):
    of = tf.contrib.rnn
    basic = lambda units=2: tf.nn.rnn_cell.BasicLSTMCell(units)  # noqa: E731
    makes = {
        "coupled": lambda: of.CoupledInputForgetGateLSTMCell(2),
        "coupled_options": lambda: of.CoupledInputForgetGateLSTMCell(
            2,
            True,
            num_proj=1,
            proj_clip=0.1,
            forget_bias=0.5,
            layer_norm=True,
            norm_gain=0.5,
            norm_shift=0.1,
        ),
        "coupled_parts": lambda: of.CoupledInputForgetGateLSTMCell(
            4, num_proj=4, num_unit_shards=2, num_proj_shards=2, state_is_tuple=False
        ),
        "frequency": lambda: of.TimeFreqLSTMCell(2, feature_size=3, frequency_skip=1),
        "frequency_options": lambda: of.TimeFreqLSTMCell(
            2, True, 0.2, feature_size=3, frequency_skip=1, forget_bias=0.0, num_unit_shards=2
        ),
        "grid": lambda: of.GridLSTMCell(
            2, feature_size=3, frequency_skip=1, num_frequency_blocks=[1]
        ),
        "grid_options": lambda: of.GridLSTMCell(
            2,
            True,
            True,
            0.2,
            feature_size=1,
            frequency_skip=1,
            forget_bias=0.0,
            num_frequency_blocks=[3],
            couple_input_forget_gates=True,
        ),
        "grid_flat": lambda: of.GridLSTMCell(
            2, feature_size=3, frequency_skip=1, num_frequency_blocks=[1], state_is_tuple=False
        ),
        "grid_blocks": lambda: of.GridLSTMCell(
            2,
            feature_size=1,
            frequency_skip=1,
            num_frequency_blocks=[2],
            start_freqindex_list=[0],
            end_freqindex_list=[2],
        ),
        "grid_starts": lambda: of.GridLSTMCell(
            2, start_freqindex_list=[0], end_freqindex_list=None, num_frequency_blocks=[1]
        ),
        "grid_none": lambda: of.GridLSTMCell(2, feature_size=1),
        "two_ways": lambda: of.BidirectionalGridLSTMCell(
            2, feature_size=3, frequency_skip=1, num_frequency_blocks=[1]
        ),
        "two_ways_shared": lambda: of.BidirectionalGridLSTMCell(
            2,
            True,
            True,
            0.2,
            feature_size=3,
            frequency_skip=1,
            num_frequency_blocks=[1],
            backward_slice_offset=0,
        ),
        "attention": lambda: of.AttentionCellWrapper(basic(), 3, state_is_tuple=True),
        "attention_sizes": lambda: of.AttentionCellWrapper(
            basic(), 2, 4, 3, 5, state_is_tuple=True
        ),
        "attention_flat": lambda: of.AttentionCellWrapper(
            tf.nn.rnn_cell.GRUCell(2), 3, state_is_tuple=False
        ),
        "attention_none": lambda: of.AttentionCellWrapper(basic(), 0),
        "attention_no_cell": lambda: of.AttentionCellWrapper(3, 2),
        "attention_mixed": lambda: of.AttentionCellWrapper(basic(), 3, state_is_tuple=False),
        "highway": lambda: of.HighwayWrapper(tf.nn.rnn_cell.GRUCell(3)),
        "highway_options": lambda: of.HighwayWrapper(tf.nn.rnn_cell.GRUCell(3), False, 0.5),
        "highway_sizes": lambda: of.HighwayWrapper(tf.nn.rnn_cell.GRUCell(2)),
        "normalized": lambda: of.LayerNormBasicLSTMCell(2),
        "not_normalized": lambda: of.LayerNormBasicLSTMCell(2, layer_norm=False),
        "kept": lambda: of.LayerNormBasicLSTMCell(2, dropout_keep_prob=0.5, dropout_prob_seed=3),
        "nas": lambda: of.NASCell(2),
        "nas_options": lambda: of.NASCell(2, num_proj=1, use_bias=True),
        "ugrnn": lambda: of.UGRNNCell(2),
        "intersection": lambda: of.IntersectionRNNCell(3),
        "intersection_options": lambda: of.IntersectionRNNCell(
            2, 2, None, 0.5, y_activation=tf.tanh
        ),
        "intersection_sizes": lambda: of.IntersectionRNNCell(2),
        "phased": lambda: of.PhasedLSTMCell(2),
        "block": lambda: of.LSTMBlockCell(2),
        "block_options": lambda: of.LSTMBlockCell(2, 0.5, 0.2, True),
        "gru_block": lambda: of.GRUBlockCellV2(2),
        "gru_block_none": lambda: of.GRUBlockCell(),
        "glstm": lambda: of.GLSTMCell(4, number_of_groups=2),
        "glstm_options": lambda: of.GLSTMCell(4, None, 2, 2, 0.5, tf.nn.relu),
        "glstm_bad": lambda: of.GLSTMCell(3, number_of_groups=2),
        "glstm_bad_projection": lambda: of.GLSTMCell(4, num_proj=3, number_of_groups=2),
        "sru": lambda: of.SRUCell(2),
        "sru_options": lambda: of.SRUCell(2, tf.nn.relu),
        "indrnn": lambda: of.IndRNNCell(2),
        "indy_gru": lambda: of.IndyGRUCell(2, kernel_initializer=tf.constant_initializer(0.5)),
        "indy_lstm": lambda: of.IndyLSTMCell(2, 0.5, bias_initializer=tf.constant_initializer(0.5)),
        "weighted": lambda: of.WeightNormLSTMCell(2),
        "projected": lambda: of.OutputProjectionWrapper(tf.nn.rnn_cell.GRUCell(2), 3, tf.nn.relu),
        "projected_in": lambda: of.InputProjectionWrapper(tf.nn.rnn_cell.GRUCell(2), 3, tf.nn.relu),
        "projected_none": lambda: of.OutputProjectionWrapper(tf.nn.rnn_cell.GRUCell(2), 0),
        "compiled": lambda: of.CompiledWrapper(tf.nn.rnn_cell.GRUCell(2)),
    }
    cases = {}
    for name, make in makes.items():
        cases[name] = lambda make=make: _stepped(tf, make)
    cases["phased"] = lambda: _stepped(tf, lambda: of.PhasedLSTMCell(2), (tf.ones([2, 1]), _x(tf)))
    cases["projected_in"] = lambda: _stepped(tf, makes["projected_in"], steps=1)
    cases["embedded"] = lambda: _stepped(
        tf, lambda: of.EmbeddingWrapper(tf.nn.rnn_cell.GRUCell(2), 4, 3), tf.constant([[1], [0]])
    )
    cases["embedded_none"] = lambda: of.EmbeddingWrapper(tf.nn.rnn_cell.GRUCell(2), 0, 3)
    del cases["kept"], cases["compiled"]
    stage.each(cases, "sum")


def whole_sequences(tf, stage):
    of = tf.contrib.rnn
    gru = tf.nn.rnn_cell.GRUCell
    xs = lambda: [_x(tf), _x(tf) * 2]  # noqa: E731
    tensor = lambda: tf.stack(xs(), 1)  # noqa: E731

    def within(case):
        def made():
            with tf.variable_scope("v", initializer=tf.random_uniform_initializer(-0.5, 0.5, 3)):
                return case()

        return made

    cases = {
        "fused_lengths": lambda: of.LSTMBlockFusedCell(2, 0.5, 0.2, True)(
            tf.stack(xs()), dtype=tf.float32, sequence_length=[1, 2]
        ),
        "fused_none": lambda: of.LSTMBlockFusedCell(2)(tf.stack(xs())),
        "adapted": lambda: of.FusedRNNCellAdaptor(gru(2))(tf.stack(xs()), dtype=tf.float32),
        "adapted_loop": lambda: of.FusedRNNCellAdaptor(gru(2), True)(
            tf.stack(xs()), dtype=tf.float32, sequence_length=[1, 2]
        ),
        "reversed": lambda: of.TimeReversedFusedRNN(of.FusedRNNCellAdaptor(gru(2)))(
            tf.stack(xs()), dtype=tf.float32
        ),
        "reversed_lengths": lambda: of.TimeReversedFusedRNN(of.FusedRNNCellAdaptor(gru(2), True))(
            tf.stack(xs()), dtype=tf.float32, sequence_length=[1, 2]
        ),
        "stacked": lambda: of.stack_bidirectional_rnn([gru(2)], [gru(2)], xs(), dtype=tf.float32),
        "stacked_two": lambda: of.stack_bidirectional_rnn(
            [gru(2), gru(1)],
            [gru(2), gru(1)],
            xs(),
            [tf.ones([2, 2]), tf.ones([2, 1])],
            [tf.zeros([2, 2]), tf.ones([2, 1])],
            sequence_length=[1, 2],
            scope="s",
        ),
        "stacked_not_list": lambda: of.stack_bidirectional_rnn(
            gru(2), [gru(2)], xs(), dtype=tf.float32
        ),
        "stacked_not_list_2": lambda: of.stack_bidirectional_rnn(
            [gru(2)], gru(2), xs(), dtype=tf.float32
        ),
        "stacked_lengths": lambda: of.stack_bidirectional_rnn(
            [gru(2)], [gru(2)] * 2, xs(), dtype=tf.float32
        ),
        "stacked_states": lambda: of.stack_bidirectional_rnn(
            [gru(2)], [gru(2)], xs(), 3, dtype=tf.float32
        ),
        "stacked_states_2": lambda: of.stack_bidirectional_rnn(
            [gru(2)], [gru(2)], xs(), [], dtype=tf.float32
        ),
        "dynamic": lambda: of.stack_bidirectional_dynamic_rnn(
            [gru(2)], [gru(2)], tensor(), dtype=tf.float32
        ),
        "dynamic_options": lambda: of.stack_bidirectional_dynamic_rnn(
            [gru(2), gru(2)],
            [gru(2), gru(2)],
            tensor(),
            None,
            None,
            tf.float32,
            [1, 2],
            1,
            False,
            "s",
        ),
        "dynamic_time": lambda: of.stack_bidirectional_dynamic_rnn(
            [gru(2)], [gru(2)], tf.stack(xs()), dtype=tf.float32, time_major=True
        ),
        "dynamic_states": lambda: of.stack_bidirectional_dynamic_rnn(
            [gru(2)], [gru(2)], tensor(), [tf.ones([2, 2])], None, tf.float32
        ),
        "dynamic_bad": lambda: of.stack_bidirectional_dynamic_rnn(
            [gru(2)], [], tensor(), dtype=tf.float32
        ),
        "saved_none": lambda: of.static_state_saving_rnn(gru(2), xs(), None, "n"),
        "transposed_vector": lambda: of.transpose_batch_time(tf.ones([3])),
        "transposed_vague": lambda: of.transpose_batch_time(
            tf.placeholder_with_default(np.ones([2, 3]), None)
        ),
        "best_effort": lambda: of.best_effort_input_batch_size([_x(tf)]),
        "best_effort_vague": lambda: of.best_effort_input_batch_size(
            [tf.placeholder_with_default(np.ones([3, 2, 4]), [None, None, 4])]
        ),
    }
    del cases["saved_none"], cases["best_effort"], cases["best_effort_vague"]
    stage.each({name: within(case) for name, case in cases.items()}, "sum")
