"""Callbacks: their calls in order; best weights kept and restored, CSV and weight files."""

import os
import tempfile

import numpy as np

from tests.conformance.recorded_programs.keras._keras import data, functions_of

TOLERANCE = 5e-4  # for trained weights


def build(tf):
    keras, layers = tf.keras, tf.keras.layers
    model = keras.Sequential(
        [layers.Dense(6, activation="relu", input_shape=(4,)), layers.Dense(3, "softmax")]
    )
    model.compile(keras.optimizers.Adam(0.05), "sparse_categorical_crossentropy", metrics=["acc"])
    functions_of(model)
    x, y = data(24)

    class Calls(keras.callbacks.Callback):
        def __init__(self):
            super().__init__()
            self.seen = []

    def noted(name):
        def call(self, *given):
            given = [sorted(g) if isinstance(g, dict) else g for g in given]
            self.seen.append([name] + given)

        return call

    for name in dir(keras.callbacks.Callback):
        if name.startswith("on_"):
            setattr(Calls, name, noted(name))

    def trained(session):
        operations = session.graph.get_operations()
        session.run([op for op in operations if op.name.endswith("/Assign")])
        calls, losses = Calls(), []
        with tempfile.TemporaryDirectory() as folder:
            watching = [
                calls,
                keras.callbacks.CSVLogger(os.path.join(folder, "rows.csv"), separator=";"),
                keras.callbacks.ModelCheckpoint(
                    os.path.join(folder, "w-{epoch:02d}-{acc:.2f}"),
                    save_weights_only=True,
                    period=2,
                ),
                keras.callbacks.ModelCheckpoint(
                    os.path.join(folder, "best"),
                    monitor="val_loss",
                    save_best_only=True,
                    save_weights_only=True,
                ),
                keras.callbacks.LambdaCallback(
                    on_epoch_end=lambda epoch, logs: losses.append(logs["loss"])
                ),
                keras.callbacks.EarlyStopping("val_acc", patience=3, restore_best_weights=True),
                keras.callbacks.TerminateOnNaN(),
            ]
            np.random.seed(3)
            history = model.fit(
                x, y, 10, 8, verbose=0, callbacks=watching, validation_data=(x[:5], y[:5])
            )
            with open(os.path.join(folder, "rows.csv")) as rows:
                heading = rows.readline().strip()
                count = len(rows.readlines())
            files = sorted(os.listdir(folder))
            kept = model.get_weights()
            model.load_weights(os.path.join(folder, "best"))
        return [
            {name: np.array(values) for name, values in history.history.items()},
            [calls.seen, heading, count, files, np.array(losses), history.params["samples"]],
            [kept, model.get_weights(), model.evaluate(x, y, verbose=0)],
        ]

    return {"steps": [("training", trained)]}
