"""Conversions of Keras models: graphs per mode with collections, folders, Estimators."""

# ruff: noqa: B023  a function that is defined in a round is called in it

import os

import numpy as np

from tests.conformance.scenes import in_own_graph
from tests.conformance.scenes.models_exported import _OPS

_KEYS = {"saved_model_main_op", "saved_model_train_op"}  # tfmini's, instead of _OPS

_X = np.arange(8, dtype=np.float32).reshape(4, 2) / 10


def _dense(tf, name, units=1, **options):
    half = tf.keras.initializers.Constant(0.5)
    return tf.keras.layers.Dense(units, kernel_initializer=half, name=name, **options)


def _two(tf, optimizer="sgd", **options):
    """A model with two inputs and two outputs, which updates statistics."""
    a, b = tf.keras.Input((2,), name="a"), tf.keras.Input((1,), name="b")
    x = tf.keras.layers.BatchNormalization(name="norm")(tf.keras.layers.Dropout(0.5, name="o")(a))
    model = tf.keras.Model([a, b], [_dense(tf, "p")(x), _dense(tf, "q", 2)(b)])
    if optimizer:
        model.compile(optimizer, **{"loss": "mse", "metrics": {"p": ["mae"]}, **options})
    return model


def _graphs(tf, stage, folder):
    """Records the contents of a SavedModel's graphs."""
    for tags in (["serve"], ["train"], ["eval"]):
        with tf.Graph().as_default() as graph, tf.Session() as session, stage.failing():
            meta = tf.saved_model.load(session, tags, folder)
            stage.say(tags, len(graph.get_operations()) > 20)
            for key in sorted({*graph.get_all_collection_keys()} - _KEYS):
                stage.say(
                    key, sorted(getattr(x, "name", str(x)) for x in graph.get_collection(key))
                )
            for key in sorted({*meta.signature_def} - {*_OPS}):
                signature = meta.signature_def[key]
                stage.say(key, signature.method_name)
                for part in (signature.inputs, signature.outputs):
                    for name in sorted(part):
                        dims = [d.size for d in part[name].tensor_shape.dim]
                        stage.say(name, part[name].name, part[name].dtype, dims)


@in_own_graph
def graphs_of_each_mode(tf, stage):
    export = tf.keras.experimental.export_saved_model
    for number, options in enumerate(
        (
            {},
            {"optimizer": tf.train.AdamOptimizer(0.1), "metrics": None},
            {"weighted_metrics": {"q": ["mse"]}, "loss": {"p": "mae", "q": None}},
            {"optimizer": None},
        )
    ):
        folder = f"{stage.folder}/{number}"
        with tf.Graph().as_default(), stage.failing():
            export(_two(tf, **options), folder)
            stage.say(number, sorted(os.listdir(folder)), sorted(os.listdir(folder + "/variables")))
            for name, shape in tf.train.list_variables(folder + "/variables/variables"):
                stage.say(name, shape)
        _graphs(tf, stage, folder)


@in_own_graph
def estimators_of_models(tf, stage):
    make = tf.keras.estimator.model_to_estimator
    tf.logging.set_verbosity(tf.logging.WARN)  # they log all digits
    rows = {"a": _X, "b": _X[:, :1]}
    targets = {"p": _X[:, 1:], "q": _X}

    def given(features=rows, labels=targets, times=1):
        data = (features, labels) if labels is not None else features
        return lambda: tf.data.Dataset.from_tensors(data).repeat(times)

    def said(estimator, folder):
        stage.say(estimator.get_variable_names(), estimator.latest_checkpoint())
        stage.files(folder)

    config = tf.estimator.RunConfig(
        tf_random_seed=1, log_step_count_steps=None, save_summary_steps=9
    )
    for number, (options, compiled) in enumerate(
        (
            ({}, {}),
            ({"checkpoint_format": "checkpoint"}, {"optimizer": tf.keras.optimizers.Adam(0.1)}),
            ({"checkpoint_format": "none"}, {}),
            ({"config": config}, {"loss": {"p": "mae"}, "weighted_metrics": {"p": ["mse"]}}),
        )
    ):
        folder = f"{stage.folder}/{number}"
        stage.say(number)
        with tf.Graph().as_default(), stage.failing():
            tf.set_random_seed(1)  # for dropout
            model = _two(tf, **compiled)
            if number == 1:
                model.fit(rows, targets, verbose=0)
            estimator = make(model, model_dir=folder, **{"config": config, **options})
            stage.files(folder + "/keras")
            found = estimator.evaluate(given()) if number == 1 else {}
            stage.say(sorted(found.items()))
            estimator.train(given(times=3), steps=2)
            said(estimator, folder)
            stage.say(sorted(estimator.evaluate(given()).items()))
            stage.say([sorted(row.items()) for row in estimator.predict(given(labels=None))][:1])
            again = make(model, model_dir=folder, config=config)
            stage.say(again.get_variable_value("global_step"))


