"""Callbacks on scripted metrics: stopping points, learning rates and output for each threshold."""

import contextlib
import io
import os
import tempfile

import numpy as np

FALLS = [1.0, 0.8, 0.79, 0.5, 0.52, 0.51, 0.505, 0.6, 0.4, 0.41]
RISES = [-value for value in FALLS]

STOPS = {
    "patience": ("loss", FALLS, {"patience": 2}),
    "no patience": ("loss", FALLS, {}),
    "min_delta": ("loss", FALLS, {"min_delta": 0.05, "patience": 1}),
    "a baseline that is met": ("loss", FALLS, {"baseline": 0.7, "patience": 4}),
    "a baseline that is not met": ("loss", FALLS, {"baseline": 0.3, "patience": 3}),
    "of a maximum": ("loss", RISES, {"mode": "max", "patience": 2}),
    "a baseline of a maximum": ("acc", RISES, {"baseline": -0.45, "patience": 3, "verbose": 1}),
    "acc, a minimum": ("acc", FALLS, {"mode": "min", "min_delta": -0.02, "patience": 1}),
    "auto": ("my_acc", RISES, {"mode": "auto", "patience": 1, "verbose": 1}),
    "another mode": ("loss", FALLS, {"mode": "least", "patience": 1}),
    "best weights": ("loss", FALLS, {"patience": 2, "restore_best_weights": True, "verbose": 1}),
    "what is not there": ("val_loss", FALLS, {"patience": 0}),
}

RATES = {
    "patience": ("loss", FALLS, {"patience": 2}),
    "factor": ("loss", FALLS, {"factor": 0.5, "patience": 1}),
    "min_delta": ("loss", FALLS, {"min_delta": 0.3, "patience": 1, "factor": 0.5}),
    "cooldown": ("loss", FALLS, {"cooldown": 3, "patience": 1, "min_delta": 1.0, "factor": 0.5}),
    "min_lr": ("loss", FALLS, {"min_lr": 0.1, "patience": 1, "min_delta": 1.0, "verbose": 1}),
    "of a maximum": ("loss", RISES, {"mode": "max", "patience": 1, "factor": 0.25}),
    "acc": ("val_acc", RISES, {"patience": 1, "factor": 0.25, "verbose": 1}),
    "another mode": ("loss", FALLS, {"mode": "least", "patience": 1}),
    "what is not there": ("val_loss", FALLS, {"patience": 1}),
}

FILES = {
    "the best": {"save_best_only": True, "verbose": 1},
    "the largest": {"save_best_only": True, "mode": "max"},
    "by name": {"monitor": "my_acc", "save_best_only": True},
    "acc, the least": {"monitor": "my_acc", "save_best_only": True, "mode": "min"},
    "each third": {"period": 3, "verbose": 1},
    "the best of each third": {"period": 3, "save_best_only": True},
    "what is not there": {"monitor": "nothing", "save_best_only": True},
}


@contextlib.contextmanager
def printed(found):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        yield
    found.append(text.getvalue())


