"""Functions that unroll cells: static, both ways, saved states, raw loops; Keras's cells and own ones; refusals."""

import numpy as np


def _data(*shape, dtype=np.float32):
    count = int(np.prod(shape))
    return ((np.arange(count) % 5 - 1.0) / 4).astype(dtype).reshape(shape)


def _said(tf, stage, cases):
    """Says of each case, all in one graph, shapes, names, variables, and the values."""
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
    of, cells = tf.nn.static_rnn, tf.nn.rnn_cell
    f = tf.float32
    steps = lambda *shape: [tf.constant(x) for x in _data(3, 2, 2)]  # noqa: E731
    gru = lambda: cells.GRUCell(2)  # noqa: E731
    vague = lambda shape: [tf.placeholder_with_default(x, shape) for x in _data(3, 2, 2)]  # noqa: E731
    _said(
        tf,
        stage,
        {
            "plain": lambda: of(gru(), steps(), dtype=f),
            "position": lambda: of(gru(), steps(), tf.ones([2, 2]), f, [1, 3], "named"),
            "scope": lambda: of(gru(), steps(), dtype=f, scope="own"),
            "state": lambda: of(
                cells.BasicLSTMCell(1),
                steps(),
                cells.LSTMStateTuple(tf.ones([2, 1]), tf.zeros([2, 1])),
            ),
            "lengths": lambda: of(gru(), steps(), dtype=f, sequence_length=[0, 2]),
            "lengths all": lambda: of(gru(), steps(), dtype=f, sequence_length=tf.constant([3, 3])),
            "lengths long": lambda: of(
                gru(), steps(), dtype=f, sequence_length=tf.constant([5, 1], tf.int64)
            ),
            "lengths matrix": lambda: of(gru(), steps(), dtype=f, sequence_length=[[1, 2]]),
            "lengths unknown": lambda: of(
                gru(),
                vague([None, 2]),
                dtype=f,
                sequence_length=tf.placeholder_with_default(np.array([2, 1], np.int32), None),
            ),
            "batch unknown": lambda: of(gru(), vague([None, 2]), dtype=f),
            "size unknown": lambda: of(gru(), vague([2, None]), dtype=f),
            "rank unknown": lambda: of(gru(), vague(None), dtype=f),
            "batches differ": lambda: of(gru(), [tf.ones([2, 2]), tf.ones([3, 2])], dtype=f),
            "no dtype": lambda: of(gru(), steps()),
            "no steps": lambda: of(gru(), [], dtype=f),
            "tensor": lambda: of(gru(), tf.ones([3, 2, 2]), dtype=f),
            "no cell": lambda: of(3, steps(), dtype=f),
            "function": lambda: of(lambda x, s: (x, s), steps(), dtype=f),
            "doubles": lambda: of(
                gru(), [tf.constant(x) for x in _data(2, 1, 1, dtype=np.float64)], dtype=tf.float64
            ),
            "several": lambda: of(
                cells.MultiRNNCell([gru(), cells.BasicRNNCell(1)]),
                steps(),
                dtype=f,
                sequence_length=[1, 3],
            ),
            "keras": lambda: of(tf.keras.layers.GRUCell(1), steps(), dtype=f),
            "keras lengths": lambda: of(
                tf.keras.layers.LSTMCell(1), steps(), dtype=f, sequence_length=[1, 2]
            ),
        },
    )


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
            "static": lambda: static(one(), two(), steps(), dtype=f),
            "static lengths": lambda: static(
                one(), two(), steps(), dtype=f, sequence_length=[1, 3]
            ),
            "static position": lambda: static(
                one(), two(), steps(), state(1), state(2), f, tf.constant([2, 2]), "own"
            ),
            "static states": lambda: static(
                one(), two(), steps(), initial_state_fw=state(1), initial_state_bw=state(2)
            ),
            "static one state": lambda: static(one(), two(), steps(), initial_state_fw=state(1)),
            "static no cell": lambda: static(one(), 3, steps(), dtype=f),
            "static no first": lambda: static(3, one(), steps(), dtype=f),
            "static tensor": lambda: static(one(), two(), x(), dtype=f),
            "static empty": lambda: static(one(), two(), [], dtype=f),
            "dynamic": lambda: dynamic(one(), two(), x(), dtype=f),
            "dynamic lengths": lambda: dynamic(one(), two(), x(), [1, 3], dtype=f),
            "dynamic position": lambda: dynamic(
                one(), two(), x(), [2, 2], state(1), state(2), f, 4, True, False, "own"
            ),
            "dynamic major": lambda: dynamic(
                one(), two(), tf.constant(_data(3, 2, 2)), [1, 3], dtype=f, time_major=True
            ),
            "dynamic major all": lambda: dynamic(
                one(), two(), tf.constant(_data(3, 2, 2)), dtype=f, time_major=True
            ),
            "dynamic states": lambda: dynamic(
                one(), two(), x(), initial_state_fw=state(1), initial_state_bw=state(2)
            ),
            "dynamic no dtype": lambda: dynamic(one(), two(), x(), initial_state_bw=state(2)),
            "dynamic no cell": lambda: dynamic(one(), None, x(), dtype=f),
            "dynamic no first": lambda: dynamic(None, one(), x(), dtype=f),
            "dynamic unknown": lambda: dynamic(
                one(), two(), tf.placeholder_with_default(_data(2, 3, 2), [None, None, 2]), dtype=f
            ),
        },
    )


