"""cuDNN RNN functions and parameter buffer classes, on the strict fake, against the equations."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.gpu.gpus import fake_gpus
from tests.support.oracles.recurrent_equations import Direction, Net
from tfmini._src.contrib.cudnn_rnn import cudnn_rnn_ops, models
from tfmini._src.programs.hook import object_lookup

pytestmark = pytest.mark.usefixtures("gpu_environment")

TIME, BATCH, SIZE, UNITS = 4, 2, 3, 5
RANDOM = np.random.RandomState(5)
X = RANDOM.randn(TIME, BATCH, SIZE)
H, C = RANDOM.randn(2, 1, BATCH, UNITS)


def run(fetches):
    with fake_gpus(devices=1), tf.Session() as session:
        return session.run(fetches)


def parts(gates):
    """Input and state matrices, then biases, gate by gate."""
    widths = [SIZE] * gates + [UNITS] * gates
    weights = [RANDOM.randn(UNITS, width) for width in widths]
    return weights, [RANDOM.randn(UNITS) for _ in widths]


def equations(mode, gates, weights, biases):
    direction = Direction(weights[:gates], weights[gates:], biases[:gates], biases[gates:])
    return Net(mode, [direction]).forward(X, H, C, np.full(BATCH, TIME))


@pytest.mark.parametrize("mode", ["gru", "rnn_tanh", "rnn_relu"])
def test_single_state_rnns(mode):
    name = {"gru": "GRU", "rnn_tanh": "RNNTanh", "rnn_relu": "RNNRelu"}[mode]
    model = getattr(models, f"Cudnn{name}")(1, UNITS, SIZE, dtype=tf.float64)
    gates = 3 if mode == "gru" else 1
    assert model._NUM_PARAMS_PER_LAYER == 2 * gates  # lingvo reads it
    weights, biases = parts(gates)
    params = model.canonical_to_params(weights, biases)
    inputs = tf.constant(X), tf.constant(H), params
    function = getattr(cudnn_rnn_ops, f"cudnn_{mode}")
    result = run([*model(*inputs), *function(*inputs, is_training=False)])
    expected = equations(mode, gates, weights, biases)[:2]
    for actual, value in zip(result, [*expected, *expected]):
        np.testing.assert_allclose(actual, value, rtol=1e-9, atol=1e-12)


def test_lstm():
    model = models.CudnnLSTM(1, UNITS, SIZE, dtype=tf.float64)
    weights, biases = parts(4)
    params = model.canonical_to_params(weights, biases)
    repeated = model.params_to_canonical(params)
    outputs = model(X, tf.constant(H), tf.constant(C), params)
    size, result, back = run([model.params_size(), outputs, repeated])
    assert size == sum(value.size for value in weights + biases)
    for actual, value in zip(result, equations("lstm", 4, weights, biases)):
        np.testing.assert_allclose(actual, value, rtol=1e-9, atol=1e-12)
    for actual, value in zip(back[0] + back[1], weights + biases):
        np.testing.assert_array_equal(actual, value)


def test_classes_are_found_in_tensorflow_modules():
    path = "contrib.cudnn_rnn.python.ops.cudnn_rnn_ops"
    assert object_lookup.find(path, "cudnn_lstm") is cudnn_rnn_ops.cudnn_lstm
    assert object_lookup.find(path, "CudnnGRU") is models.CudnnGRU  # not the layer
    assert object_lookup.find(path, "CudnnGRUSaveable") is tf.contrib.cudnn_rnn.CudnnGRUSaveable
