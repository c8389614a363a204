"""tf.contrib.rnn and grid_rnn: cells in float64, with unknown batch sizes and depths, rebuilt, shared, rejected."""

# ruff: noqa: E731

import numpy as np

from tests.conformance import scenes


def _makes(tf):
    of = tf.contrib.rnn
    grid = {"feature_size": 3, "frequency_skip": 1}
    return {
        "attention": lambda **k: of.AttentionCellWrapper(
            tf.nn.rnn_cell.GRUCell(2, **k), 2, input_size=2, attn_vec_size=1, attn_size=3, **k
        ),
        "block": lambda **k: of.LSTMBlockCell(2, use_peephole=True, cell_clip=0.2, **k),
        "conv": lambda **k: of.Conv1DLSTMCell(
            input_shape=[3, 1], output_channels=2, kernel_shape=[2], **k
        ),
        "coupled": lambda **k: of.CoupledInputForgetGateLSTMCell(2, True, num_proj=1, **k),
        "frequency": lambda **k: of.TimeFreqLSTMCell(1, True, **grid, **k),
        "glstm": lambda **k: of.GLSTMCell(3, None, 3, 3, **k),
        "grid": lambda **k: of.GridLSTMCell(1, True, num_frequency_blocks=[1], **grid, **k),
        "gru block": lambda **k: of.GRUBlockCellV2(2, **k),
        "indrnn": lambda **k: of.IndRNNCell(2, **k),
        "indy gru": lambda **k: of.IndyGRUCell(2, **k),
        "indy lstm": lambda **k: of.IndyLSTMCell(2, **k),
        "intersection": lambda **k: of.IntersectionRNNCell(2, num_in_proj=2, **k),
        "nas": lambda **k: of.NASCell(2, num_proj=1, use_bias=True, **k),
        "normalized": lambda **k: of.LayerNormBasicLSTMCell(2, **k),
        "phased": lambda **k: of.PhasedLSTMCell(2, True, leak=0.1, ratio_on=0.5, **k),
        "sru": lambda **k: of.SRUCell(3, **k),
        "ugrnn": lambda **k: of.UGRNNCell(2, **k),
    }


def _values(tf, name, kind=np.float32):
    x = (np.arange(6) % 4).reshape(2, 3).astype(kind) / 4
    return {"conv": x[:, :, None], "phased": x}.get(name, x)


def _stepped(tf, stage, cell, name, x, batch=2, dtype=None, **options):
    given = (tf.ones([2, 1], dtype or x.dtype), x) if name == "phased" else x
    state = cell.zero_state(batch, dtype or tf.float32)
    output, state = cell(given, state, **options)
    output, state = cell(given, state, **options)
    stage.say(cell.output_size, cell.state_size)
    with stage.failing():
        stage.say(cell.name, cell.dtype, cell.built)
        stage.say([(v.name, v.dtype, str(v.shape), v.trainable) for v in cell.variables])
    return output, state


def _start(tf, reuse=None):
    start = tf.random_uniform_initializer(-0.5, 0.5, 3)
    return tf.variable_scope("v", initializer=start, reuse=reuse)


def of_unknown_batches(tf, stage):
    def built(name, make):
        def run():
            value = _values(tf, name)
            x = tf.placeholder_with_default(value, [None, *value.shape[1:]])
            with _start(tf):
                return _stepped(tf, stage, make(), name, x, tf.shape(x)[0])

        return run

    stage.each(
        {name: built(name, make) for name, make in _makes(tf).items() if name != "frequency"},
        graph=False,
    )


def shared(tf, stage):
    def built(name, make):
        def run():
            x = tf.constant(_values(tf, name))
            found = []
            with _start(tf):
                for number, options in enumerate(({}, {"reuse": True}, {"reuse": None})):
                    with stage.failing(), tf.variable_scope("s" if number else "first") as scope:
                        if number == 1:
                            scope.reuse_variables()
                        found.append(_stepped(tf, stage, make(**options), name, x))
                cell = make()
                with stage.failing():
                    found.append(_stepped(tf, stage, cell, name, x, scope="own"))
                    found.append(_stepped(tf, stage, cell, name, x, scope="own"))
            stage.say([v.name for v in tf.trainable_variables()])
            return found[-1] if found else None

        return run

    some = ("coupled", "indrnn", "ugrnn", "sru", "gru block", "normalized", "intersection")
    makes = _makes(tf)
    stage.each({name: built(name, makes[name]) for name in some}, graph=False)


def of_unknown_depths(tf, stage):
    for name, make in _makes(tf).items():
        if name in ("frequency", "grid", "conv", "glstm"):  # TensorFlow raises without a message
            continue
        with tf.Graph().as_default(), stage.failing():
            value = _values(tf, name)
            x = tf.placeholder(tf.float32, [2, *[None] * (value.ndim - 1)])
            stage.say(name, *_stepped(tf, stage, make(), name, x))
        with tf.Graph().as_default(), stage.failing():
            stage.say(name, *_stepped(tf, stage, make(), name, tf.zeros([2])))
        with tf.Graph().as_default(), stage.failing():
            cell = make()
            stage.say(cell(tf.constant(_values(tf, name)), tf.zeros([2, 5])))