def loops(tf, stage):
    cells, f, of = tf.nn.rnn_cell, tf.float32, tf.nn.dynamic_rnn
    x = lambda: tf.constant(_data(2, 3, 2))  # noqa: E731
    vague = lambda shape: tf.placeholder_with_default(_data(2, 3, 2), shape)  # noqa: E731
    gru = lambda: cells.GRUCell(2)  # noqa: E731

    class Both(cells.RNNCell):
        """A cell of two inputs, outputs and states."""

        state_size = (tf.TensorShape([1]), 2)
        output_size = (1, (tf.TensorShape([2]),))

        def call(self, inputs, state):
            one, two = inputs
            return (one[:, :1], (two + state[1],)), (state[0] + one[:, :1], two)

    _said(
        tf,
        stage,
        {
            "position": lambda: of(gru(), x(), [3, 1], tf.ones([2, 2]), f, 2, True, False, "own"),
            "major": lambda: of(gru(), x(), [3, 1, 2], dtype=f, time_major=True),
            "empty steps": lambda: of(gru(), tf.zeros([2, 0, 2]), dtype=f),
            "empty batch": lambda: of(gru(), tf.zeros([0, 3, 2]), dtype=f),
            "unknown steps": lambda: of(gru(), vague([2, None, 2]), dtype=f),
            "unknown batch": lambda: of(gru(), vague([None, 3, 2]), [1, 2], dtype=f),
            "unknown size": lambda: of(gru(), vague([2, 3, None]), dtype=f),
            "unknown rank": lambda: of(gru(), vague(None), dtype=f),
            "matrix": lambda: of(gru(), tf.ones([2, 2]), dtype=f),
            "array": lambda: of(gru(), _data(2, 3, 2), dtype=f),
            "lengths matrix": lambda: of(gru(), x(), [[1, 2]], dtype=f),
            "lengths floats": lambda: of(gru(), x(), [1.0, 2.0], dtype=f),
            "lengths unknown": lambda: of(
                gru(), x(), tf.placeholder_with_default(np.array([1, 2], np.int64), None), dtype=f
            ),
            "halves": lambda: of(
                cells.BasicRNNCell(1),
                tf.constant(_data(1, 2, 1, dtype=np.float16)),
                dtype=tf.float16,
            ),
            "doubles": lambda: of(
                cells.LSTMCell(1), tf.constant(_data(1, 2, 1, dtype=np.float64)), dtype=tf.float64
            ),
            "parallel text": lambda: of(gru(), x(), dtype=f, parallel_iterations="2"),
            "no dtype": lambda: of(gru(), x(), [1, 2]),
            "two": lambda: of(Both(), (x(), x()), dtype=f),
            "two lengths": lambda: of(Both(), (x(), x()), [1, 3], dtype=f),
            "two batches": lambda: of(Both(), (x(), tf.ones([3, 3, 2])), dtype=f),
            "two steps": lambda: of(Both(), (x(), tf.ones([2, 4, 2])), dtype=f),
            "two of one": lambda: of(Both(), x(), dtype=f),
            "keras": lambda: of(tf.keras.layers.SimpleRNNCell(1), x(), dtype=f),
            "keras lengths": lambda: of(tf.keras.layers.LSTMCell(1), x(), [1, 2], dtype=f),
            "keras state": lambda: of(
                tf.keras.layers.GRUCell(1), x(), initial_state=[tf.ones([2, 1])]
            ),
        },
    )


