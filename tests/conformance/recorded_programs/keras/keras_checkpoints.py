"""Weight files: checkpoint names written by save_weights and by Saver, and the result of loading them."""

import os
import tempfile

import numpy as np

from tests.conformance.recorded_programs.keras._keras import data, functions_of

TOLERANCE = 5e-4  # for trained weights


def build(tf):
    keras, layers = tf.keras, tf.keras.layers
    x = keras.Input((4,))
    inner = keras.Sequential([layers.Dense(3, "tanh"), layers.BatchNormalization()], name="inner")
    out = layers.Dense(3, "softmax", name="out")(inner(x))
    model = keras.Model(x, out)
    model.compile(keras.optimizers.Adam(0.01), "sparse_categorical_crossentropy")
    functions_of(model)
    saver = tf.train.Saver(max_to_keep=1)
    tracked = tf.train.Checkpoint(model=model, step=tf.Variable(3, name="step"))
    rows, classes = data(16)

    def files(session):
        operations = session.graph.get_operations()
        session.run([op for op in operations if op.name.endswith("/Assign")])
        model.fit(rows, classes, epochs=1, shuffle=False, verbose=0)
        found = {}
        with tempfile.TemporaryDirectory() as folder:
            model.save_weights(os.path.join(folder, "weights"))
            saver.save(session, os.path.join(folder, "whole"))
            tracked.save(os.path.join(folder, "tracked"), session)
            for name in ("weights", "whole", "tracked-1"):
                path = os.path.join(folder, name)
                found[name] = sorted(map(str, tf.train.list_variables(path)))
            before = model.predict(rows)
            model.set_weights([np.zeros_like(w) for w in model.get_weights()])
            model.load_weights(os.path.join(folder, "weights")).assert_consumed()
            after = model.predict(rows)
            listed = sorted(os.listdir(folder))
        return [found, before, after, listed, model.optimizer.get_weights()]

    facts = {"names": [w.name for w in model.weights + model.optimizer.weights]}
    return {"facts": facts, "steps": [("files", files)]}
