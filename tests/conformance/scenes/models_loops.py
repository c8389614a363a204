"""Batch loops as seen by callbacks: arguments, manually called lists, reused TensorBoards."""

import importlib

import numpy as np

from tests.conformance.scenes import in_own_graph
from tests.conformance.scenes.models_callbacks import _printed, _written

_X = np.arange(10, dtype=np.float32).reshape(5, 2) / 10
_Y = _X[:, :1]


def _model(tf, rate=0.1, **options):
    half = tf.keras.initializers.Constant(0.5)
    layer = tf.keras.layers.Dense(1, kernel_initializer=half, input_shape=(2,), name="dense")
    model = tf.keras.Sequential([layer], name="m")
    model.compile(tf.keras.optimizers.SGD(rate), **{"loss": "mse", **options})
    return model


def _told(tf, stage):
    """A callback that records all its calls."""

    class Told(tf.keras.callbacks.Callback):
        def set_params(self, params):
            super().set_params(params)
            stage.say("params", sorted((k, str(v)) for k, v in params.items()))

    def method(name):
        def said(self, *given):
            *number, logs = given
            shown = sorted((k, getattr(v, "shape", v)) for k, v in (logs or {}).items())
            if logs and "outputs" in logs:
                shown = [
                    (k, str(logs[k]) if k != "outputs" else len(logs[k])) for k in sorted(logs)
                ]
            stage.say(name, *number, shown, logs is None)

        return said

    for kind in ("train", "epoch", "train_batch", "test", "test_batch", "predict", "predict_batch"):
        for end in ("begin", "end"):
            setattr(Told, f"on_{kind}_{end}", method(f"on_{kind}_{end}"))
    return [Told()]


@in_own_graph
def lists_of_callbacks(tf, stage):
    module = "tfmini._src.models.keras.callbacks.callback"
    if tf.__name__ == "tensorflow":
        module = "tensorflow.python.keras.callbacks"
    make = importlib.import_module(module).CallbackList
    one, two = _told(tf, stage)[0], _told(tf, stage)[0]
    for given in (None, [], [one]):
        called = make(given)
        stage.say([c is one for c in called], len(called.callbacks), called.params, called.model)
    called.append(two)
    stage.say(len(list(called)), len(given))
    called.set_params({"epochs": 3})
    called.set_model("a model")
    stage.say(one.params, two.model, called.model, called.params)
    stage.attempts(lambda: called.on_epoch_begin(2))


@in_own_graph
def boards_used_again(tf, stage):
    make = tf.keras.callbacks.TensorBoard
    layers = tf.keras.layers
    ids = np.array([[0, 1], [2, 1], [1, 1], [0, 2], [2, 2]])
    for number, options in enumerate(
        (
            {"update_freq": 4, "write_graph": False},
            {"histogram_freq": 1, "write_graph": False},
            {"embeddings_freq": 1},
        )
    ):
        folder = f"{stage.folder}/{number}"
        stage.say(number, sorted(options))
        with tf.Graph().as_default():
            parts = [layers.Embedding(3, 2, name="e", input_length=2), layers.Flatten(name="f")]
            model = tf.keras.Sequential([*parts, layers.Dense(1, name="d")])
            model.compile("sgd", "mse", ["mae"])
            board = make(folder, profile_batch=0, **options)
            for again in ("", "/again"):
                board.log_dir = folder + again
                with stage.failing():
                    model.fit(ids, _Y, 2, 2, 0, [board], validation_data=(ids, _Y))
            stage.say(sorted(getattr(board, "params", None) or ()))
            if number != 2:  # fails before everything is written
                _written(tf, stage, folder)


