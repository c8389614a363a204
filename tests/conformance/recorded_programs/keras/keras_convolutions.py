"""An image model: convolutions, pools, fused and unfused batch normalization, a learning phase."""

import numpy as np

from tests.conformance.recorded_programs.keras._keras import functions_of, trained

TOLERANCE = 5e-4  # for trained weights


def build(tf):
    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [
            layers.Conv2D(4, 3, padding="same", use_bias=False, input_shape=(8, 8, 1)),
            layers.BatchNormalization(),
            layers.Activation("relu"),
            layers.MaxPooling2D(),
            layers.Conv2D(6, (3, 2), strides=2, use_bias=False, kernel_constraint="non_neg"),
            layers.AveragePooling2D(1),
            layers.Flatten(),
            layers.BatchNormalization(momentum=0.9),
            layers.Dense(3),
        ]
    )
    model.compile(tf.keras.optimizers.SGD(0.1), "mse", metrics=["mae"])
    functions_of(model)
    draw = np.random.RandomState(1)
    x, y = draw.rand(12, 8, 8, 1), draw.rand(12, 3)
    return {
        "facts": {
            "updates": [u.name for u in model.updates],
            "trained": [w.name for w in model.trainable_weights],
            "fixed": [w.name for w in model.non_trainable_weights],
            "config": model.to_json(),
        },
        "steps": [("training", trained(model, x, y))],
    }
