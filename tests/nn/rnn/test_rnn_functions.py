"""Unrolling functions against numpy, and their gradients against differences."""

import functools

import numpy as np
import pytest

import tfmini as tf
from tests.support.oracles import numeric_gradient
from tfmini._src.base.names import deprecation

BATCH, TIME, DEPTH, UNITS = 3, 4, 2, 2
RANDOM = np.random.RandomState(0)
X = RANDOM.normal(size=[BATCH, TIME, DEPTH])
W = RANDOM.normal(size=[DEPTH + UNITS, UNITS])
START = RANDOM.normal(size=[BATCH, UNITS])
LENGTHS = [4, 1, 0]


class Cell(tf.nn.rnn_cell.RNNCell):
    """tanh([x, state] w); the output is twice the state."""

    state_size = output_size = UNITS

    def __init__(self, weights):
        super().__init__()
        self.kernel = weights

    def call(self, inputs, state):
        state = tf.tanh(tf.matmul(tf.concat([inputs, state], 1), self.kernel))
        return state * 2.0, state


def reference(x, w, state, lengths=None):
    """The results of `Cell` for x [batch, time, depth]: outputs [batch, time, units] and the last state."""
    outputs = np.zeros([*x.shape[:2], UNITS])
    state = state.copy()
    for row in range(len(x)):
        for time in range(x.shape[1] if lengths is None else max(lengths[row], 0)):
            state[row] = np.tanh(np.concatenate([x[row, time], state[row]]) @ w)
            outputs[row, time] = state[row] * 2
    return outputs, state


def static(x, w, start, lengths):
    cell = Cell(w)
    outputs, state = tf.nn.static_rnn(cell, tf.unstack(x, axis=1), start, None, lengths)
    return tf.stack(outputs, 1), state


def dynamic(x, w, start, lengths):
    return tf.nn.dynamic_rnn(Cell(w), x, lengths, start)


def time_major(x, w, start, lengths):
    x = tf.transpose(x, [1, 0, 2])
    outputs, state = tf.nn.dynamic_rnn(Cell(w), x, lengths, start, time_major=True)
    return tf.transpose(outputs, [1, 0, 2]), state


def raw(x, w, start, lengths):
    lengths = tf.constant([TIME] * BATCH if lengths is None else lengths)
    inputs = tf.TensorArray(x.dtype, TIME, clear_after_read=False).unstack(
        tf.transpose(x, [1, 0, 2])
    )

    def step(time, output, state, loop_state):
        value = inputs.read(tf.minimum(time, TIME - 1))
        value.set_shape([BATCH, DEPTH])
        return time >= lengths, value, start if output is None else state, output, None

    outputs, state, _ = tf.nn.raw_rnn(Cell(w), step)
    return tf.transpose(outputs.stack(), [1, 0, 2]), state


def bidirectional(x, w, start, lengths):
    outputs, states = tf.nn.bidirectional_dynamic_rnn(
        Cell(w), Cell(w * 0.5), x, lengths, start, start * 0.5
    )
    return tf.concat(outputs, 2), tf.concat(states, 1)


def bidirectional_reference(x, w, start, lengths):
    ends = [x.shape[1]] * len(x) if lengths is None else lengths
    backwards, again = x.copy(), None
    for row, end in enumerate(ends):
        backwards[row, :end] = x[row, :end][::-1]
    forward = reference(x, w, start, lengths)
    again = reference(backwards, w * 0.5, start * 0.5, lengths)
    for row, end in enumerate(ends):
        again[0][row, :end] = again[0][row, :end][::-1].copy()
    return np.concatenate([forward[0], again[0]], 2), np.concatenate([forward[1], again[1]], 1)


WAYS = [static, dynamic, time_major, raw, bidirectional]


@pytest.mark.parametrize("lengths", [None, LENGTHS], ids=["whole", "lengths"])
@pytest.mark.parametrize("way", WAYS)
def test_outputs_and_final_state(way, lengths):
    expected = (bidirectional_reference if way is bidirectional else reference)(
        X, W, START, lengths
    )
    with tf.Graph().as_default(), tf.Session() as session:
        outputs, state = session.run(
            way(tf.constant(X), tf.constant(W), tf.constant(START), lengths)
        )
    np.testing.assert_allclose(outputs, expected[0], 1e-12)
    np.testing.assert_allclose(state, expected[1], 1e-12)


@pytest.mark.parametrize("lengths", [None, LENGTHS], ids=["whole", "lengths"])
@pytest.mark.parametrize("way", WAYS)
def test_gradients(way, lengths):
    numeric_gradient.check(lambda x, w, start: list(way(x, w, start, lengths)), [X, W, START])