def saved_states(tf, stage):
    cells, of = tf.nn.rnn_cell, tf.nn.static_state_saving_rnn
    steps = lambda: [tf.constant(x) for x in _data(2, 2, 2)]  # noqa: E731

    class Saver:
        def state(self, name):
            stage.say("asked for", name)
            return tf.ones([2, 1], name="state_" + name)

        def save_state(self, name, value):
            stage.say("given", name, str(value.shape))
            return tf.identity(value, name="kept_" + name)

    _said(
        tf,
        stage,
        {
            "one": lambda: of(cells.GRUCell(1), steps(), Saver(), "a"),
            "lengths": lambda: of(cells.GRUCell(1), steps(), Saver(), "a", [1, 2], "own"),
            "tuple": lambda: of(cells.LSTMCell(1), steps(), Saver(), ("c", "h")),
            "list": lambda: of(cells.LSTMCell(1), steps(), Saver(), ["c", "h"]),
            "deep": lambda: of(
                cells.MultiRNNCell([cells.LSTMCell(1), cells.GRUCell(1)]),
                steps(),
                Saver(),
                (("c", "h"), "g"),
            ),
            "flat": lambda: of(
                cells.MultiRNNCell([cells.LSTMCell(1), cells.GRUCell(1)]),
                steps(),
                Saver(),
                ("c", "h", "g"),
            ),
            "too many": lambda: of(cells.LSTMCell(1), steps(), Saver(), ("c", "h", "x")),
            "one of two": lambda: of(cells.LSTMCell(1), steps(), Saver(), "c"),
            "two of one": lambda: of(cells.GRUCell(1), steps(), Saver(), ("a",)),
            "no steps": lambda: of(cells.GRUCell(1), [], Saver(), "a"),
            "no cell": lambda: of(3, steps(), Saver(), "a"),
        },
    )