def wrappers_and_sequences(tf, stage):
    of = tf.contrib.rnn
    gru = tf.nn.rnn_cell.GRUCell
    fed = scenes.unknown(tf, ranked=True)
    x = lambda: tf.constant(_values(tf, ""))
    times = lambda: tf.stack([x(), x() * 2.0])

    def cell(make, inputs=x, batch=2):
        def run():
            with _start(tf, tf.AUTO_REUSE):
                return _stepped(tf, stage, make(), "", inputs(), batch)

        return run

    def whole(make, **options):
        def run():
            with _start(tf):
                given = {k: v() if callable(v) else v for k, v in options.items()}
                found = make()(given.pop("inputs") if "inputs" in given else times(), **given)
            stage.say([(v.name, str(v.shape)) for v in tf.global_variables()])
            return found

        return run

    state = lambda: (tf.ones([2, 2]), tf.ones([2, 2]) * 0.5)
    stage.each(
        {
            "projected in": cell(lambda: of.InputProjectionWrapper(gru(2), 3, input_size=3)),
            "embedded": cell(
                lambda: of.EmbeddingWrapper(gru(2), 4, 3, tf.ones_initializer()),
                lambda: tf.constant([[1], [3]]),
            ),
            "embedded, no size": cell(lambda: of.EmbeddingWrapper(gru(2), 4, 0)),
            "block, lengths": whole(
                lambda: of.LSTMBlockFusedCell(2, 0.0, 0.1, True, dtype=tf.float32),
                initial_state=state,
                sequence_length=lambda: tf.constant([2, 0]),
            ),
            "block, unknown": whole(
                lambda: of.LSTMBlockFusedCell(2),
                inputs=lambda: tf.placeholder_with_default(
                    np.stack([_values(tf, "")] * 2), [None, None, 3]
                ),
                dtype=tf.float32,
                sequence_length=lambda: fed([1, 2]),
            ),
            "block, one state": whole(
                lambda: of.LSTMBlockFusedCell(2), initial_state=lambda: tf.ones([2, 2])
            ),
            "adapted, loop": whole(
                lambda: of.FusedRNNCellAdaptor(gru(2), use_dynamic_rnn=True),
                inputs=lambda: [x(), x()],
                dtype=tf.float32,
                scope="own",
            ),
            "backwards, list": whole(
                lambda: of.TimeReversedFusedRNN(of.FusedRNNCellAdaptor(gru(2))),
                inputs=lambda: [x(), x() * 2.0],
                dtype=tf.float32,
            ),
        },
        graph=False,
    )


def images_of_cells(tf, stage):
    of = tf.contrib.rnn
    values = (np.arange(8) % 5).astype("f") / 5

    def cell(make, shape, steps=2):
        def run():
            with _start(tf):
                its = make()
                x = tf.constant(values.reshape(shape))
                state = its.zero_state(shape[0], tf.float32)
                for _ in range(steps):
                    output, state = its(x, state)
                stage.say(its.name, its.output_size, its.state_size)
                return output, state

        return run

    stage.each(
        {
            "rows, all": cell(
                lambda: of.ConvLSTMCell(
                    1,
                    [4, 2],
                    2,
                    [2],
                    use_bias=False,
                    skip_connection=True,
                    forget_bias=0.5,
                    initializers=tf.constant_initializer(0.25),
                    name="own",
                ),
                [1, 4, 2],
            ),
            "images": cell(
                lambda: of.Conv2DLSTMCell(
                    input_shape=[2, 2, 2], output_channels=1, kernel_shape=[2, 1], name="c"
                ),
                [1, 2, 2, 2],
            ),
            "spaces": cell(
                lambda: of.Conv3DLSTMCell(
                    input_shape=[2, 2, 2, 1], output_channels=1, kernel_shape=[1, 1, 2]
                ),
                [1, 2, 2, 2, 1],
            ),
            "other rank": cell(
                lambda: of.Conv1DLSTMCell(input_shape=[4, 2], output_channels=1, kernel_shape=[3]),
                [2, 4],
            ),
        },
        graph=False,
    )
    stage.attempts(lambda: of.ConvLSTMCell(2, [4, 2], 1, [3]))


def cells_of_grids(tf, stage):
    of = tf.contrib.grid_rnn

    def stepped(make, values=lambda tf, name: _values(tf, name)[:, :2], batch=2):
        def run():
            with _start(tf, tf.AUTO_REUSE):
                its = make()
                x = values(tf, "")
                state = its.zero_state(batch, tf.float32)
                for _ in range(2):
                    output, state = its(x if x is None else tf.constant(x), state)
                stage.say(its.output_size, its.state_size)
                stage.say([(v.op.name, str(v.shape)) for v in tf.trainable_variables()])
                return output, state

        return run

    stage.each(
        {
            "one": stepped(lambda: of.Grid1BasicRNNCell(1, output_is_tuple=False)),
            "one, long": stepped(
                lambda: of.Grid1BasicLSTMCell(1, state_is_tuple=False, output_is_tuple=False)
            ),
            "one, peepholes": stepped(lambda: of.Grid1LSTMCell(1, True, forget_bias=0.5)),
            "two, gated": stepped(lambda: of.Grid2GRUCell(1, output_is_tuple=False)),
            "three": stepped(lambda: of.Grid3LSTMCell(1, True, tf.tanh, forget_bias=0.0)),
            "own, flat": stepped(
                lambda: of.GridRNNCell(
                    1,
                    2,
                    input_dims=[0, 1],
                    output_dims=1,
                    tied=True,
                    output_is_tuple=False,
                    state_is_tuple=False,
                )
            ),
        },
        graph=False,
    )
    stage.attempts(
        lambda: of.GridRNNCell(1, 0),
        lambda: of.GridRNNCell(1, -1),
        lambda: of.GridRNNCell(1, 2, input_dims=2),
        lambda: of.GridRNNCell(1, 2, cell_fn=3).state_size,
    )
