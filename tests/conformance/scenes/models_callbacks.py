"""Keras callbacks: printed and written output, reuse, every option."""

import contextlib
import io
import os
import re

import numpy as np

from tests.conformance.scenes import in_own_graph

_X = np.arange(8, dtype=np.float32).reshape(4, 2) / 10
_Y = _X[:, :1]


def _compiled(tf, rate=0.1, metrics=()):
    half = tf.keras.initializers.Constant(0.5)
    layer = tf.keras.layers.Dense(1, kernel_initializer=half, input_shape=(2,), name="dense")
    model = tf.keras.Sequential([layer])
    model.compile(tf.keras.optimizers.SGD(rate), "mse", metrics=list(metrics))
    return model


def _fit(model, *callbacks, **options):
    given = {"epochs": 2, "batch_size": 2, "shuffle": False, "verbose": 0, **options}
    return model.fit(_X, _Y, callbacks=list(callbacks), **given)


@contextlib.contextmanager
def _printed(stage):
    """Records a block's printed output, without times."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        yield
    for line in text.getvalue().split("\n"):
        line = line.replace("\b", "").replace("\r", "\n")
        for part in line.split("\n"):
            stage.say(re.sub(r" - (ETA: )?[\d.]+m?u?s(/\w+)?| [\d.]+m?u?s/\w+", "", part).strip())


def _written(tf, stage, folder):
    """Records the contents of event files below a folder."""
    tf.summary.FileWriterCache.clear()
    for place, _, names in sorted(os.walk(folder)):
        stage.say(os.path.relpath(place, folder), sorted(n for n in names if "tfevents" not in n))
        found = []
        for name in names:
            if "tfevents" in name:
                for event in tf.train.summary_iterator(os.path.join(place, name)):
                    found.append((event.step, event.WhichOneof("what"), ""))
                    found += [
                        (event.step, value.tag, value.WhichOneof("value"))
                        for value in event.summary.value
                    ]
        for row in sorted(found):
            stage.say(*row)


@in_own_graph
def newer_boards(tf, stage):
    make = tf.compat.v2.keras.callbacks.TensorBoard
    for number, options in enumerate(
        (
            {},
            {"update_freq": "batch", "write_graph": False},
            {"update_freq": 2, "histogram_freq": 2, "write_images": True},
            {"write_grads": True, "embeddings_layer_names": ["e"], "batch_size": 3},
            {"other": 1},
        )
    ):
        folder = f"{stage.folder}/{number}"
        stage.say(number)
        with tf.Graph().as_default(), stage.failing():
            board = make(folder, profile_batch=0, **options)
            model = _compiled(tf, metrics=["mae"])
            _fit(model, board, validation_data=(_X, _Y))
        if os.path.isdir(folder):
            _written(tf, stage, folder)
