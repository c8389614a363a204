"""Keras models and weights in HDF5 files: contents, and loading by order and by name."""

import contextlib
import io
import json
import os
from unittest import mock

import h5py
import numpy as np

from tests.conformance.scenes import in_own_graph


def _shown(stage, group, depth=0):
    """Records a file's attributes, groups and arrays."""
    for key, value in sorted(group.attrs.items()):
        value = value.decode() if isinstance(value, bytes) else value
        value = (
            [v.decode() if isinstance(v, bytes) else v for v in value]
            if hasattr(value, "dtype")
            else value
        )
        try:
            value = json.dumps(json.loads(value), sort_keys=True)
        except (TypeError, ValueError):
            pass
        stage.say(group.name, key, value)
    for name in group:
        if isinstance(group[name], h5py.Group):
            _shown(stage, group[name])
        else:
            stage.say(group[name].name, group[name].dtype, group[name].shape)


def _network(tf, **options):
    layers = tf.keras.layers
    inner = tf.keras.Sequential(
        [layers.Dense(2, "relu", True, "ones", name="d"), layers.BatchNormalization(name="b")],
        name="inner",
    )
    x = tf.keras.Input((2,), name="x")
    y = layers.Dense(1, "linear", kernel_initializer="ones", name="out")(
        inner(layers.Dropout(0.5, name="o")(x))
    )
    model = tf.keras.Model(x, [y, layers.Flatten(name="f")(x)], name="net")
    model.compile(**{"optimizer": "sgd", "loss": {"out": "mse"}, **options})
    return model


@in_own_graph
def models_in_hdf5(tf, stage):
    of, losses = tf.keras.optimizers, tf.keras.losses
    rows = np.ones([4, 2], np.float32)
    for number, options in enumerate(
        (
            {"optimizer": of.Adam(0.1, 0.8, 0.9, 1e-5, True, name="mine", clipnorm=1.0)},
            {
                "loss": {"out": losses.Huber(0.5), "f": "mae"},
                "loss_weights": {"out": 0.5, "f": 2.0},
                "metrics": {"out": ["mae", tf.keras.metrics.AUC(3, name="area")]},
                "weighted_metrics": {"f": ["mse"]},
            },
            {
                "loss": [losses.mean_squared_error, None],
                "sample_weight_mode": {"out": None, "f": None},
            },
            {"optimizer": of.SGD(0.5, 0.9, decay=0.1), "metrics": [["acc"], []]},
            {"optimizer": tf.train.GradientDescentOptimizer(0.1)},
        )
    ):
        with tf.Graph().as_default(), stage.failing():
            tf.set_random_seed(1)
            model = _network(tf, **options)
            given = (
                {"out": np.ones([4, 1]), "f": rows}
                if number in (1, 3)
                else {"out": np.ones([4, 1])}
            )
            model.fit(rows, given, verbose=0)
            path = f"{stage.folder}/{number}.h5"
            model.save(path)
            with h5py.File(path, "r") as file:
                _shown(stage, file)
            again = tf.keras.models.load_model(path)
            stage.say(
                type(again).__name__, again.name, again.optimizer and again.optimizer.get_config()
            )
            stage.say([tf.keras.backend.eval(w) for w in again.weights])
            stage.say(
                again.loss, again.loss_weights, again.metrics_names if again.optimizer else ""
            )
            stage.say([w.name for w in getattr(again.optimizer, "weights", ())])
            stage.say(again.evaluate(rows, given, verbose=0))


