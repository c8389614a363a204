"""A recurrent network with peephole connections."""

import numpy as np

from tests.conformance.recorded_programs.keras import _keras


def build(tf):
    tf.set_random_seed(3)
    layers = tf.keras.layers
    cells = [tf.keras.experimental.PeepholeLSTMCell(3, implementation=i) for i in (1, 2)]
    model = tf.keras.Sequential([layers.RNN(cells, input_shape=(4, 2)), layers.Dense(2)])
    model.compile("sgd", "mse")
    _keras.functions_of(model)
    draw = np.random.RandomState(0)
    training = _keras.trained(model, draw.rand(16, 4, 2), draw.rand(16, 2))
    return {
        "facts": {"names": [w.name for w in model.weights], "config": model.to_json()},
        "steps": [("training", training)],
    }
