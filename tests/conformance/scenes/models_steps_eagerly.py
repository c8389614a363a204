"""Model steps in eager mode: names seen by losses, target dtypes, unit weights."""

# ruff: noqa: B023  a function that is defined in a round is called in it

import numpy as np

from tests.conformance.scenes.models_eager import _dense, _eagerly

_X = np.arange(8, dtype=np.float32).reshape(4, 2) / 10
_Y = _X[:, :1]


def _in_all_ways(tf, stage, model, x, y, **options):
    """Records each way to run a model, from the same weights."""
    first = [w.copy() for w in model.get_weights()]
    rows = tf.data.Dataset.from_tensor_slices((x, y)).batch(2)

    def again(function):
        def run():
            model.set_weights(first)
            return function(), [(np.round(w, 4) + 0.0).tolist() for w in model.get_weights()]

        return run

    quiet = {"verbose": 0, "shuffle": False}
    stage.attempts(
        again(lambda: model.train_on_batch(x, y, **options)),
        again(lambda: model.test_on_batch(x, y, **options)),
        again(lambda: sorted(model.fit(x, y, batch_size=3, **quiet, **options).history.items())),
        again(lambda: sorted(model.fit(rows, verbose=0).history.items())),
        again(lambda: model.evaluate(x, y, 3, 0, **options)),
        again(lambda: model.evaluate(rows, verbose=0)),
        again(lambda: model.predict_on_batch(x)),
        again(lambda: model.predict(x, 3)),
    )


@_eagerly
def targets_of_other_dtypes(tf, stage):
    seen = []

    def loss(y, p):
        seen.append((y.dtype.name, p.dtype.name))
        return tf.reduce_mean(tf.abs(tf.cast(y, p.dtype) - p), -1)

    model = tf.keras.Sequential([_dense(tf, input_shape=(2,))])
    model.compile("sgd", loss, run_eagerly=True)
    for dtype in ("float16", "float64", "int32", "int64", "bool", "uint8"):
        stage.say(dtype)
        y = (_Y * 5).astype(dtype)
        for run in (
            lambda: model.test_on_batch(_X, y),
            lambda: model.test_on_batch(_X, tf.constant(y)),
            lambda: model.test_on_batch(tf.constant(_X, tf.float64), y),
            lambda: model.train_on_batch(_X, tf.constant(y)),
            lambda: model.evaluate(tf.data.Dataset.from_tensors((_X, y)), verbose=0),
        ):
            del seen[:]
            stage.attempt(run)
            stage.say(*seen)


@_eagerly
def weights_of_one_output(tf, stage):
    a = tf.keras.Input((2,), name="a")
    for compiled in ({"run_eagerly": True},):
        model = tf.keras.Model(a, [_dense(tf, name="p")(a), _dense(tf, 2, name="q")(a)])
        model.compile(
            "sgd",
            ["mse", "mae"],
            metrics=["mae"],
            weighted_metrics=["mse"],
            loss_weights=[1, 3],
            **compiled,
        )
        y = [_Y, np.ones([4, 2])]
        weights = np.array([0.0, 1.0, 2.0, 5.0])
        stage.say(model.metrics_names)
        stage.attempts(
            lambda: model.test_on_batch(_X, y, [weights, None]),
            lambda: model.test_on_batch(_X, y, [None, weights]),
            lambda: model.test_on_batch(_X, y, {"q": weights}),
            lambda: model.train_on_batch(_X, y, {"p": weights}),
            lambda: model.train_on_batch(_X, y, class_weight={"p": {0: 2.0}}),
            lambda: model.evaluate(_X, y, 3, 0, [weights, None]),
            lambda: model.evaluate(_X, y, 4, 0),
        )
    model = tf.keras.Model(a, [_dense(tf, name="p")(a), _dense(tf, 2, name="q")(a)])
    for losses in (["mse", None],):
        model.compile("sgd", losses, run_eagerly=True, metrics={"q": "mae"})
        stage.say(model.metrics_names)
        stage.attempts(
            lambda: model.train_on_batch(_X, [_Y, np.ones([4, 2])]),
            lambda: model.train_on_batch(_X, _Y),
            lambda: model.train_on_batch(_X, np.ones([4, 2])),
        )


@_eagerly
def all_ways(tf, stage):
    model = tf.keras.Sequential([_dense(tf, input_shape=(2,)), tf.keras.layers.Dropout(0.0)])
    model.add(tf.keras.layers.BatchNormalization(momentum=0.5))
    model.compile("sgd", "mse", metrics=["mae"], run_eagerly=True)
    _in_all_ways(tf, stage, model, _X, _Y)
    model.layers[0].add_loss(lambda: tf.reduce_sum(model.layers[0].kernel))
    model.layers[2].trainable = False
    model.compile("sgd", "mae", run_eagerly=True)
    _in_all_ways(tf, stage, model, _X, _Y)
    model.trainable = False
    model.compile("sgd", "mae", run_eagerly=True)


def arguments_that_are_not_written(tf, stage):
    class Two(tf.keras.layers.Layer):
        def call(self, x, other=None, more=None):
            return x

    a = tf.keras.Input((2,), name="a")
    for given in (
        {"other": 3},
        {"other": object},
        {"more": [a]},
        {"other": np.ones(2), "more": len},
    ):
        with stage.failing():
            model = tf.keras.Model(a, Two(name="two")(a, **given))
            for _ in range(2):
                config = model.get_config()
                stage.say(sorted(given), config["layers"][1]["inbound_nodes"])
            stage.say(model.to_json() == model.to_json())
