"""Layers and cells whose weights differ from place to place: values, gradients, both formats, unknown sizes."""

import numpy as np

from tests.conformance.scenes import eager_mode


def _data(*shape):
    count = int(np.prod(shape))
    return ((np.arange(count) * 5 % 9 - 4.0) / 4).astype(np.float32).reshape(shape)


def _weights(layer):
    """Values that differ within each weight, and from weight to weight."""
    return [
        ((np.arange(int(np.prod(w.shape.as_list()))) * 7 % 11 - 5.0 + n) / 8)
        .astype(w.dtype.base_dtype.as_numpy_dtype)
        .reshape(w.shape.as_list())
        for n, w in enumerate(layer.weights)
    ]


def _values(tf, stage, cases, gradients=True, vague=True):
    """Says values and gradients of each layer, its weights set; perhaps of an unknown batch; in eager mode."""
    with tf.Graph().as_default(), tf.Session() as session:
        for name, (make, shape) in cases.items():
            stage.say("=", name)
            with stage.failing():
                layer = make()
                x = tf.constant(_data(*shape))
                y = layer(x)
                layer.set_weights(_weights(layer))
                wanted = [y]
                if gradients:
                    wanted.append(tf.gradients(tf.nest.flatten(y)[0] ** 2, [x, *layer.weights[:1]]))
                stage.say(session.run(wanted))
                if not vague:
                    continue
                sizes = [None] * (len(shape) - 1) + [shape[-1]]
                if name.endswith("first"):
                    sizes = [None, shape[1]] + [None] * (len(shape) - 2)
                fed = tf.placeholder(tf.float32, sizes)
                other = layer(fed)
                stage.say([str(t.shape) for t in tf.nest.flatten(other)])
                stage.say(session.run(tf.reduce_sum(other), {fed: _data(*shape)}))
    with tf.Graph().as_default(), eager_mode(tf):
        for name, (make, shape) in list(cases.items())[::4]:
            with stage.failing():
                layer = make()
                x = tf.constant(_data(*shape))
                layer(x)
                layer.set_weights(_weights(layer))
                stage.say(name, layer(x))


def convolutions(tf, stage):
    k = tf.keras.layers
    first = {"data_format": "channels_first"}
    _values(
        tf,
        stage,
        {
            "one": (lambda: k.Conv1D(2, 2), (2, 4, 2)),
            "one causal": (lambda: k.Conv1D(2, 2, padding="causal", dilation_rate=2), (1, 5, 2)),
            "one same": (lambda: k.Conv1D(2, 3, 2, "same"), (1, 5, 2)),
            "one dilated same": (
                lambda: k.Conv1D(1, 2, padding="same", dilation_rate=3),
                (1, 5, 1),
            ),
            "two": (lambda: k.Conv2D(2, (2, 3)), (2, 3, 4, 2)),
            "two same": (lambda: k.Conv2D(2, 3, (2, 1), "same", activation="tanh"), (1, 4, 3, 2)),
            "two dilated": (lambda: k.Conv2D(1, 2, dilation_rate=(2, 1)), (1, 4, 3, 1)),
            "two dilated same": (
                lambda: k.Conv2D(1, 2, padding="same", dilation_rate=2),
                (1, 3, 4, 1),
            ),
            "three": (lambda: k.Conv3D(2, (1, 2, 2), (1, 1, 2)), (1, 2, 3, 4, 1)),
            "three same": (lambda: k.Conv3D(1, 2, 2, "same"), (1, 2, 3, 3, 2)),
            "turned": (lambda: k.Conv2DTranspose(2, (2, 3), (2, 1)), (1, 2, 3, 2)),
            "turned same": (lambda: k.Conv2DTranspose(2, 3, 2, "same"), (1, 2, 2, 1)),
            "turned more": (
                lambda: k.Conv2DTranspose(1, 3, 2, output_padding=(1, 0)),
                (1, 2, 2, 1),
            ),
            "turned dilated": (lambda: k.Conv2DTranspose(1, 2, dilation_rate=2), (1, 3, 3, 1)),
            "turned three": (lambda: k.Conv3DTranspose(1, 2, (1, 2, 1)), (1, 1, 2, 2, 2)),
            "turned three same": (lambda: k.Conv3DTranspose(2, 2, 2, "same"), (1, 1, 2, 1, 1)),
            "apart one": (lambda: k.SeparableConv1D(2, 2, depth_multiplier=2), (1, 4, 2)),
            "apart one causal": (lambda: k.SeparableConv1D(2, 2, padding="causal"), (1, 4, 2)),
            "apart one same": (
                lambda: k.SeparableConv1D(1, 3, 2, "same", dilation_rate=1),
                (1, 5, 2),
            ),
            "apart two": (lambda: k.SeparableConv2D(2, (2, 3), depth_multiplier=2), (1, 3, 4, 2)),
            "apart two same": (lambda: k.SeparableConv2D(2, 2, 2, "same"), (1, 3, 4, 2)),
            "apart two dilated": (lambda: k.SeparableConv2D(1, 2, dilation_rate=2), (1, 4, 3, 2)),
            "by depth": (lambda: k.DepthwiseConv2D((2, 3), depth_multiplier=2), (1, 3, 4, 2)),
            "by depth same": (
                lambda: k.DepthwiseConv2D(2, 2, "same", use_bias=False),
                (1, 3, 4, 2),
            ),
            "by depth first": (lambda: k.DepthwiseConv2D(2, **first), (1, 2, 3, 3)),
            "apart first": (lambda: k.SeparableConv2D(1, 2, **first), (1, 2, 3, 3)),
            "turned first": (lambda: k.Conv2DTranspose(1, 2, 2, **first), (1, 2, 2, 3)),
        },
    )