@in_own_graph
def parts_of_models_in_hdf5(tf, stage):
    tf.set_random_seed(1)
    layers, load = tf.keras.layers, tf.keras.models.load_model
    folder = stage.folder
    rows = np.ones([4, 2], np.float32)
    model = _network(tf)
    model.fit(rows, np.ones([4, 1]), verbose=0)
    model.save(folder + "/without.h5", include_optimizer=False)
    with h5py.File(folder + "/open.h5", "w") as file:
        model.save(file)
        stage.say(bool(file), sorted(file), sorted(file.attrs))
        stage.attempt(lambda: load(file).name)
        stage.say(bool(file))
    with stage.failing():
        again = load(folder + "/without.h5")
        stage.say(again.optimizer, again._is_compiled)
    with stage.failing():
        again = load(folder + "/open.h5", compile=False)
        stage.say(again.optimizer, again._is_compiled)
        stage.say(again.predict(rows)[0])
    with h5py.File(folder + "/open.h5", "r+") as file:
        del file["optimizer_weights"]
        file.create_group("optimizer_weights").attrs["weight_names"] = [b"a"]
        file["optimizer_weights/a"] = np.ones([3])
    with stage.failing():
        stage.say(load(folder + "/open.h5").optimizer.get_config())
    with h5py.File(folder + "/open.h5", "r+") as file:
        del file["optimizer_weights"]
        del file.attrs["training_config"]
        del file.attrs["keras_version"]
    stage.attempt(lambda: load(folder + "/open.h5").name)
    with h5py.File(folder + "/open.h5", "r+") as file:
        del file.attrs["model_config"]
    stage.attempt(lambda: load(folder + "/open.h5"))
    stage.attempt(lambda: load(folder + "/none.h5"))
    late = tf.keras.Sequential([layers.Dense(1, name="late")], name="sequence")
    late.compile(tf.keras.optimizers.Adam(0.5), "mse", ["mae"])
    stage.attempt(lambda: late.save(folder + "/early.h5"))
    late.fit(rows, rows[:, :1], verbose=0)
    late.save(folder + "/late.h5")
    with h5py.File(folder + "/late.h5", "r") as file:
        _shown(stage, file)
    with stage.failing():
        again = load(folder + "/late.h5")
        stage.say(again.built, [w.name for w in again.weights], again.get_config())
        stage.say(tf.keras.backend.eval(again.optimizer.iterations))

    def own(x):
        return x * 2.0

    class Own(layers.Layer):
        def __init__(self, size=1, **options):
            super().__init__(**options)
            self.size = size

        def call(self, inputs):
            return inputs * self.size

        def get_config(self):
            return dict(super().get_config(), size=self.size)

    own_model = tf.keras.Sequential([layers.Dense(1, activation=own, input_shape=(2,)), Own(3)])
    by_lambda = lambda a, b: tf.abs(a - b)  # noqa: E731
    stage.attempt(own_model.compile, "sgd", by_lambda, metrics=[lambda a, b: a - b])
    own_model.compile("sgd", by_lambda)
    stage.attempt(lambda: own_model.save(folder + "/own.h5"))
    own_model.compile("sgd", "mse")
    own_model.save(folder + "/own.h5")
    custom = {"own": own, "Own": Own}
    stage.attempts(
        lambda: load(folder + "/own.h5"),
        lambda: load(folder + "/own.h5", {"own": own}),
        lambda: load(folder + "/own.h5", custom).layers[1].size,
    )
    with tf.keras.utils.custom_object_scope(custom):
        stage.attempt(lambda: [layer.name for layer in load(folder + "/own.h5").layers])


@in_own_graph
def weights_in_hdf5(tf, stage):
    layers = tf.keras.layers
    path = stage.folder + "/w.h5"

    def dense(*names, units=2, kind=layers.Dense, **options):
        found = [kind(units, name=name, kernel_initializer="ones", **options) for name in names]
        model = tf.keras.Sequential([tf.keras.layers.InputLayer((2,)), *found])
        model.set_weights([w + n for n, w in enumerate(model.get_weights())])
        return model

    def loaded(model, **options):
        model.set_weights([w * 0 for w in model.get_weights()])
        found = model.load_weights(path, **options)
        return found, [w.tolist() for w in model.get_weights()]

    dense("a", "b", "c").save_weights(path)
    with h5py.File(path, "r") as file:
        _shown(stage, file)
    stage.attempts(
        lambda: loaded(dense("x", "y", "z")),
        lambda: loaded(dense("x", "y")),
        lambda: loaded(dense("x", "y", "z", "w")),
        lambda: loaded(dense("x", "y", "z", use_bias=False)),
        lambda: loaded(dense("c", "other", "a"), by_name=True),
        lambda: loaded(dense("none"), by_name=True),
        lambda: loaded(dense("a", use_bias=False), by_name=True),
        lambda: loaded(dense("b", units=3), by_name=True),
    )
    twins = tf.keras.Sequential([layers.Dense(2, name="b") for _ in range(2)])
    twins.build((None, 2))
    stage.attempt(lambda: loaded(twins, by_name=True))
    model = _network(tf)
    model.get_layer("inner").layers[0].trainable = False
    model.save_weights(path)
    with h5py.File(path, "r") as file:
        _shown(stage, file)
    stage.attempts(
        lambda: loaded(_network(tf), by_name=True),
        lambda: model.save_weights(stage.folder + "/z", save_format="h5"),
        lambda: model.save_weights(stage.folder + "/y.h5", save_format="tf"),
        lambda: model.save_weights(stage.folder + "/y", save_format="none"),
        lambda: model.save_weights(stage.folder + "/y.keras", save_format=" Keras "),
        lambda: model.save_weights(stage.folder + "/y", save_format="TensorFlow"),
        lambda: model.save_weights(stage.folder + "/y.hdf5"),
        lambda: model.load_weights(stage.folder + "/y", by_name=True),
        lambda: model.load_weights(stage.folder + "/none"),
        lambda: model.load_weights(stage.folder + "/z"),
        lambda: model.save_weights(stage.folder + "/z.h5", True, "h5"),
    )
    stage.files()
    answers = iter(["what", "n", "Y", "n", "y"])
    asked = []

    def answer(question):
        asked.append(question)
        return next(answers)

    with mock.patch("builtins.input", answer), contextlib.redirect_stdout(io.StringIO()) as out:
        os.remove(stage.folder + "/z.h5")
        for call in (
            lambda: model.save_weights(path, overwrite=False),
            lambda: model.save_weights(path, False),
            lambda: model.save_weights(stage.folder + "/y", overwrite=False),
            lambda: model.save(path, overwrite=False),
            lambda: model.save(stage.folder + "/new.h5", overwrite=False),
        ):
            stage.attempt(call)
            stage.say(asked, out.getvalue().strip())
    with h5py.File(path, "r") as file:
        stage.say(sorted(file.attrs))