@in_own_graph
def rows_in_each_step(tf, stage):
    """Each step's loss is the sum of its rows' markers, for a model that does not change."""
    marks = 2.0 ** np.arange(7)
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, None, False, "ones", input_shape=(1,))])
    model.compile(
        tf.keras.optimizers.SGD(0.0), lambda y, found: y * 7.0 + found * 0.0, metrics=["mae"]
    )
    seen = []

    class Sees(tf.keras.callbacks.Callback):
        def on_train_batch_end(self, batch, logs=None):
            seen.append(int(round(logs["loss"] * logs["size"] / 7)))

        def on_test_batch_end(self, batch, logs=None):
            seen.append(-int(round(logs["loss"] * logs["size"] / 7)))

    def rows(*given, **options):
        del seen[:]
        np.random.seed(3)
        options = {"epochs": 2, "verbose": 0, "callbacks": [Sees()], **options}
        found = model.fit(np.ones(len(given[0])), *given, **options).history
        return list(seen), found["loss"], found.get("val_loss")

    stage.attempts(
        lambda: rows(marks, batch_size=2),
        lambda: rows(marks, batch_size=3, shuffle=False),
        lambda: rows(marks, batch_size=2, shuffle="batch"),
        lambda: rows(marks, batch_size=3, shuffle="batch", epochs=3),
        lambda: rows(marks, batch_size=9),
        lambda: rows(marks, batch_size=9, shuffle="batch"),
        lambda: rows(marks, batch_size=1, shuffle="none"),
        lambda: rows(marks, batch_size=2, validation_split=0.3),
        lambda: rows(marks, batch_size=2, validation_split=0.99),
        lambda: rows(marks, batch_size=2, validation_split=1.0),
        lambda: rows(marks, batch_size=2, validation_split=0.5, shuffle=False, validation_freq=2),
        lambda: rows(marks, batch_size=4, validation_data=(np.ones(3), marks[:3])),
        lambda: rows(marks, batch_size=4, validation_data=(np.ones(3), marks[:3], np.arange(3))),
        lambda: rows(marks, batch_size=2, initial_epoch=1),
        lambda: rows(marks, batch_size=2, sample_weight=np.array([1, 0, 1, 0, 1, 0, 0])),
        lambda: rows(marks, batch_size=7, class_weight={2.0**n: n for n in range(7)}),
        lambda: rows(marks, steps_per_epoch=7),
        lambda: rows(marks, steps_per_epoch=2),
        lambda: rows(marks, batch_size=0),
        lambda: rows(marks, epochs=0),
        lambda: rows(marks[:0], batch_size=2),
        lambda: rows(marks[:1], batch_size=2),
        lambda: model.evaluate(np.ones(7), marks, 2, verbose=0),
        lambda: model.evaluate(np.ones(0), marks[:0], verbose=0),
        lambda: model.predict(np.ones(0)),
    )


@in_own_graph
def measured_over_batches(tf, stage):
    model = _model(tf, 0.0, metrics=["mae", tf.keras.metrics.MeanSquaredError(name="own")])
    x, y = _X, _X[:, 1:] ** 2
    stage.attempts(
        lambda: model.train_on_batch(x[:2], y[:2], None, {0.0: 2.0}),
        lambda: model.predict_on_batch(x[0]),
        lambda: model.predict_proba(x * 9.0, batch_size=2).shape,
    )
    with _printed(stage):
        model.predict_classes(x, 2, 1)
        model.predict_proba(x[:1], verbose=1)
        model.predict(x, 2, 2)
        model.evaluate(x, y, 2, 2)
        watch = tf.keras.callbacks.Callback()
        watch.on_test_end = watch.on_predict_end = lambda logs=None: print("ended")
        model.evaluate_generator((row for row in [(x, y)]), 1, [watch], verbose=1, workers=0)
        model.predict_generator((row for row in [x]), 1, [watch], verbose=1, workers=0)
    two = tf.keras.Model(model.inputs, [model.outputs[0], model.outputs[0] * 2.0])
    for options in (
        {"loss": "mse", "loss_weights": [1.0, 0.5]},
        {"loss": ["mse", None], "metrics": ["mae"]},
        {"loss": "mae", "weighted_metrics": [["mse"], []], "loss_weights": {"dense": 3.0}},
        {"loss": [lambda a, b: a - b, "mse"], "metrics": [[], "mse"]},
    ):
        with stage.failing():
            two.compile(tf.keras.optimizers.SGD(0.0), **options)
            stage.say(two.metrics_names, two.output_names, str(two.loss_weights))
            targets = [y] * (1 if "None" in str(options["loss"]) else 2)
            stage.say(two.evaluate(x, targets, 3, 0))
            stage.say(two.train_on_batch(x[:2], [t[:2] for t in targets]))
            weights = [np.arange(5.0)] * len(targets)
            stage.say(two.evaluate(x, targets, 3, 0, sample_weight=weights))
            stage.say(two.fit(x, targets, 4, verbose=0, shuffle=False).history)
            stage.say([getattr(w, "name", w) for w in two.sample_weights])
