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


def chains(tf, stage):
    of = tf.contrib.crf
    any_, ranked = unknown(tf), unknown(tf, ranked=True)
    unary, pairs, tags = (lambda: tf.constant(_UNARY)), (lambda: tf.constant(_PAIRS)), _TAGS
    lengths = np.array([3, 1, 0], np.int32)
    allowed = np.ones([3, 3, 3], bool)
    allowed[0, 1] = [True, False, True]
    allowed[1, 0] = False

    def with_gradient(function, *given):
        given = [tf.constant(x) for x in given]
        made = function(*given)
        floats = [x for x in given if x.dtype.is_floating]
        return made, tf.gradients(made, floats)

    cases = {
        "score of any one": lambda: of.crf_sequence_score(
            ranked(_UNARY[:, :1]), ranked(tags[:, :1]), ranked(lengths), pairs()
        ),
        "unary of other tags": lambda: of.crf_unary_score(
            tf.constant(tags + 99), tf.constant(lengths), unary()
        ),
        "binary of one": lambda: of.crf_binary_score(tf.constant(tags[:, :1]), lengths, pairs()),
        "binary of any": lambda: of.crf_binary_score(ranked(tags), lengths, ranked(_PAIRS)),
        "norm": lambda: with_gradient(of.crf_log_norm, _UNARY, lengths, _PAIRS),
        "norm of any one": lambda: of.crf_log_norm(ranked(_UNARY[:, :1]), ranked(lengths), pairs()),
        "likelihood, any tags": lambda: of.crf_log_likelihood(
            ranked(_UNARY), tf.constant(tags), tf.constant(lengths)
        ),
        "likelihood, any rank": lambda: of.crf_log_likelihood(
            any_(_UNARY), tf.constant(tags), tf.constant(lengths), pairs()
        ),
        "decoded of any": lambda: of.crf_decode(ranked(_UNARY), pairs(), ranked(lengths)),
        "decoded of none": lambda: of.crf_decode(
            tf.zeros([0, 2, 3]), pairs(), tf.zeros([0], tf.int32)
        ),
    }
    stage.each(cases, graph="sum")


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
    stage.attempts(
        lambda: of.viterbi_decode(_UNARY[0], _PAIRS),
        lambda: of.viterbi_decode(_UNARY[0][:0], _PAIRS),
    )


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
    of, cells = tf.contrib.grid_rnn, tf.nn.rnn_cell
    plain = {
        "line": lambda: of.GridRNNCell(3),
        "no states": lambda: of.GridRNNCell(2, 2, 0, 1, 1, [0, 1], non_recurrent_fn=tf.tanh),
        "of plain cells": lambda: of.GridRNNCell(
            2, 2, 0, [0, 1], cell_fn=lambda n: cells.BasicRNNCell(n, tf.nn.relu)
        ),
        "all side by side": lambda: of.GridRNNCell(
            2, 2, 0, 1, None, 1, False, cells.GRUCell, None, False, False
        ),
        "no output": lambda: of.GridRNNCell(2, 2, 0, output_is_tuple=False),
        "output elsewhere": lambda: of.GridRNNCell(2, 2, 0, [1, -1]),
        "no cell": lambda: of.GridRNNCell(2, cell_fn=lambda n: n),
        "input of three": lambda: of.GridRNNCell(2, 3, [0, 1, 2], 0),
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


def steps_of_grids(tf, stage):
    of, x = tf.contrib.grid_rnn, _X
    with tf.Graph().as_default():
        cell = of.GridRNNCell(2, 2, 0, 1)
        stage.attempts(
            lambda: cell(tf.constant(x), ()),
            lambda: cell(tf.constant(x), cell.zero_state(2, tf.float32)[:1]),
            lambda: cell(tf.placeholder(tf.float32, [2, None]), cell.zero_state(2, tf.float32)),
            lambda: cell(tf.constant(x[0]), cell.zero_state(2, tf.float32)),
            lambda: cell(tf.zeros([2, 0]), cell.zero_state(2, tf.float32))[0],
            lambda: cell(tf.constant(x), cell.zero_state(2, tf.float32), scope="own")[0],
        )
    with tf.Graph().as_default(), tf.Session() as session:
        cell = of.Grid2LSTMCell(2, use_peepholes=True)
        with tf.variable_scope("net", initializer=tf.constant_initializer(0.2)):
            outputs, state = tf.nn.static_rnn(cell, [tf.constant(x)] * 3, dtype=tf.float32)
        session.run(tf.global_variables_initializer())
        stage.say(session.run([outputs, state]))
        stage.brief_graph(names=False)
