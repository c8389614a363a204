"""RNN functions: static, bidirectional, saved states, raw loops; Keras's and custom cells; errors."""

import numpy as np


def _data(*shape, dtype=np.float32):
    count = int(np.prod(shape))
    return ((np.arange(count) % 5 - 1.0) / 4).astype(dtype).reshape(shape)


def _said(tf, stage, cases):
    """Records each case's shapes, names, variables and values in a shared graph."""
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(1)
        for name, make in cases.items():
            stage.say("=", name)
            before = len(tf.global_variables())
            nodes = len(tf.get_default_graph().get_operations())
            with stage.failing():
                with tf.variable_scope(name.replace(" ", "_"), initializer=tf.ones_initializer()):
                    found = make()
                leaves = [x for x in tf.nest.flatten(found) if isinstance(x, tf.Tensor)]
                stage.say(type(found).__name__, [str(x.shape) for x in leaves])
                stage.say(leaves[0].name, leaves[-1].name)
                made = tf.global_variables()[before:]
                stage.say(*[v.name for v in made])
                session.run([v.initializer for v in made])
                stage.say(session.run(leaves))
            made = tf.get_default_graph().get_operations()[nodes:]
            stage.say(len(made), sorted({op.type for op in made if "Enter" in op.type}))
        stage.brief_graph(names=False)


def static(tf, stage):
    of = tf.nn.static_rnn
    f = tf.float32
    steps = lambda *shape: [tf.constant(x) for x in _data(3, 2, 2)]  # noqa: E731
    _said(tf, stage, {"keras": lambda: of(tf.keras.layers.GRUCell(1), steps(), dtype=f)})


def both_ways(tf, stage):
    cells, f = tf.nn.rnn_cell, tf.float32
    one, two = lambda: cells.GRUCell(1), lambda: cells.BasicRNNCell(2)
    static, dynamic = tf.nn.static_bidirectional_rnn, tf.nn.bidirectional_dynamic_rnn
    steps = lambda: [tf.constant(x) for x in _data(3, 2, 2)]  # noqa: E731
    x = lambda: tf.constant(_data(2, 3, 2))  # noqa: E731
    state = lambda n: tf.ones([2, n])  # noqa: E731
    _said(
        tf,
        stage,
        {
            "static one state": lambda: static(one(), two(), steps(), initial_state_fw=state(1)),
            "static no cell": lambda: static(one(), 3, steps(), dtype=f),
            "dynamic no dtype": lambda: dynamic(one(), two(), x(), initial_state_bw=state(2)),
            "dynamic no first": lambda: dynamic(None, one(), x(), dtype=f),
        },
    )


def own_cells(tf, stage):
    cells = tf.nn.rnn_cell

    class Sizes(cells.RNNCell):
        def __init__(self, state, output):
            super().__init__(name="sizes")
            self._sizes = state, output

        @property
        def state_size(self):
            return self._sizes[0]

        @property
        def output_size(self):
            return self._sizes[1]

    for size in (
        3,
        (2, 3),
        [1, (2, tf.TensorShape([3, 4]))],
        tf.TensorShape([2, 3]),
        tf.TensorShape([None]),
        {"a": 2, "b": 1},
        cells.LSTMStateTuple(1, 2),
        (),
        "a",
        None,
        2.5,
        tf.Dimension(3),
    ):
        cell = Sizes(size, 1)
        stage.attempts(
            lambda: cell.zero_state(tf.constant(2), "float64"),  # noqa: B023
            lambda: cell.get_initial_state(batch_size=2, dtype=tf.int32),  # noqa: B023
        )
    cell = cells.GRUCell(2)
    stage.attempts(
        lambda: cell.get_initial_state(dtype=tf.float32),
        lambda: cells.MultiRNNCell(3),
        lambda: cells.MultiRNNCell([3]),
    )
    x = tf.ones([2, 3])
    for make in (lambda: cells.LSTMCell(2, unknown=1),):
        with stage.failing():
            made = make()
            state = made.zero_state(2, tf.float32)
            stage.attempts(
                lambda: made(x, tf.ones([2, 5]))[0].name,  # noqa: B023
                lambda: made(tf.placeholder(tf.float32, [2, None]), state)[0].shape,  # noqa: B023
            )
            stage.say(made.name, [w.name for w in made.weights], made.dtype, made.built)
