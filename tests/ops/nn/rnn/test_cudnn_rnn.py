"""cuDNN RNNs on the strict fake: gradients, dropout, reserved memory, capture, errors."""

import numpy as np
import pytest

import tfmini as tf
from tests.support import fake_cupy
from tests.support.gpu.gpus import fake_gpus
from tests.support.oracles.numeric_gradient import check
from tfmini._src.graph.opdef import raw

pytestmark = pytest.mark.usefixtures("gpu")

INPUTS, UNITS, BATCH, TIME = 2, 2, 2, 3


def size_of(gates, layers=1, directions=1, projected=None, units=UNITS, inputs=INPUTS):
    state = projected or units
    widths = [inputs, *[state * directions] * (layers - 1)]
    one = sum(gates * units * (width + state + 2) for width in widths)
    return directions * (one + layers * (units * state if projected else 0))


def values(*shapes):
    random = np.random.RandomState(1)
    return [random.randn(*shape) * 0.7 for shape in shapes]


def test_gradients():
    """First version: two layers, both directions; second: a GRU; third: lengths, batch-major, a projection."""
    both = {"direction": "bidirectional"}
    states = [(4, BATCH, 1)] * 2
    given = values((TIME, BATCH, 1), *states, (size_of(4, 2, 2, units=1, inputs=1),))
    check(lambda *inputs: raw.CudnnRNN(*inputs, **both)[:3], given)
    given = values((TIME, BATCH, INPUTS), (1, BATCH, UNITS), (size_of(3),))
    for mode, gates in (("gru", 3), ("rnn_tanh", 1), ("rnn_relu", 1)):
        given[2] = given[2][: size_of(gates)]
        check(lambda x, h, p: raw.CudnnRNNV2(x, h, [], p, rnn_mode=mode)[:2], given)  # noqa: B023
    given = values((BATCH, TIME, INPUTS), (BATCH, 1, 1), (BATCH, 1, UNITS), (size_of(4, 1, 1, 1),))
    options = {"time_major": False, "num_proj": 1}
    check(lambda *inputs: raw.CudnnRNNV3(*inputs, [3, 1], **options)[:3], given)


def net(**attrs):
    x, h, c, params = values((TIME, BATCH, INPUTS), *[(2, BATCH, UNITS)] * 2, (size_of(4, 2),))
    x = tf.constant(x)
    return x, raw.CudnnRNN(x, h, c, params, **attrs)


def test_dropout_redraws_only_in_training():
    _, trained = net(dropout=0.5, seed=3)
    _, asked = net(dropout=0.5, seed=3, is_training=False)
    _, whole = net()
    with tf.Session() as session:
        runs = [session.run(trained[0]) for _ in range(4)]
        assert any((run != runs[0]).any() for run in runs[1:])
        np.testing.assert_array_equal(*session.run([asked[0], whole[0]]))


def test_two_gradients_in_one_run():
    x, outputs = net()
    first, second = tf.gradients(outputs[0], x)[0], tf.gradients(2.0 * outputs[0], x)[0]
    with tf.Session() as session:
        one, two = session.run([first, second])
    np.testing.assert_allclose(2 * one, two)


def test_training_step_is_captured(gpu):
    x, h, c, params = values((TIME, BATCH, INPUTS), *[(1, BATCH, UNITS)] * 2, (size_of(4),))
    given, variable = tf.placeholder(tf.float64, x.shape), tf.Variable(params)
    loss = tf.reduce_sum(raw.CudnnRNNV2(given, h, c, variable, dropout=0.5)[0])
    step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    with tf.Session() as session:
        session.run(variable.initializer)
        for _ in range(6):
            gpu.counters.reset()
            session.run(step, {given: x})
        assert dict(gpu.counters.launch_names) == {"graph": 1}


@pytest.mark.parametrize(
    "change, message",
    [
        ({"x": np.zeros((3, 2))}, "input must have 3 axes"),
        ({"h": np.zeros((1, 3, 2))}, r"input_h must have the shape \[layers \* 1, 2, 2\]"),
        ({"c": np.zeros((2, 2, 2))}, "input_c and input_h differ in shape"),
        ({"params": np.zeros(47)}, "params must have 48 elements, has 47"),
        ({"lengths": [3]}, "sequence_lengths must have one element for each of 2"),
        ({"lengths": [4, 1]}, "sequence_lengths must be between 0 and 3, the number"),
        ({"rnn_mode": "gru", "num_proj": 1, "h": np.zeros((1, 2, 1))}, "num_proj requires an LSTM"),
        ({"input_mode": "skip_input", "x": np.zeros((3, 2, 3))}, "as many inputs as units"),
        ({"dropout": 1.5}, "dropout must be between 0 and 1"),
    ],
)
def test_invalid_arguments(change, message):
    x, h, c = np.zeros((3, 2, 2)), np.zeros((1, 2, 2)), np.zeros((1, 2, 2))
    given = {"x": x, "h": h, "c": c, "params": np.zeros(48), "lengths": [3, 1], **change}
    inputs = [given.pop(name) for name in ("x", "h", "c", "params", "lengths")]
    feed = {tf.placeholder(tf.float64): value for value in inputs[:4]}
    outputs = raw.CudnnRNNV3(*feed, inputs[4], **given)
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match=message):
        session.run(outputs[0], feed)


@pytest.mark.parametrize(
    "library, message",
    [
        (lambda: None, "cuDNN was not found.*pip install nvidia-cudnn-cu12"),
        (
            lambda: fake_cupy.cudnn.Library(7605),
            "cuDNN cannot be used: cuDNN 7.6.5 is older than 8.1, the minimum version",
        ),
    ],
)
def test_missing_or_old_cudnn(library, message):
    _, outputs = net()
    with fake_gpus(devices=1, cudnn=library), tf.Session() as session:
        with pytest.raises(tf.errors.FailedPreconditionError, match=message):
            session.run(outputs[0])