@in_own_graph
def estimators_refused(tf, stage):
    make = tf.keras.estimator.model_to_estimator

    class Own(tf.keras.Model):
        def call(self, x):
            return x

    model = _two(tf)
    path = stage.folder + "/m.h5"
    model.save(path)
    own = Own()
    own.compile("sgd", "mse")
    config = tf.estimator.RunConfig(model_dir=stage.folder + "/config")
    rows = {"a": _X, "b": _X[:, :1]}
    stage.attempts(
        lambda: make(),
        lambda: make(model, path),
        lambda: make(_two(tf, None), model_dir=stage.folder + "/x"),
        lambda: make(own, model_dir=stage.folder + "/x", checkpoint_format="checkpoint"),
        lambda: make(model, model_dir=stage.folder + "/other", config=config),
        lambda: make(keras_model_path=stage.folder + "/none.h5", model_dir=stage.folder + "/n"),
    )
    estimator = make(keras_model_path=path, model_dir=stage.folder + "/path")
    cases = (
        (rows, {"p": _X[:, 1:], "q": _X}),
        (rows, _X),
        (_X, {"p": _X[:, 1:], "q": _X}),
        ((_X, _X[:, :1]), (_X[:, 1:], _X)),
        *(
            ({"features": rows, "sample_weights": weights}, {"p": _X[:, 1:], "q": _X})
            for weights in (
                (np.ones(4), np.zeros(4)),
                (np.arange(4), np.ones(4)),
                {"q": np.arange(4.0)},
                {"p": np.zeros(4, np.float32), "q": np.arange(4, dtype=np.float32)},
                (np.ones([4, 1]), np.ones(4)),
                (np.ones(4),),
                np.ones(4),
            )
        ),
    )
    for features, labels in cases:
        with stage.failing():
            data = (features, labels)
            found = estimator.evaluate(lambda: tf.data.Dataset.from_tensors(data))
            stage.say(sorted(found.items()))


@in_own_graph
def models_in_folders(tf, stage):
    load = tf.keras.models.load_model
    rows = [_X, _X[:, :1]]
    for number, (options, saved) in enumerate(
        (
            ({}, {}),
            ({"optimizer": tf.keras.optimizers.Adam(0.1)}, {"include_optimizer": False}),
            ({"optimizer": None}, {"overwrite": False}),
            ({"weighted_metrics": ["mse"], "metrics": ["mae"], "loss": ["mae", "mse"]}, {}),
        )
    ):
        folder = f"{stage.folder}/{number}"
        with tf.Graph().as_default(), stage.failing():
            model = _two(tf, **options)
            model.get_layer("norm").trainable = number != 3
            expected = model.predict(rows)
            model.save(folder, save_format="tf", **saved)
            stage.say(number, sorted(os.listdir(folder)), model.optimizer is None)
            names = [name for name, _ in tf.train.list_variables(folder + "/variables/variables")]
            stage.say(names)
        with tf.Graph().as_default(), stage.failing():
            if number == 1:  # TensorFlow mistakes its optimizer for something else
                continue
            again = load(folder)
            stage.say(type(again).__name__, again.name, [layer.name for layer in again.layers])
            stage.say([type(layer).__name__ for layer in again.layers], again.input_names)
            found = again.predict(rows)
            stage.say([bool(np.allclose(*pair)) for pair in zip(found, expected)])
            stage.say([w.name for w in again.trainable_weights], again.optimizer is None)
            stage.say(again.get_config() == model.get_config(), again.output_names)
            if again.optimizer:
                stage.say(again.metrics_names, again.loss, again.loss_weights)
                stage.say(again.optimizer.get_config())
                stage.say(again.evaluate(rows, [_X[:, 1:], _X], verbose=0))
            stage.say(load(folder, compile=False).optimizer)
            stage.attempt(load, folder + "/none")
        with tf.Graph().as_default(), tf.Session() as session, stage.failing():
            meta = tf.saved_model.load(session, ["serve"], folder)
            for key, signature in sorted(meta.signature_def.items()):
                for part in (signature.inputs, signature.outputs):
                    stage.say(
                        key, [(n, [d.size for d in part[n].tensor_shape.dim]) for n in sorted(part)]
                    )
