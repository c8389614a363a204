"""Keras callbacks: manually called lists, restarts, limits and baselines, TensorBoard."""

from unittest import mock

import numpy as np

from tests.conformance.scenes import in_own_graph
from tests.conformance.scenes.models_callbacks import _X, _Y, _compiled, _fit, _printed, _written


@in_own_graph
def lists_called_by_hand(tf, stage):
    of = tf.keras.callbacks
    model = _compiled(tf)

    class Says(of.Callback):
        def on_batch_begin(self, batch, logs=None):
            stage.say("batch begins", batch, logs)

        def on_batch_end(self, batch, logs=None):
            stage.say("batch ends", batch, logs)

        def on_test_batch_end(self, batch, logs=None):
            stage.say("test batch ends", batch, logs)

        def on_predict_begin(self, logs=None):
            stage.say("predicts", logs)

        def on_epoch_end(self, epoch, logs=None):
            stage.say("epoch ends", epoch, logs)

    one = Says()
    stage.say(one.validation_data, one.model)
    one.set_params({"epochs": 3})
    one.set_model(model)
    stage.say(one.params, one.model is model)
    one.on_train_batch_begin(3, {"size": 2})
    one.on_train_batch_end(4)
    logger = of.BaseLogger(stateful_metrics=["b"])
    logger.set_params({"metrics": ["loss", "b", "c"]})
    for _ in range(2):
        logger.on_epoch_begin(0)
        logger.on_batch_end(0, {"size": 2, "loss": 1.0, "b": 3.0})
        logger.on_batch_end(1, {"size": 1, "loss": 4.0, "b": 5.0})
        logger.on_batch_end(2, {"size": 1, "loss": 4.0, "b": 6.0, "num_steps": 2})
        logs = {"seen": 1}
        logger.on_epoch_end(0, logs)
        stage.say(sorted(logs.items()), logger.seen, sorted(logger.totals.items()))
    logger.on_epoch_end(0)
    history = of.History()
    for _ in range(2):
        history.on_train_begin()
        for epoch in (3, 5):
            history.on_epoch_end(epoch, {"a": epoch * 2})
        history.on_epoch_end(7)
        stage.say(history.epoch, history.history)
    for mode in ("samples", "steps"):
        bar = of.ProgbarLogger(mode, ["m"])
        for verbose, epochs in ((1, 2), (2, 1), (0, 1)):
            bar.set_params(
                {
                    "verbose": verbose,
                    "epochs": epochs,
                    "steps": 2,
                    "samples": 4,
                    "metrics": ["m", "l"],
                }
            )
            with _printed(stage):
                bar.on_train_begin()
                bar.on_epoch_begin(0)
                for batch in range(2):
                    bar.on_batch_begin(batch)
                    bar.on_batch_end(
                        batch, {"size": 2, "m": 2.0 + batch, "l": batch * 1.0, "x": 9.0}
                    )
                bar.on_epoch_end(0, {"m": 8.0, "l": 9.0, "val_l": 7.0})
            stage.say(bar.seen, bar.target, bar.use_steps, sorted(bar.stateful_metrics))
    made = of.LambdaCallback(on_train_begin=lambda logs: stage.say("begins", logs), mine=3)
    made.on_train_begin({"a": 1})
    made.on_epoch_begin(1, None)
    stage.say(made.mine, made.on_train_end(None))
    nan = of.TerminateOnNaN()
    nan.set_model(model)
    for loss in (1.0, None, np.inf, np.nan):
        model.stop_training = False
        with _printed(stage):
            nan.on_batch_end(3, {"loss": loss} if loss else {})
        stage.say(model.stop_training)
    now = [0.0]
    slow = of.LambdaCallback(
        on_batch_begin=lambda batch, logs: now.append(now[-1] + 1.0),
        on_batch_end=lambda batch, logs: now.append(now[-1] + 2.0),
    )
    with mock.patch("time.time", lambda: now[-1]):
        _fit(model, slow)


@in_own_graph
def checkpoints_and_restarts(tf, stage):
    of = tf.keras.callbacks
    make = of.ModelCheckpoint
    folder = stage.folder
    stage.addFilter(lambda record: "is slow compared" not in record.getMessage())
    stage.attempts(lambda: make("x", save_freq="batch"), lambda: make("x", save_freq=1.5))
    model = _compiled(tf, 0.1, ["mae"])

    class Own(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = tf.keras.layers.Dense(1)

        def call(self, x):
            return self.dense(x)

    own = Own()
    own.compile("sgd", "mse")
    for chosen, callback, options in (
        (model, make(folder + "/a{epoch:02d}-{mae:.1f}.h5"), {}),
        (model, make(folder + "/b{val_loss:.1f}.h5"), {}),
        (model, make(folder + "/c.h5", "mae", 1, True, mode="max"), {}),
        (model, make(folder + "/d{epoch}.h5", save_freq=3), {"initial_epoch": 1}),
        (model, make(folder + "/e{epoch}.h5", period=3), {"epochs": 5}),
        (model, make(folder + "/f{epoch}", save_weights_only=True, save_freq=2), {}),
        (own, make(folder + "/g{epoch}"), {}),
        (model, make(folder + "/h{epoch}.h5", save_best_only=True), {}),
        (model, make(folder + "/i{epoch}.h5", "val_mae", save_best_only=True, save_freq=2), {}),
    ):
        with _printed(stage), stage.failing():
            _fit(chosen, callback, **{"epochs": 3, "validation_data": (_X, _Y), **options})
        stage.say(callback.save_weights_only, callback.epochs_since_last_save)
        stage.files()
    before = model.get_weights()
    model.set_weights([w * 0 + 2 for w in before])
    model.save_weights(folder + "/r3.h5")
    for name in ("/r{epoch}.h5", "/none{epoch}.h5", "/none/x.h5", "/r3.h5"):
        model.set_weights(before)
        restart = make(folder + name, save_weights_only=True, load_weights_on_restart=True)
        restart.set_model(model)
        stage.attempt(restart.on_train_begin)
        stage.say(name, bool(np.allclose(model.get_weights()[0], before[0])))


@in_own_graph
def boards_of_layers(tf, stage):
    make = tf.keras.callbacks.TensorBoard
    layers = tf.keras.layers
    for number, (options, fit) in enumerate(
        (
            ({"histogram_freq": 1, "write_images": True, "write_graph": False}, {}),
            ({"histogram_freq": 2, "write_grads": True}, {"epochs": 3}),
            ({"update_freq": 3, "write_graph": False}, {"epochs": 3}),
            ({"update_freq": "batch"}, {"initial_epoch": 1, "epochs": 3}),
        )
    ):
        folder = f"{stage.folder}/{number}"
        stage.say(number)
        with tf.Graph().as_default(), stage.failing():
            x = tf.keras.Input((4,), name="x")
            wide = layers.Reshape((4, 1), name="r")(layers.Dense(4, name="wide")(x))
            several = layers.Conv1D(2, 3, name="c", padding="same")(wide)
            image = layers.Reshape((4, 2, 1), name="s")(several)
            flat = layers.Flatten(name="f")(layers.Conv2D(2, 2, name="k")(image))
            model = tf.keras.Model(x, layers.Dense(1, name="last", use_bias=False)(flat))
            model.compile("sgd", "mse", ["mae"])
            board = make(folder, profile_batch=0, **options)
            rows = np.ones([4, 4])
            model.fit(rows, _Y, 2, callbacks=[board], verbose=0, **fit, validation_data=(rows, _Y))
        _written(tf, stage, folder)
