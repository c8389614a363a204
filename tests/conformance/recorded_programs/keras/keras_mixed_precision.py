"""Layers that compute in float16 with float32 weights, by per-layer and global policies."""

import numpy as np

from tests.conformance.recorded_programs.keras._keras import functions_of, trained

TOLERANCE = 2e-3  # of float16
TOLERANCE_ON_CARDS = 1e-2  # another summation order of float16 products


def build(tf):
    mixed, layers = tf.keras.mixed_precision.experimental, tf.keras.layers
    x = np.linspace(0, 1, 48).reshape(12, 4).astype(np.float32)
    y = x.sum(1, keepdims=True)
    facts, steps = {}, []

    def halves(rows):
        return layers.Lambda(lambda t: tf.cast(t, tf.float16))(rows)

    def functional(policy):
        rows = tf.keras.Input((4,))
        hidden = layers.Dense(3, activation="tanh", use_bias=False, dtype=policy)(halves(rows))
        hidden = layers.BatchNormalization(dtype=policy)(hidden)
        hidden = layers.GRU(2, dtype=policy)(layers.Reshape((3, 1))(hidden))
        return tf.keras.Model(rows, layers.Dense(1, dtype=policy)(hidden))

    class Net(tf.keras.Model):
        def __init__(self, policy):
            super().__init__(dtype=policy)
            self.last = layers.Dense(1, dtype=policy, kernel_initializer="zeros")

        def call(self, rows):
            return self.last(tf.cast(rows, tf.float16))

    def added(name, model):
        if not model.inputs:
            model._set_inputs(x)
        model.compile("sgd", "mse")
        functions_of(model)
        weights = [(w.name, w.dtype.name, type(w).__name__) for w in model.weights]
        kinds = (model.outputs[0].dtype.name, type(model.optimizer).__name__)
        facts[name] = [weights, kinds]
        steps.append((name, trained(model, x, y)))

    added("own policies", functional(mixed.Policy("mixed_float16")))
    mixed.set_policy("infer_float32_vars")
    added("one of all layers", functional(None))
    mixed.set_policy(None)
    added("a loss scale", Net(mixed.Policy("mixed_float16", loss_scale=4.0)))
    return {"facts": facts, "steps": steps}
