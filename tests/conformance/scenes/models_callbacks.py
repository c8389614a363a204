"""Callbacks of Keras: what they print and write, used twice, with every option."""

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
    """Says what a block prints, without times."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        yield
    for line in text.getvalue().split("\n"):
        line = line.replace("\b", "").replace("\r", "\n")
        for part in line.split("\n"):
            stage.say(re.sub(r" - (ETA: )?[\d.]+m?u?s(/\w+)?| [\d.]+m?u?s/\w+", "", part).strip())


@in_own_graph
def logged_to_csv(tf, stage):
    model = _compiled(tf, metrics=["mae"])
    make = tf.keras.callbacks.CSVLogger
    path = stage.folder + "/log.csv"
    open(stage.folder + "/empty.csv", "w").close()

    class Stops(tf.keras.callbacks.Callback):
        def on_epoch_end(self, epoch, logs=None):
            self.model.stop_training = epoch == 1
            if epoch == 1:
                logs.pop("mae")

    class Adds(tf.keras.callbacks.Callback):
        def on_epoch_end(self, epoch, logs=None):
            logs["several"] = [1, 2]
            logs["text"] = "a,b"

    used_again = make(path)
    for name, logger, others in (
        ("log.csv", used_again, ()),
        ("log.csv", used_again, ()),
        ("log.csv", make(path, ";", append=True), ()),
        ("empty.csv", make(stage.folder + "/empty.csv", append=True), ()),
        ("new.csv", make(stage.folder + "/new.csv", "\t", True), (Adds(),)),
        ("stopped.csv", make(stage.folder + "/stopped.csv"), (Stops(),)),
    ):
        with stage.failing():
            _fit(model, *others, logger, epochs=4, initial_epoch=1 if others else 0)
        with open(f"{stage.folder}/{name}") as file:
            for line in file:
                stage.say(name, re.sub(r"[\d.]+(e-\d+)?", "n", line.strip()))


@in_own_graph
def progress(tf, stage):
    model = _compiled(tf, metrics=["mae"])
    for verbose in (1, 2):
        with _printed(stage):
            _fit(model, verbose=verbose, validation_data=(_X, _Y))
    with _printed(stage):
        model.evaluate(_X, _Y, verbose=1)
        model.predict(_X, verbose=1)
        model.fit(_X, _Y, steps_per_epoch=2, epochs=1, batch_size=None)
    bars = tf.keras.utils.Progbar
    for options in (
        {"width": 10, "stateful_metrics": ["a"], "interval": 0},
        {"verbose": 2},
        {"verbose": 0},
        {"unit_name": "sample", "interval": 0},
    ):
        for target in (12, None):
            with _printed(stage), stage.failing():
                bar = bars(target, **options)
                bar.update(3, [("a", 1.0), ("b", 2.0)])
                bar.add(5, [("a", 5.0), ("b", 0.0001), ("c", -3.0)])
                bar.update(12, [("a", 7.0), ("b", 1e-7)])
    stage.attempt(tf.keras.callbacks.ProgbarLogger, "none")


@in_own_graph
def plateaus(tf, stage):
    make = tf.keras.callbacks.ReduceLROnPlateau
    for options in (
        {"patience": 1, "cooldown": 2},
        {"patience": 2, "cooldown": 1, "verbose": 1},
        {"patience": 1, "mode": "max", "min_lr": 0.2},
        {"patience": 1, "monitor": "none"},
        {"patience": 1, "epsilon": 0.5},
        {"patience": 0, "mode": "other"},
    ):
        model = _compiled(tf, 1.0)
        wanted = iter([5.0, 5.0, 4.9, 4.9, 4.9, 4.2, 4.2, 4.2, 4.2])

        class Says(tf.keras.callbacks.Callback):
            def on_epoch_end(self, epoch, logs=None):
                logs["seen"] = next(wanted)  # noqa: B023  used here

        plateau = make(**{"monitor": "seen", "factor": 0.5, **options})
        with _printed(stage), stage.failing():
            rates = _fit(model, Says(), plateau, epochs=9).history["lr"]
            stage.say([float(rate) for rate in rates], plateau.wait, plateau.cooldown_counter)
            stage.say(plateau.in_cooldown(), plateau.best)
            plateau.on_train_begin()
            stage.say(plateau.wait, plateau.cooldown_counter, plateau.best)


@in_own_graph
def what_is_better(tf, stage):
    of = tf.keras.callbacks
    for monitor in ("loss", "acc", "val_accuracy", "fmeasure_1", "val_fmeasure", "auc"):
        for mode in ("auto", "min", "max", "other"):
            made = of.ModelCheckpoint("x", monitor, mode=mode)
            stopping = of.EarlyStopping(monitor, 0.5, mode=mode)
            plateau = of.ReduceLROnPlateau(monitor, mode=mode)
            stage.say(monitor, mode, made.monitor_op.__name__, made.best)
            stage.say(stopping.monitor_op.__name__, stopping.min_delta, plateau.best)


def _written(tf, stage, folder):
    """Says what is in the event files of a folder and below."""
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