def local_connections(tf, stage):
    k = tf.keras.layers
    cases = {}
    for number in (1, 2, 3):
        for name, kind, given, options, shape in (
            ("one", "1D", (2, 2), {}, (2, 4, 2)),
            ("one strides", "1D", (1, 3, 2), {"use_bias": False}, (1, 6, 2)),
            ("one first", "1D", (2, 2), {"data_format": "channels_first"}, (1, 2, 4)),
            ("two", "2D", (2, (2, 1)), {"activation": "relu"}, (2, 3, 2, 2)),
            ("two strides", "2D", (1, 2, (2, 1)), {}, (1, 4, 3, 1)),
            ("two first", "2D", (2, 2), {"data_format": "channels_first"}, (1, 2, 3, 2)),
            ("one same", "1D", (1, 3), {"padding": "same"}, (1, 4, 2)),
            ("two same", "2D", (2, 2), {"padding": "same"}, (1, 2, 3, 1)),
        ):
            cases[f"{number} {name}"] = (
                lambda kind=kind, given=given, options=options, number=number: getattr(
                    k, "LocallyConnected" + kind
                )(*given, implementation=number, **options),
                shape,
            )
    _values(tf, stage, cases, gradients=False)


def recurrent(tf, stage):
    k = tf.keras.layers
    cases = {}
    for kind, options in (
        ("SimpleRNN", {}),
        ("LSTM", {}),
        ("LSTM", {"implementation": 2, "recurrent_activation": "sigmoid"}),
        ("LSTM", {"unit_forget_bias": False, "use_bias": False}),
        ("GRU", {}),
        ("GRU", {"implementation": 2}),
        ("GRU", {"reset_after": True}),
        ("GRU", {"reset_after": True, "implementation": 2, "activation": "relu"}),
    ):
        more = {"return_state": True, "go_backwards": True}
        given = {**options, **({"return_sequences": True} if len(cases) % 2 else more)}
        cases[f"{kind} {sorted(given.items())}"] = (
            lambda kind=kind, given=given: getattr(k, kind)(2, **given),
            (2, 3, 2),
        )
    both = k.Bidirectional
    cases["both"] = lambda: both(k.LSTM(2, return_sequences=True), "sum"), (2, 3, 2)
    cases["both joined"] = lambda: both(k.GRU(2, return_state=True)), (2, 3, 2)
    cases["images"] = (
        lambda: k.ConvLSTM2D(2, 2, padding="same", return_sequences=True),
        (1, 2, 3, 2, 1),
    )
    cases["images strided"] = lambda: k.ConvLSTM2D(1, (2, 1), 2), (1, 2, 3, 3, 2)
    cases["stacked"] = lambda: k.RNN([k.LSTMCell(2), k.GRUCell(1)]), (2, 3, 2)
    cases["each"] = lambda: k.TimeDistributed(k.Dense(2)), (2, 3, 2)
    _values(tf, stage, cases, gradients=False, vague=False)


