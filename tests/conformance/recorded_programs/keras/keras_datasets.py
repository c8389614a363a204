"""Models with several inputs and outputs trained on datasets, with weights and validation datasets."""

import numpy as np

from tests.conformance.recorded_programs.keras._keras import data, functions_of

TOLERANCE = 2e-4  # for trained weights


def build(tf):
    keras = tf.keras

    def two_headed():
        left, right = keras.Input((4,), name="left"), keras.Input((2,), name="right")
        hidden = keras.layers.Dense(5, "relu")(keras.layers.concatenate([left, right]))
        first = keras.layers.Dense(3, "softmax", name="first")(hidden)
        second = keras.layers.Dense(1, name="second")(hidden)
        model = keras.Model([left, right], [first, second])
        model.compile(
            keras.optimizers.Adam(0.05),
            ["sparse_categorical_crossentropy", "mae"],
            metrics={"first": "accuracy", "second": ["mse"]},
            loss_weights=[1.0, 0.3],
        )
        return functions_of(model)

    model, other = two_headed(), two_headed()
    x, y = data(24)
    inputs = {"left": x, "right": x[:, :2]}
    targets = {"first": y, "second": x[:, 2]}
    weights = {"first": x[:, 0], "second": x[:, 1]}
    rows = tf.data.Dataset.from_tensor_slices((inputs, targets)).batch(8)
    weighted = tf.data.Dataset.from_tensor_slices((inputs, targets, weights)).batch(6)

    def start(session):
        operations = session.graph.get_operations()
        session.run([op for op in operations if op.name.endswith("/Assign")])

    def kept(history):
        return {name: np.array(values) for name, values in history.history.items()}

    def whole(session):
        start(session)
        history = model.fit(rows, epochs=3, verbose=0, validation_data=weighted)
        return [kept(history), model.get_weights()]

    def repeated(session):
        start(session)
        history = other.fit(
            weighted.repeat(),
            epochs=3,
            steps_per_epoch=3,
            verbose=0,
            validation_data=rows,
            validation_steps=2,
        )
        return [kept(history), other.get_weights()]

    def asked(session):
        return [
            model.evaluate(rows, verbose=0),
            model.evaluate(weighted, steps=2, verbose=0),
            model.predict(rows),
            model.predict(rows.repeat(), steps=2),
        ]

    return {"steps": [("whole", whole), ("repeated", repeated), ("asked", asked)]}
