"""tf.contrib.crf and tf.contrib.grid_rnn: dtypes, one step, empty sequences, unknown shapes; each grid, each option."""

import numpy as np

from tests.conformance.scenes import unknown

_UNARY = np.float32(
    [
        [[1.0, 2.0, 0.5], [0.2, 0.1, 3.0], [1.0, -1.0, 0.3]],
        [[0.0, 0.5, 0.1], [2.0, 0.1, -1.0], [0.4, 0.4, 0.4]],
        [[0.3, 0.3, 0.3], [1.0, 1.0, 1.0], [5.0, 0.0, 0.0]],
    ]
)
_PAIRS = np.float32([[0.1, 1.0, -0.5], [0.3, 0.0, 0.7], [-1.0, 0.4, 0.2]])
_TAGS = np.array([[1, 2, 0], [0, 0, 2], [2, 1, 1]], np.int32)


def chain_cells(tf, stage):
    of = tf.contrib.crf
    pairs = tf.constant(_PAIRS)
    forward, decoding = of.CrfForwardRnnCell(pairs), of.CrfDecodeForwardRnnCell(pairs)
    backward = of.CrfDecodeBackwardRnnCell(3)
    for cell in (forward, decoding, backward, of.CrfForwardRnnCell(unknown(tf, True)(_PAIRS))):
        stage.say(cell.state_size, cell.output_size)
    inputs, state = tf.constant(_UNARY[0]), tf.constant(_UNARY[1])
    made = [
        forward(inputs, state),
        decoding(inputs, state, scope="x"),
        backward(tf.constant(_TAGS), tf.constant([[2], [0], [1]])),
        forward.zero_state(2, tf.float32),
    ]
    stage.say([str(x.shape) for x in tf.nest.flatten(made)])
    with tf.Session() as session:
        stage.say(session.run(made))
    stage.attempts(lambda: of.viterbi_decode(_UNARY[0][:0], _PAIRS))


_X = np.float32([[1.0, -0.5, 0.3, 0.7], [0.2, 2.0, -1.0, 0.1]])


def _stepped(tf, make, steps=2):
    with tf.variable_scope("net", initializer=tf.constant_initializer(0.3)):
        cell = make()
        state = cell.zero_state(2, tf.float32)
        outputs = []
        for step in range(steps):
            if step:
                tf.get_variable_scope().reuse_variables()
            output, state = cell(tf.constant(_X), state)
            outputs.append(output)
    names = [(v.op.name, str(v.shape)) for v in tf.trainable_variables()]
    return outputs, state, str(cell.state_size), str(cell.output_size), names


def _all_stepped(tf, stage, cells):
    stage.each(
        {name: lambda make=make: _stepped(tf, make) for name, make in cells.items()}, graph="sum"
    )


def grids(tf, stage):
    of = tf.contrib.grid_rnn
    plain = {
        "line": lambda: of.GridRNNCell(3),
        "no states": lambda: of.GridRNNCell(2, 2, 0, 1, 1, [0, 1], non_recurrent_fn=tf.tanh),
        "no output": lambda: of.GridRNNCell(2, 2, 0, output_is_tuple=False),
        "output elsewhere": lambda: of.GridRNNCell(2, 2, 0, [1, -1]),
    }

    _all_stepped(tf, stage, plain)


def named_grids(tf, stage):
    of = tf.contrib.grid_rnn
    named = {
        "Grid1BasicRNNCell": [{}, {"state_is_tuple": False, "output_is_tuple": False}],
        "Grid2BasicRNNCell": [
            {},
            {"tied": True, "non_recurrent_fn": tf.tanh, "state_is_tuple": False},
        ],
        "Grid1BasicLSTMCell": [{}, {"forget_bias": 0.25, "output_is_tuple": False}],
        "Grid2BasicLSTMCell": [
            {},
            {"tied": True, "non_recurrent_fn": tf.nn.relu, "forget_bias": 3},
            {"output_is_tuple": False},
        ],
        "Grid1LSTMCell": [{}, {"use_peepholes": True, "forget_bias": 0.0}],
        "Grid2LSTMCell": [
            {},
            {"tied": True, "use_peepholes": True, "forget_bias": 0.5},
            {"non_recurrent_fn": tf.identity, "output_is_tuple": False},
        ],
        "Grid3LSTMCell": [
            {},
            {"tied": True, "use_peepholes": True, "forget_bias": 2.0},
            {"non_recurrent_fn": tf.sigmoid, "output_is_tuple": False},
        ],
        "Grid2GRUCell": [
            {},
            {"tied": True, "non_recurrent_fn": tf.tanh},
            {"state_is_tuple": False, "output_is_tuple": False},
        ],
    }
    made = {}
    for name, options in named.items():
        for given in options:
            made[f"{name} {sorted(given)}"] = lambda name=name, given=given: getattr(of, name)(
                2, **given
            )
    _all_stepped(tf, stage, made)