def others(tf, stage):
    k = tf.keras.layers
    _values(
        tf,
        stage,
        {
            "dense": (lambda: k.Dense(3, "sigmoid"), (2, 2)),
            "dense of four": (lambda: k.Dense(2, use_bias=False), (2, 1, 2, 2)),
            "prelu": (lambda: k.PReLU(), (2, 2, 3)),
            "prelu shared": (lambda: k.PReLU(shared_axes=[2]), (2, 2, 3)),
            "layer norm": (lambda: k.LayerNormalization(), (2, 3)),
            "layer norm axes": (lambda: k.LayerNormalization([1, 2], 0.1), (2, 2, 3)),
            "layer norm first": (lambda: k.LayerNormalization(1), (2, 3, 2)),
            "norm": (lambda: k.BatchNormalization(), (3, 2)),
            "norm axis": (lambda: k.BatchNormalization(1), (3, 2, 2)),
            "norm axes": (lambda: k.BatchNormalization([1, 2]), (3, 2, 2)),
            "norm images": (lambda: k.BatchNormalization(epsilon=0.1), (1, 2, 2, 3)),
            "norm renorm": (lambda: k.BatchNormalization(renorm=True), (3, 2)),
        },
    )
    with tf.Graph().as_default(), tf.Session() as session:
        q, v, w = (tf.constant(_data(2, *s)) for s in ((2, 3), (4, 3), (4, 3)))
        mask = tf.constant([[True, True, False, False], [True, False, True, True]])
        queries = tf.constant([[True, False], [True, True]])
        for make in (
            lambda: k.Attention(),
            lambda: k.Attention(use_scale=True),
            lambda: k.Attention(causal=True),
            lambda: k.AdditiveAttention(),
            lambda: k.AdditiveAttention(use_scale=False, causal=True),
        ):
            layer = make()
            results = [layer([q, v]), layer([q, v, w * 2.0])]
            results += [
                layer([q, v], mask=m) for m in ([queries, mask], [None, mask], [queries, None])
            ]
            layer.set_weights(_weights(layer))
            stage.say(session.run(results))
        stage.attempts(
            lambda: layer([q, v], mask=queries),
            lambda: layer([q, v], mask=[queries]),
            lambda: layer([q]),
            lambda: layer([q, v, w, w]),
            lambda: layer(q),
            lambda: layer.compute_mask([q, v], [queries, mask]).name,
            lambda: layer.compute_mask([q, v], [None, mask]),
            lambda: layer.compute_mask([q, v]),
        )
        embedding = k.Embedding(4, 2)
        ids = tf.constant([[3, 0], [1, 1]])
        y = embedding(ids)
        embedding.set_weights(_weights(embedding))
        stage.say(session.run([y, embedding(tf.cast(ids, tf.float32)), embedding(ids[0])]))
        for axes in (1, 2, (1, 2), (2, 1), -1):
            with stage.failing():
                stage.say(session.run(k.Dot(axes)([q, tf.constant(_data(2, 2, 3)) * 2.0])))
        stage.say(session.run(k.Dot(2, normalize=True)([q, v])))


def cells_of_the_library(tf, stage):
    c = tf.nn.rnn_cell
    x = tf.constant(_data(2, 3, 2))
    with tf.Session() as session:
        for name, make in (
            ("basic", lambda: c.BasicRNNCell(2)),
            ("gru", lambda: c.GRUCell(2)),
            ("basic lstm", lambda: c.BasicLSTMCell(2, 0.5)),
            ("basic lstm one", lambda: c.BasicLSTMCell(2, state_is_tuple=False)),
            ("lstm", lambda: c.LSTMCell(2, use_peepholes=True, forget_bias=0.25)),
            ("lstm clipped", lambda: c.LSTMCell(2, cell_clip=0.25, num_proj=3, proj_clip=0.125)),
            ("lstm one", lambda: c.LSTMCell(2, num_proj=1, state_is_tuple=False)),
            (
                "lstm shards",
                lambda: c.LSTMCell(2, num_unit_shards=2, num_proj=2, num_proj_shards=2),
            ),
            ("several", lambda: c.MultiRNNCell([c.GRUCell(2), c.LSTMCell(1)])),
            ("several one", lambda: c.MultiRNNCell([c.GRUCell(2), c.BasicRNNCell(1)], False)),
            ("residual", lambda: c.ResidualWrapper(c.GRUCell(2))),
            ("dropped", lambda: c.DropoutWrapper(c.LSTMCell(2), 0.5, 0.75, 0.5, seed=3)),
        ):
            with stage.failing(), tf.variable_scope(name.replace(" ", "_")):
                cell = make()
                outputs, state = tf.nn.dynamic_rnn(cell, x, [3, 2], dtype=tf.float32)
                weights = tf.get_collection(
                    "trainable_variables", tf.get_variable_scope().name + "/"
                )
                for n, w in enumerate(weights):
                    size = int(np.prod(w.shape.as_list()))
                    w.load(((np.arange(size) * 7 % 11 - 5.0 + n) / 8).reshape(w.shape), session)
                stage.say(name, session.run([outputs, state]))