def raw(tf, stage):
    cells, of = tf.nn.rnn_cell, tf.nn.raw_rnn
    data = _data(3, 2, 2)

    def stepping(cell, lengths=(3, 3), emits=None, seen=None, state=None, first=None):
        def step(time, output, state_here, loop_state):
            stage.say(output is None, loop_state)
            before = output is None
            ended = time >= tf.constant(lengths)
            value = tf.cond(
                tf.reduce_all(ended),
                lambda: tf.zeros([2, 2]),
                lambda: tf.constant(data)[tf.minimum(time, 2)],
            )
            new = (
                (cell.zero_state(2, tf.float32) if state is None else state)
                if before
                else state_here
            )
            emitted = output
            if emits is not None:
                emitted = emits(output)
            elif before:
                emitted = first
            return ended, value, new, emitted, seen and seen(time, loop_state)

        return step

    def ran(make, **options):
        def run():
            cell = make()
            arrays, state, seen = of(cell, stepping(cell, **options))
            return tf.nest.map_structure(lambda a: a.stack(), arrays), state, seen

        return run

    gru, lstm = lambda: cells.GRUCell(2), lambda: cells.LSTMCell(1)
    pair = lambda y: (  # noqa: E731
        (tf.zeros([2]), tf.zeros([], tf.int32))
        if y is None
        else (y * 2.0, tf.ones([tf.shape(y)[0]], tf.int32))
    )
    _said(
        tf,
        stage,
        {
            "plain": ran(gru),
            "lengths": ran(gru, lengths=(1, 3)),
            "tuple": ran(lstm, lengths=(2, 0)),
            "none": ran(gru, lengths=(0, 0)),
            "emits": ran(gru, emits=pair, lengths=(3, 2)),
            "first": ran(gru, first=tf.zeros([2])),
            "counted": ran(gru, seen=lambda t, s: (t if s is None else s + t,)[0]),
            "counted late": ran(gru, seen=lambda t, s: None if s is None else s + 1),
            "ones": ran(gru, state=tf.ones([2, 2])),
            "wrong state": ran(lstm, state=tf.ones([2, 2])),
            "options": lambda: of(
                gru(), stepping(gru()), parallel_iterations=2, swap_memory=True, scope="own"
            )[1],
            "no cell": lambda: of(3, stepping(gru())),
            "no function": lambda: of(gru(), 3),
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
            lambda: cell.zero_state(2, tf.float32),  # noqa: B023  called here
            lambda: cell.zero_state(tf.constant(2), "float64"),  # noqa: B023
            lambda: cell.get_initial_state(batch_size=2, dtype=tf.int32),  # noqa: B023
        )
    cell = cells.GRUCell(2)
    stage.attempts(
        lambda: cell.get_initial_state(tf.ones([3, 2])),
        lambda: cell.get_initial_state(tf.ones([3, 2]), batch_size=4),
        lambda: cell.get_initial_state(tf.ones([3, 2]), dtype=tf.float64),
        lambda: cell.get_initial_state(batch_size=3),
        lambda: cell.get_initial_state(dtype=tf.float32),
        lambda: cell.get_initial_state(tf.placeholder(tf.float32, [None, 2])),
        lambda: cell.zero_state(2, tf.float32) is cell.zero_state(2, tf.float32),
        lambda: cell.zero_state(-1, tf.float32),
        lambda: cell.zero_state(0, tf.float32).shape,
        lambda: cells.BasicLSTMCell(2, state_is_tuple=False).state_size,
        lambda: cells.LSTMCell(2, num_proj=3, state_is_tuple=False).state_size,
        lambda: cells.LSTMCell(2, num_proj=3).state_size,
        lambda: cells.LSTMCell(2, num_proj=3).output_size,
        lambda: cells.MultiRNNCell([cells.GRUCell(1), cells.LSTMCell(2)]).state_size,
        lambda: cells.MultiRNNCell([cells.GRUCell(1), cells.LSTMCell(2)]).output_size,
        lambda: cells.MultiRNNCell([cells.GRUCell(1)] * 2, False).state_size,
        lambda: cells.MultiRNNCell([cells.GRUCell(1)] * 2).trainable_weights,
        lambda: cells.MultiRNNCell([cells.GRUCell(1)]).zero_state(2, tf.float32),
        lambda: cells.MultiRNNCell([cells.LSTMCell(1)], False),
        lambda: cells.MultiRNNCell(3),
        lambda: cells.MultiRNNCell([3]),
        lambda: cells.LSTMStateTuple(1, 2)._replace(c=3),
    )
    x = tf.ones([2, 3])
    for make in (
        lambda: cells.BasicRNNCell(2, tf.nn.relu, None, "a"),
        lambda: cells.BasicRNNCell(2, "sigmoid"),
        lambda: cells.GRUCell(2, tf.nn.relu),
        lambda: cells.LSTMCell(2, False, 1.0),
        lambda: cells.BasicLSTMCell(2, 0.0, True, None, None),
        lambda: cells.BasicRNNCell(2, 3),
        lambda: cells.BasicRNNCell(2, "none"),
        lambda: cells.GRUCell(2, reuse=True),
        lambda: cells.LSTMCell(2, dtype=tf.float64),
        lambda: cells.GRUCell(2, name="named"),
        lambda: cells.LSTMCell(2, unknown=1),
    ):
        with stage.failing():
            made = make()
            state = made.zero_state(2, tf.float32)
            stage.attempts(
                lambda: made(x, state)[0].name,  # noqa: B023
                lambda: made(x, state)[0].name,  # noqa: B023
                lambda: made(x, state, scope="given")[0].name,  # noqa: B023
                lambda: made(tf.ones([2, 4]), state)[0].name,  # noqa: B023
                lambda: made(x, tf.ones([2, 5]))[0].name,  # noqa: B023
                lambda: made(tf.placeholder(tf.float32, [2, None]), state)[0].shape,  # noqa: B023
            )
            stage.say(made.name, [w.name for w in made.weights], made.dtype, made.built)
            stage.attempt(lambda: made.get_config())  # noqa: B023
