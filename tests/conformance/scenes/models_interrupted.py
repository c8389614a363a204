"""Training ended by errors and interrupts in callbacks, hooks and inputs: remaining state, and recovery."""

# ruff: noqa: B023  a function that is defined in a round is called in it

import functools

import numpy as np

from tests.conformance.scenes import in_own_graph

_X = np.arange(8, dtype=np.float32).reshape(8, 1) / 10


def _errors(tf):
    return (
        ValueError("mine"),
        StopIteration("mine"),
        KeyboardInterrupt("mine"),
        SystemExit(3),
        tf.errors.OutOfRangeError(None, None, "mine"),
        tf.errors.CancelledError(None, None, "mine"),
    )


def _compiled(tf):
    layer = tf.keras.layers.Dense(1, kernel_initializer="ones", input_shape=(1,), name="d")
    model = tf.keras.Sequential([layer])
    model.compile(tf.keras.optimizers.SGD(0.0), "mse", metrics=["mae"])
    return model


def _sequence(tf, error=None):
    class Pairs(tf.keras.utils.Sequence):
        def __len__(self):
            return 4

        def __getitem__(self, at):
            if error is not None and at == 2:
                raise error
            return _X[2 * at : 2 * at + 2], _X[2 * at : 2 * at + 2]

    return Pairs()


def _data(tf):
    """The same data in each form that `fit` accepts, with its options."""

    def generated():
        while True:
            for at in range(0, 8, 2):
                yield _X[at : at + 2], _X[at : at + 2]

    of_rows = tf.data.Dataset.from_tensor_slices((_X, _X)).batch(2)
    return {
        "arrays": lambda: {"x": _X, "y": _X, "batch_size": 2},
        "dataset": lambda: {"x": of_rows},
        "steps of a dataset": lambda: {"x": of_rows.repeat(), "steps_per_epoch": 4},
        "generator": lambda: {"x": generated(), "steps_per_epoch": 4},
        "sequence": lambda: {"x": _sequence(tf)},
    }


@in_own_graph
def callbacks(tf, stage):
    model = _compiled(tf)
    for name, data in _data(tf).items():
        for error in _errors(tf):
            called = []

            class Fails(tf.keras.callbacks.Callback):
                def on_train_batch_end(self, batch, logs=None):
                    called.append(batch)
                    if len(called) == 2:
                        raise error

                def on_epoch_end(self, epoch, logs=None):
                    called.append(sorted(logs))

                def on_train_end(self, logs=None):
                    called.append("end")

            stage.say("=", name, type(error).__name__)
            fit = functools.partial(model.fit, epochs=2, verbose=0, shuffle=False)
            stage.ending(lambda: fit(callbacks=[Fails()], **data()).epoch)
            stage.say(called, model.stop_training)
            called.append("not again")
            stage.ending(lambda: fit(callbacks=[Fails()], **data()).history["loss"])


@in_own_graph
def inputs_of_models(tf, stage):
    model = _compiled(tf)

    def failing(error, at=2):
        for number in range(9):
            if number == at:
                raise error
            yield _X[:2], _X[:2]

    errors = _errors(tf)
    for error in (errors[0], errors[4], errors[5]):
        for workers in (0, 1, 2):
            stage.say("=", type(error).__name__, workers)
            fit = functools.partial(model.fit_generator, epochs=1, verbose=0, workers=workers)
            stage.ending(lambda: fit(failing(error), steps_per_epoch=4).history)
            stage.ending(lambda: fit(_sequence(tf, error), shuffle=False).history)
            stage.ending(lambda: model.evaluate_generator(failing(error), 4, workers=workers))
            stage.ending(lambda: model.predict_generator(failing(error), 4, workers=workers))
            stage.ending(lambda: fit(failing(error, 9), steps_per_epoch=4).epoch)
    checked = tf.data.Dataset.from_tensor_slices((_X, _X)).batch(2)
    checked = checked.map(lambda x, y: (tf.check_numerics(x / (x - 0.4), "no number"), y))
    for steps in (1, 2, 4):
        stage.ending(lambda: len(model.predict(checked, steps=steps)))


def _estimator(tf, stage, name, **given):
    def model_fn(features, labels, mode):
        step = tf.train.get_or_create_global_step()
        w = tf.get_variable("w", [], initializer=tf.zeros_initializer())
        loss = tf.reduce_sum(features["x"] * w, name="loss")
        with tf.control_dependencies([loss]):
            train = tf.group(tf.assign_add(w, 1.0), tf.assign_add(step, 1))
        spec = {"predictions": {"y": features["x"] * w}, "loss": loss, "train_op": train}
        return tf.estimator.EstimatorSpec(mode, **spec)

    config = tf.estimator.RunConfig(
        log_step_count_steps=None, save_checkpoints_steps=2, save_summary_steps=0
    )
    made = given.get("model_fn", model_fn)
    return tf.estimator.Estimator(made, f"{stage.folder}/{name}", config)


def _rows(tf, count=9):
    def read():
        return tf.data.Dataset.from_tensor_slices({"x": _X[:2]}).repeat(count).batch(2)

    return read


def hooks_of_estimators(tf, stage):
    for place in ("begin", "after_create_session", "before_run", "after_run", "end"):
        for error in _errors(tf):

            class Witness(tf.train.SessionRunHook):
                def end(self, session):
                    stage.say("the end is seen")

            class Fails(tf.train.SessionRunHook):
                times = 0

                def fail(self, *args):
                    Fails.times += 1
                    if Fails.times == (3 if place in ("before_run", "after_run") else 1):
                        raise error

            setattr(Fails, place, Fails.fail)
            name = f"{place}_{type(error).__name__}"
            stage.say("=", name)
            tf.logging.set_verbosity(tf.logging.WARN)
            estimator = _estimator(tf, stage, name)
            stage.ending(lambda: estimator.train(_rows(tf), [Witness(), Fails()]) is estimator)
            stage.say(estimator.latest_checkpoint())
            stage.say(estimator.latest_checkpoint())
    tf.logging.set_verbosity(tf.logging.INFO)
