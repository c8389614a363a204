"""Writes tests/golden/saved_models with TensorFlow 1.15.5 in v2 behavior; run by `ci/record second_models`.

What `tf.saved_model.save` leaves there: all that a signature computes, and restoring, are functions which nodes of the
graph call, with loops and branches that are functions too.
"""

import json
import os
import tempfile

import numpy as np
import tensorflow as tf

from tests.support import goldens
from tests.support.programs import recording

PATH = goldens.golden_path("saved_models", "second.tar.xz")
FEEDS = {
    "loops": {"x": np.array([[1.0, 2.0, -1.0], [0.5, 0.0, 3.0]], "f"), "n": np.int32(7)},
    "recurrent": {"rows": np.sin(np.arange(30, dtype="f")).reshape(2, 5, 3)},
}


class Loops(tf.Module):
    """Python control flow converted to loops and branches by AutoGraph; a table of words."""

    def __init__(self):
        super().__init__()
        self.w = tf.Variable(np.arange(6, dtype="f").reshape(3, 2) / 6)
        self.b = tf.Variable([0.1, 0.2])
        self.words = tf.constant(["even", "odd"])

    @tf.function(
        input_signature=[tf.TensorSpec([None, 3], tf.float32), tf.TensorSpec([], tf.int32)]
    )
    def __call__(self, x, n):
        y = tf.zeros([tf.shape(x)[0], 2])
        for i in tf.range(n):
            if tf.reduce_sum(y) > 4.0:
                y = y * 0.5
            else:
                y = y + tf.matmul(x, self.w) + self.b * tf.cast(i, tf.float32)
        return {"y": y, "word": tf.gather(self.words, n % 2)}


def recurrent():
    start = tf.keras.initializers.constant
    rows = tf.keras.Input((5, 3), name="rows")
    cells = tf.keras.layers.LSTM(
        4, kernel_initializer=start(0.1), recurrent_initializer=start(-0.2), name="cells"
    )
    out = tf.keras.layers.Dense(2, "relu", kernel_initializer=start(0.3), name="out")
    return tf.keras.Model(rows, out(cells(rows)))


def write():
    tf.compat.v1.enable_v2_behavior()
    loops, model = Loops(), recurrent()
    values = {
        "loops": dict(
            sorted(loops(**{k: tf.constant(v) for k, v in FEEDS["loops"].items()}).items())
        ),
        "recurrent": {"out": model(FEEDS["recurrent"]["rows"])},
    }
    with tempfile.TemporaryDirectory() as folder:
        tf.saved_model.save(loops, os.path.join(folder, "loops"), signatures=loops.__call__)
        tf.saved_model.save(model, os.path.join(folder, "recurrent"))
        rows = {
            name: {
                part: {key: recording.plain(np.asarray(value)) for key, value in values_of.items()}
                for part, values_of in (("feeds", FEEDS[name]), ("values", created))
            }
            for name, created in values.items()
        }
        with open(os.path.join(folder, "values.json"), "w") as file:
            json.dump(rows, file)
        goldens.write_files(PATH, goldens.folder_files(folder))