def build(tf):
    keras = tf.keras
    model = keras.Sequential([keras.layers.Dense(1, use_bias=False, input_shape=(1,))])
    model.compile(keras.optimizers.SGD(1.0), "mse")

    def epochs(callback, monitor, values, seen):
        """The callback's state after each epoch; the weight is the epoch number."""
        found = []
        callback.set_model(model)
        callback.set_params({"epochs": len(values), "verbose": 1})
        model.stop_training = False
        callback.on_train_begin()
        for epoch, value in enumerate(values):
            model.set_weights([np.array([[float(epoch)]])])
            callback.on_epoch_begin(epoch)
            callback.on_epoch_end(epoch, {"loss": 9.0, monitor: value})
            found.append(seen(callback))
            if model.stop_training:
                break
        callback.on_train_end()
        return found

    def stopping(session):
        found = {}
        for name, (monitor, values, options) in STOPS.items():
            row = found[name] = []
            watched = "loss" if monitor == "val_loss" else monitor
            with printed(row):
                callback = keras.callbacks.EarlyStopping(monitor, **options)
                row += epochs(callback, watched, values, lambda made: made.wait)
            row += [callback.stopped_epoch, model.stop_training, model.get_weights()[0].item()]
        return found

    def rate_of(callback):
        return float(keras.backend.get_value(callback.model.optimizer.lr))

    def rates(session):
        found = {}
        for name, (monitor, values, options) in RATES.items():
            row = found[name] = []
            keras.backend.set_value(model.optimizer.lr, 1.0)
            watched = "loss" if monitor == "val_loss" else monitor
            with printed(row):
                callback = keras.callbacks.ReduceLROnPlateau(monitor, **options)
                row += epochs(callback, watched, values, rate_of)
            row.append([callback.wait, callback.cooldown_counter, float(callback.best)])
        return found

    def scheduled(session):
        row = []
        for schedule in (lambda epoch: 1.0 / (epoch + 1), lambda epoch, lr: lr * 0.5):
            with printed(row):
                callback = keras.callbacks.LearningRateScheduler(schedule, verbose=1)
                epochs(callback, "loss", FALLS[:3], rate_of)
            row.append(float(keras.backend.get_value(model.optimizer.lr)))
        return row

    def kept(session):
        found = {}
        for name, options in FILES.items():
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "w-{epoch}-{val_loss:.2f}")
                row = found[name] = []
                with printed(row):
                    callback = keras.callbacks.ModelCheckpoint(
                        path, save_weights_only=True, **options
                    )
                    callback.set_model(model)
                    callback.on_train_begin()
                    for epoch, value in enumerate(FALLS):
                        callback.on_epoch_begin(epoch)
                        callback.on_epoch_end(epoch, {"val_loss": value, "my_acc": value})
                row[0] = row[0].replace(folder, "FOLDER")
                row.append(sorted(os.listdir(folder)))
        return found

    def rows(session):
        """Two consecutive files, then appended to; a list and an array in a cell."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rows.csv")
            model.stop_training = False
            for append in (False, True, True):
                callback = keras.callbacks.CSVLogger(path, separator="\t", append=append)
                callback.set_model(model)
                callback.on_train_begin()
                for epoch in range(2):
                    callback.on_epoch_end(epoch, {"loss": 0.5 * epoch, "a": [1, 2], "b": "text"})
                callback.on_train_end()
            with open(path) as file:
                first = file.read()
            callback = keras.callbacks.CSVLogger(path)
            callback.set_model(model)
            callback.on_train_begin()
            model.stop_training = True
            callback.on_epoch_end(0, {"loss": 1.0})
            callback.on_train_end()
            with open(path) as file:
                return [first, file.read()]

    def averaged(session):
        found = []
        for names in (None, ["b"]):
            callback = keras.callbacks.BaseLogger(stateful_metrics=names)
            callback.set_params({"metrics": ["loss", "a", "b"]})
            callback.on_epoch_begin(0)
            for number in range(4):
                given = {"size": number + 1, "loss": 2.0 * number, "a": 1.0, "b": 3.0 * number}
                callback.on_batch_end(number, given)
            logs = {}
            callback.on_epoch_end(0, logs)
            found.append(sorted(logs.items()))
        return found

    def called(session):
        calls = []

        def noted(name):
            return lambda number, logs=None: calls.append([name, number, sorted(logs or ())])

        names = ("epoch_begin", "epoch_end", "batch_begin", "batch_end")
        callback = keras.callbacks.LambdaCallback(
            on_train_begin=lambda logs: calls.append(["train_begin", sorted(logs or ())]),
            on_train_end=lambda logs: calls.append(["train_end", sorted(logs or ())]),
            **{f"on_{n}": noted(n) for n in names},
        )
        model.fit(np.ones((4, 1)), np.ones((4, 1)), 2, 2, verbose=0, callbacks=[callback])
        return calls

    def ended(session):
        """Non-finite losses."""
        found = []
        for value in (1.0, float("nan"), float("inf"), None):
            model.stop_training = False
            callback, row = keras.callbacks.TerminateOnNaN(), []
            callback.set_model(model)
            with printed(row):
                callback.on_batch_end(3, {"loss": value} if value is not None else {})
            found.append(row + [model.stop_training])
        return found

    steps = [stopping, rates, scheduled, kept, rows, averaged, called, ended]
    return {"steps": [(step.__name__, step) for step in steps]}