@in_own_graph
def names_that_are_too_long_for_an_attribute(tf, stage):
    path = stage.folder + "/w.h5"
    long = "n" * 20000
    layer = tf.keras.layers.Dense
    model = tf.keras.Sequential([layer(1, input_shape=(1,), name=long + str(n)) for n in range(4)])
    model.save_weights(path)
    with h5py.File(path, "r") as file:
        stage.say([(key, len(value)) for key, value in sorted(file.attrs.items())])
    model.set_weights([w * 0 + 3 for w in model.get_weights()])
    model.load_weights(path)
    stage.say([bool((w == 3).all()) for w in model.get_weights()])


@in_own_graph
def weights_of_keras_1_and_of_theano(tf, stage):
    layers, rnn = tf.keras.layers, np.random.RandomState(0).randn
    image, first = (5, 5, 2), {"data_format": "channels_first", "input_shape": (2, 5, 5)}
    gates = [array for _ in range(4) for array in (rnn(2, 3), rnn(3, 3), rnn(3))]
    for make, arrays in (
        (lambda: layers.Dense(4, input_shape=(2,)), [rnn(2, 3), rnn(3)]),
        (lambda: layers.Conv1D(3, 2, input_shape=(5, 4)), [rnn(3, 4, 2, 1), rnn(3)]),
        (lambda: layers.Conv1D(3, 2, input_shape=(5, 4)), [rnn(2, 1, 4, 3), rnn(3)]),
        (lambda: layers.Conv2D(3, 2, input_shape=image), [rnn(3, 2, 2, 2), rnn(3)]),
        (lambda: layers.Conv2D(3, 2, **first), [rnn(3, 2, 2, 2), rnn(3)]),
        (lambda: layers.Conv2DTranspose(3, 2, input_shape=image), [rnn(2, 2, 2, 3), rnn(3)]),
        (lambda: layers.LSTM(3, input_shape=(5, 2)), gates),
        (lambda: layers.GRU(3, input_shape=(5, 2)), gates[:9]),
        (lambda: layers.Bidirectional(layers.GRU(3), input_shape=(5, 2)), gates[:9] * 2),
    ):
        for origin in ({}, {"keras_version": "1", "backend": "theano"}, {"keras_version": "2.0.8"}):
            model = tf.keras.Sequential([make()])
            with h5py.File("weights.h5", "w") as file:
                file.attrs.update({key: np.bytes_(value) for key, value in origin.items()})
                file.attrs["layer_names"] = [np.bytes_(model.layers[0].name)]
                group = file.create_group(model.layers[0].name)
                group.attrs["weight_names"] = [np.bytes_(str(n)) for n in range(len(arrays))]
                for number, array in enumerate(arrays):
                    group[str(number)] = array
            with stage.failing():
                model.load_weights("weights.h5")
                for weight in model.get_weights():
                    stage.say(weight.shape, np.sum(weight.ravel() * np.arange(weight.size)))
