"""Training on generators and Sequences, with weights, all kinds of validation data, and callback learning rates."""

import random

import numpy as np

from tests.conformance.recorded_programs.keras._keras import data, functions_of

TOLERANCE = 2e-4  # for trained weights


def build(tf):
    keras = tf.keras
    models = []
    for _ in range(2):
        model = keras.Sequential(
            [
                keras.layers.Dense(5, activation="tanh", input_dim=4),
                keras.layers.Dense(3, activation="softmax"),
            ]
        )
        model.compile("adagrad", "sparse_categorical_crossentropy", metrics=["acc"])
        models.append(functions_of(model))
    model, weighted = models
    x, y = data(30)
    weights = np.linspace(0.5, 1.5, 30).astype(np.float32)

    def batches(size, weighted=False):
        while True:
            for start in range(0, 30, size):
                rows = slice(start, start + size)
                yield (x[rows], y[rows], weights[rows]) if weighted else (x[rows], y[rows])

    class Rows(keras.utils.Sequence):
        def __init__(self, size):
            self.size = size

        def __len__(self):
            return -(-30 // self.size)

        def __getitem__(self, index):
            rows = slice(index * self.size, (index + 1) * self.size)
            return x[rows], y[rows]

    def start(session):
        operations = session.graph.get_operations()
        session.run([op for op in operations if op.name.endswith("/Assign")])

    def kept(history):
        return {name: np.array(values) for name, values in history.history.items()}

    def by_generator(session):
        start(session)
        history = weighted.fit_generator(
            batches(6, True),
            5,
            3,
            verbose=0,
            validation_data=Rows(10),
            class_weight={0: 1.0, 1: 3.0, 2: 0.5},
        )
        return [kept(history), weighted.get_weights()]

    def by_sequence(session):
        start(session)
        random.seed(4)
        history = model.fit_generator(Rows(7), epochs=3, verbose=0, validation_data=Rows(15))
        return [kept(history), history.epoch, model.get_weights()]

    def by_fit(session):
        start(session)
        history = model.fit(
            batches(6),
            steps_per_epoch=4,
            epochs=4,
            initial_epoch=1,
            verbose=0,
            validation_data=(x[:8], y[:8]),
            validation_freq=2,
        )
        return [kept(history), history.epoch, model.get_weights()]

    def asked(session):
        return [
            weighted.evaluate_generator(batches(10, True), 3),
            model.predict_generator(Rows(8)),
            model.predict(batches(10), steps=2),
            model.evaluate(Rows(9), verbose=0),
        ]

    steps = [("generator", by_generator), ("sequence", by_sequence), ("fit", by_fit)]
    return {"steps": steps + [("asked", asked)]}
