"""Every initializer, regularizer and constraint, by name and as objects, on one model that is trained."""

import numpy as np

from tests.conformance.recorded_programs.keras._keras import functions_of, trained

TOLERANCE = 5e-4  # of trained weights


def build(tf):
    keras, layers = tf.keras, tf.keras.layers
    initializers, constraints = keras.initializers, keras.constraints
    regularizers = keras.regularizers
    starts = [
        *("zeros", "ones", "glorot_uniform", "glorot_normal", "he_normal", "he_uniform"),
        *("lecun_normal", "lecun_uniform", "random_normal", "random_uniform", "uniform", "normal"),
        *("truncated_normal", "identity"),
        initializers.RandomNormal(0.5, 0.1, seed=1),
        initializers.RandomUniform(-0.2, 0.2, seed=2),
        initializers.TruncatedNormal(stddev=0.3, seed=3),
        initializers.VarianceScaling(2.0, "fan_avg", "uniform", seed=4),
        initializers.VarianceScaling(1.0, "fan_out", "untruncated_normal", seed=5),
        initializers.Constant(0.3),
        initializers.he_normal(seed=6),
    ]
    kept = [
        None,
        "max_norm",
        "non_neg",
        "unit_norm",
        constraints.MaxNorm(0.5, axis=1),
        constraints.MinMaxNorm(0.1, 0.5, 0.9),
        constraints.UnitNorm(axis=1),
    ]
    small = [None, "l1", "l2", regularizers.l1_l2(0.01, 0.02), regularizers.l2(0.05)]
    x = keras.Input((3,))
    y = x
    parts = []
    for number, start in enumerate(starts):
        dense = layers.Dense(
            3,
            kernel_initializer=start,
            bias_initializer="ones" if number % 2 else "zeros",
            kernel_constraint=kept[number % len(kept)],
            bias_constraint=kept[(number + 2) % 4] if number % 3 == 0 else None,
            kernel_regularizer=small[number % len(small)],
            bias_regularizer=small[(number + 1) % len(small)],
            activity_regularizer=small[(number + 3) % len(small)] if number % 4 == 0 else None,
        )
        parts.append(dense(y if number % 5 else x))
        y = parts[-1]
    out = layers.add(parts)
    out = layers.Dense(2, kernel_initializer=initializers.Orthogonal(0.9, seed=7))(out)
    model = keras.Model(x, out)
    model.compile(keras.optimizers.SGD(0.01), "mse")
    functions_of(model)
    draw = np.random.RandomState(6)
    fit = trained(model, draw.rand(10, 3), draw.rand(10, 2), batch_size=5)
    facts = {
        "losses": [loss.name for loss in model.losses],
        "configs": [layer.get_config() for layer in model.layers],
    }
    return {"facts": facts, "steps": [("training", fit)]}
