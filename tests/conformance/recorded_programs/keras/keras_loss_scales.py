"""A model whose optimizer scales the loss, by a constant and dynamically."""

import numpy as np

from tests.conformance.recorded_programs.keras._keras import functions_of, trained

TOLERANCE = 2e-4  # for trained weights


def build(tf):
    mixed = tf.keras.mixed_precision.experimental
    x = np.linspace(0, 1, 40).reshape(10, 4).astype(np.float32)
    y = x.sum(1, keepdims=True)
    steps = []
    slots = []
    for scale in (8.0, "dynamic"):
        layers = tf.keras.layers
        model = tf.keras.Sequential(
            [
                layers.Dense(3, activation="tanh", input_shape=(4,)),
                layers.Dense(1, kernel_initializer="ones"),
            ]
        )
        optimizer = mixed.LossScaleOptimizer(tf.keras.optimizers.RMSprop(0.01), scale)
        model.compile(optimizer, "mse")
        functions_of(model)
        slots.append(optimizer.get_slot_names())
        steps.append(("scaled " + str(scale), trained(model, x, y)))
    return {"facts": {"slots": slots, "policy": mixed.global_policy().name}, "steps": steps}