@pytest.mark.parametrize("way", [static, dynamic, time_major, raw])
def test_out_of_range_lengths_are_clipped(way):
    """Negative lengths count as zero, excessive ones as the maximum."""
    lengths = [-2, 9, 2]
    expected = reference(X, W, START, np.minimum(lengths, TIME))
    if way is raw:
        lengths = [-2, TIME, 2]  # it continues as long as requested
    with tf.Graph().as_default(), tf.Session() as session:
        outputs, state = session.run(
            way(tf.constant(X), tf.constant(W), tf.constant(START), lengths)
        )
    np.testing.assert_allclose(outputs, expected[0], 1e-12)
    np.testing.assert_allclose(state, expected[1], 1e-12)


def test_zero_steps_return_initial_state():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float64, [BATCH, None, DEPTH])
        outputs, state = tf.nn.dynamic_rnn(
            Cell(tf.constant(W)), x, initial_state=tf.constant(START)
        )
        np.testing.assert_array_equal(session.run(state, {x: X[:, :0]}), START)
        actual = session.run(outputs, {x: X[:, :1]})
    np.testing.assert_allclose(actual, reference(X[:, :1], W, START)[0], 1e-12)


def test_one_plan_serves_any_step_count():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float64, [None, None, DEPTH])
        start = tf.placeholder(tf.float64, [None, UNITS])
        created = tf.nn.dynamic_rnn(Cell(tf.constant(W)), x, initial_state=start)
        for rows, steps in [(1, 1), (3, 4), (2, 3)]:
            feed = {x: X[:rows, :steps], start: START[:rows]}
            outputs, state = session.run(created, feed)
            expected = reference(X[:rows, :steps], W, START[:rows])
            np.testing.assert_allclose(outputs, expected[0], 1e-12)
            np.testing.assert_allclose(state, expected[1], 1e-12)


def test_state_is_fed_and_fetched():
    """Single steps with a caller-carried state return the same as all steps at once."""
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float64, [BATCH, None, DEPTH])
        cell = tf.nn.rnn_cell.MultiRNNCell(
            [tf.nn.rnn_cell.LSTMCell(3), tf.nn.rnn_cell.GRUCell(UNITS)]
        )
        first = cell.zero_state(BATCH, tf.float64)
        outputs = tf.nn.dynamic_rnn(cell, x, initial_state=first)
        session.run(tf.global_variables_initializer())
        whole = session.run(outputs, {x: X})
        state = session.run(first)
        for time in range(TIME):
            output, state = session.run(outputs, {x: X[:, time : time + 1], first: state})
            np.testing.assert_allclose(output[:, 0], whole[0][:, time], 1e-12)
        for actual, expected in zip(tf.nest.flatten(state), tf.nest.flatten(whole[1])):
            np.testing.assert_allclose(actual, expected, 1e-12)


INSTEAD = {
    "bidirectional_dynamic_rnn": "Bidirectional(keras.layers.RNN(cell))",
    "dynamic_rnn": "RNN(cell)",
    "static_bidirectional_rnn": "Bidirectional(keras.layers.RNN(cell, unroll=True))",
    "static_rnn": "RNN(cell, unroll=True)",
    "static_state_saving_rnn": "RNN(cell, stateful=True)",
}


LACKING = "\n(tfmini does not implement tf.keras; keep using the deprecated name.)"


@pytest.mark.parametrize("name", INSTEAD)
def test_deprecation_warns_once_at_calling_line(name, caplog, monkeypatch):
    monkeypatch.setattr(deprecation, "_warned", set())
    function = getattr(tf.nn, name)
    text = r"^The argument 'cell(_fw)?' \(None\) is not an RNNCell|has no attribute 'state_size'$"
    refused = functools.partial(pytest.raises, (TypeError, AttributeError), match=text)
    with caplog.at_level("WARNING", logger="tensorflow"), refused():
        function(*[None] * 4)
    with refused():
        function(*[None] * 4)
    place = f"{__file__}:{test_deprecation_warns_once_at_calling_line.__code__.co_firstlineno + 7}"
    (message,) = caplog.messages
    assert message.removesuffix(LACKING) == (
        f"From {place}: tf.nn.{name} is deprecated and will be removed in a "
        "future version.\nInstructions for updating:\n"
        f"Please use `keras.layers.{INSTEAD[name]}`, which is equivalent to this API"
    )


def test_raw_rnn_is_not_deprecated():
    assert "DEPRECATED" not in tf.nn.raw_rnn.__doc__
