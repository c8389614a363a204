"""A Sequential model of dense layers: compiled, trained, evaluated."""

from tests.conformance.recorded_programs.keras._keras import data, functions_of, trained

TOLERANCE = 2e-4  # of trained weights


def build(tf):
    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [
            layers.Dense(8, activation="relu", input_shape=(4,)),
            layers.Dropout(0.25, seed=3),
            layers.Dense(3, activation="softmax", kernel_regularizer="l2"),
        ]
    )
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    functions_of(model)
    x, y = data()
    return {
        "facts": {
            "names": [w.name for w in model.weights],
            "metrics": model.metrics_names,
            "optimizer": [w.name for w in model.optimizer.weights],
            "config": model.to_json(),
        },
        "steps": [
            ("training", trained(model, x, y, validation_split=0.2)),
            ("evaluation", lambda session: model.evaluate(x, y, verbose=0, batch_size=7)),
        ],
    }
