"""CuDNNLSTM and CuDNNGRU on the strict fake, against the equations."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.gpu.gpus import fake_gpus
from tests.support.oracles.recurrent_equations import Direction, Net

X = np.random.RandomState(0).randn(2, 4, 3).astype("f")


@pytest.mark.parametrize("kind, order", [("LSTM", (0, 1, 2, 3)), ("GRU", (1, 0, 2))])
def test_outputs(kind, order, gpu_environment):
    start = tf.random_normal_initializer(seed=1)
    layer_class = getattr(tf.keras.layers, f"CuDNN{kind}")
    layer = layer_class(5, return_sequences=True, return_state=True, bias_initializer=start)
    outputs, *states = layer(tf.constant(X))
    with fake_gpus(devices=1), tf.Session() as session:
        session.run(tf.global_variables_initializer())
        result, weights = session.run([[outputs, *states], layer.weights])

    def by_gate(matrix):
        """A gate's columns, row by row, are cuDNN's matrix [units, width], row by row."""
        parts = np.split(matrix, len(order), axis=1)
        return [parts[gate].reshape(5, -1) for gate in order]

    biases = [np.split(half, len(order)) for half in np.split(weights[2], 2)]
    of_x, of_h = ([half[gate] for gate in order] for half in biases)
    direction = Direction(by_gate(weights[0]), by_gate(weights[1]), of_x, of_h)
    zeros = np.zeros((1, 2, 5))
    y, h, c = Net(kind.lower(), [direction]).forward(X.swapaxes(0, 1), zeros, zeros, np.full(2, 4))
    expected = [y.swapaxes(0, 1), h[0]] + ([c[0]] if kind == "LSTM" else [])
    for actual, value in zip(result, expected, strict=True):
        np.testing.assert_allclose(actual, value, rtol=1e-4, atol=1e-6)
