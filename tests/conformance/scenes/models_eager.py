"""Keras models in eager mode: batches, sizes, weights, errors, callbacks, TensorBoard v2."""

# ruff: noqa: B023  a function that is defined in a round is called in it

import contextlib
import functools
import os

import numpy as np

from tests.conformance.scenes import eager_mode
from tests.conformance.scenes.models_callbacks import _printed, _written

_X = np.arange(20, dtype=np.float32).reshape(10, 2) / 10
_Y = _X[:, :1]


def _eagerly(scene):
    """Runs the scene in eager mode, in a graph whose nodes are not recorded."""

    @functools.wraps(scene)
    def inside(tf, stage):
        with tf.Graph().as_default(), eager_mode(tf):
            with contextlib.suppress(AssertionError):  # of the enclosing graph
                tf.keras.backend.clear_session()
            tf.set_random_seed(1)
            scene(tf, stage)

    return inside


def _dense(tf, units=1, name="d", **options):
    half = tf.keras.initializers.Constant(0.5)
    return tf.keras.layers.Dense(units, kernel_initializer=half, name=name, **options)


def _one(tf, units=1, **options):
    model = tf.keras.Sequential([_dense(tf, units, input_shape=(2,))])
    model.compile(**{"optimizer": tf.keras.optimizers.SGD(0.1), "loss": "mse", **options})
    return model


def _two(tf, **options):
    a, b = tf.keras.Input((2,), name="a"), tf.keras.Input((1,), name="b")
    model = tf.keras.Model([a, b], [_dense(tf, 1, "p")(a), _dense(tf, 2, "q")(b)])
    model.compile(**{"optimizer": tf.keras.optimizers.SGD(0.1), "loss": "mse", **options})
    return model


def _fits(stage, model):
    """A function that fits a model from fixed initial weights and records the results."""

    def fit(*given, **options):
        model.set_weights([np.full_like(w, 0.25) for w in model.get_weights()])
        options = {"verbose": 0, "shuffle": False, **options}
        found = sorted(model.fit(*given, **options).history.items())
        return found, [w.tolist() for w in model.get_weights()]

    return fit


@_eagerly
def sizes_of_batches(tf, stage):
    for options in ({}, {"run_eagerly": True}, {"experimental_run_tf_function": False}):
        model = _one(tf, metrics=["mae"], **options)
        fit = _fits(stage, model)
        x, y = _X, _Y
        stage.say(sorted(options), model.run_eagerly, model.metrics_names)
        stage.attempts(
            lambda: fit(x, y),
            lambda: fit(x, y, batch_size=4),
            lambda: fit(x, y, batch_size=10),
            lambda: fit(x, y, batch_size=4, steps_per_epoch=2),
            lambda: fit(x, y, batch_size=5, steps_per_epoch=3),
            lambda: fit(x, y, batch_size=9, steps_per_epoch=2),
            lambda: fit(x, y, steps_per_epoch=5),
            lambda: fit(x, y, steps_per_epoch=3),
            lambda: fit(x, y, batch_size=4, validation_data=(x, y), validation_steps=1),
            lambda: fit(x, y, validation_steps=2),
            lambda: model.predict(x, batch_size=4).shape,
        )


@_eagerly
def data_of_all_kinds(tf, stage):
    model = _two(tf, metrics={"p": "mae"}, loss_weights=[1.0, 0.5], weighted_metrics={"q": "mse"})
    fit = _fits(stage, model)
    x, y = [_X, _Y], [_Y, np.ones([10, 2])]
    named, targets = {"a": _X, "b": _Y}, {"p": _Y, "q": y[1]}
    weights = np.arange(10.0)
    stage.say(model.metrics_names)
    data = tf.data.Dataset.from_tensor_slices
    slices = data((named, targets))
    stage.attempts(
        lambda: fit(x, y, batch_size=5),
        lambda: fit(named, targets, sample_weight=[weights, np.ones(10)], batch_size=4),
        lambda: fit(named, targets, sample_weight={"p": weights}, batch_size=4),
        lambda: fit(named, targets, sample_weight=weights),
        lambda: fit(slices.batch(5)),
        lambda: fit(slices.batch(4), epochs=2),
        lambda: fit(slices.batch(4).repeat(), steps_per_epoch=2),
        lambda: fit(slices.batch(5), steps_per_epoch=3),
        lambda: fit(slices.batch(5), validation_data=slices.batch(4)),
        lambda: fit(slices.batch(5), validation_data=(x, y)),
        lambda: fit(data((named, targets, {"p": weights, "q": weights})).batch(5)),
        lambda: fit(slices.batch(5), targets),
        lambda: fit(slices.batch(5), validation_split=0.5),
        lambda: fit(slices.batch(5), batch_size=5),
        lambda: fit([_Y, _X], y),
        lambda: [p.shape for p in model.predict(slices.batch(3))],
    )


@_eagerly
def sequences_and_generators(tf, stage):
    model = _one(tf, metrics=["mae"])
    fit = _fits(stage, model)

    class Rows(tf.keras.utils.Sequence):
        ended = 0

        def __len__(self):
            return 3

        def __getitem__(self, index):
            return _X[index * 3 : index * 3 + 3], _Y[index * 3 : index * 3 + 3]

        def on_epoch_end(self):
            self.ended += 1

    def rows(*parts, times=3):
        for _ in range(times):
            yield parts if len(parts) > 1 else parts[0]

    threads = {"workers": 0}
    seq = Rows()
    stage.attempts(
        lambda: fit(seq, **threads),
        lambda: fit(seq, steps_per_epoch=2, epochs=2, **threads),
        lambda: fit(rows(_X, _Y), steps_per_epoch=2, **threads),
        lambda: fit(rows(_X, _Y), **threads),
        lambda: fit(rows(_X, _Y), steps_per_epoch=2, epochs=2, **threads),
        lambda: fit(rows(_X, _Y, np.arange(10.0)), steps_per_epoch=1, **threads),
        lambda: fit(rows(_X, _Y), _Y, steps_per_epoch=1, **threads),
        lambda: fit(rows(_X, _Y), validation_split=0.1, steps_per_epoch=1, **threads),
        lambda: fit(rows(_X, _Y), sample_weight=_Y, steps_per_epoch=1, **threads),
        lambda: model.evaluate(seq, verbose=0, **threads),
        lambda: model.predict(seq, **threads).shape,
    )


@_eagerly
def losses_and_weights(tf, stage):
    layers = tf.keras.layers
    steps = np.arange(12, dtype=np.float32).reshape(2, 3, 2) / 10

    class Added(layers.Layer):
        def call(self, inputs, training=None):
            self.add_loss(tf.reduce_sum(inputs) * 0.5)
            self.add_metric(tf.reduce_max(inputs), "mean", "top")
            return inputs * (2.0 if training else 1.0)

    class Own(tf.keras.Model):
        def __init__(self):
            super().__init__(name="own")
            self.dense = _dense(tf)

        def call(self, inputs, training):
            return self.dense(inputs) * (2.0 if training else 1.0)

    def tried(model, x=_X, y=_Y, **options):
        fit = _fits(stage, model)
        stage.say(model.metrics_names)
        stage.attempt(fit, x, y, **{"batch_size": 4, **options})
        stage.say(model.metrics_names, [m.name for m in model.metrics])
        stage.attempts(lambda: model.evaluate(x, y, verbose=0), lambda: model.predict(x)[0])

    for how in ({}, {"run_eagerly": True}):
        model = tf.keras.Sequential([Added(input_shape=(2,)), _dense(tf, kernel_regularizer="l2")])
        model.compile(tf.keras.optimizers.SGD(0.1), "mse", ["mae"], **how)
        tried(model)
        own = Own()
        own.compile("sgd", "mae", **how)
        own.build((None, 2))
        tried(own)
        masked = tf.keras.Sequential([layers.Masking(0.0, input_shape=(3, 2)), _dense(tf)])
        masked.compile("sgd", "mse", ["mae"], weighted_metrics=["mae"], **how)
        tried(masked, steps * [[[1], [0], [1]], [[0], [1], [0]]], np.ones([2, 3, 1]))
        timed = tf.keras.Sequential([_dense(tf, input_shape=(3, 2))])
        timed.compile("sgd", "mse", sample_weight_mode="temporal", **how)
        tried(timed, steps, np.ones([2, 3, 1]), sample_weight=np.array([[1.0, 0, 2], [0, 0.5, 1]]))
        classes = _one(tf, 3, loss="sparse_categorical_crossentropy", metrics=["acc"], **how)
        tried(classes, y=np.arange(10)[:, None] % 3, class_weight={0: 1.0, 1: 2.0, 2: 0.0})
        scaled = tf.keras.mixed_precision.experimental.LossScaleOptimizer(
            tf.keras.optimizers.SGD(0.1), 8.0
        )
        tried(_one(tf, optimizer=scaled, **how))
        frozen = tf.keras.Sequential([_dense(tf, input_shape=(2,), trainable=False)])
        frozen.compile("sgd", "mse", **how)
        tried(frozen, batch_size=5)
        late = tf.keras.Sequential([_dense(tf)])
        late.compile("sgd", "mse", ["mae"], **how)
        stage.attempt(lambda: late.fit(_X, _Y, verbose=0).history)
        stage.say(late.built, late.input_names, late.output_names, late.inputs)


@_eagerly
def compiled_with_options(tf, stage):
    def named(**options):
        model = _two(tf, **options)
        return model.metrics_names, [m.name for m in model.metrics], model.run_eagerly

    stage.attempts(
        lambda: named(loss={"p": "mse"}),
        lambda: named(loss=[None, None]),
        lambda: named(metrics={"p": ["mae", "acc"], "q": "mse"}),
        lambda: named(weighted_metrics=["mae"], metrics=["mae"]),
        lambda: named(sample_weight_mode={"p": None, "q": "temporal"}),
        lambda: named(sample_weight_mode="none"),
        lambda: named(target_tensors=[tf.ones([4, 1])]),
        lambda: named(optimizer=tf.train.AdamOptimizer(0.1)),
        lambda: named(options=3),
        lambda: named(run_eagerly=True),
        lambda: named(run_eagerly=False),
    )

    class Dynamic(tf.keras.layers.Layer):
        def call(self, inputs):
            return inputs * 2.0

        def compute_output_shape(self, input_shape):
            return input_shape

    model = tf.keras.Sequential([Dynamic(dynamic=True, input_shape=(2,)), _dense(tf)])
    stage.attempt(lambda: (model.dynamic, model.compile("sgd", "mse"), model.run_eagerly))
    stage.attempt(lambda: model.compile("sgd", "mse", run_eagerly=False))
    stage.attempt(lambda: model.fit(_X, _Y, verbose=0).history)
    plain = tf.keras.Sequential([_dense(tf)])
    stage.attempts(
        lambda: plain.fit(_X, _Y),
        lambda: plain.evaluate(_X, _Y),
        lambda: plain.train_on_batch(_X, _Y),
        lambda: plain.test_on_batch(_X, _Y),
        lambda: plain.predict(_X)[0],
        lambda: plain.predict_on_batch(_X)[0],
    )
    other = _one(tf, optimizer=tf.train.GradientDescentOptimizer(0.1))
    stage.attempts(
        lambda: other.fit(_X, _Y, verbose=0, shuffle=False).history,
        lambda: other.fit(_X, _Y, batch_size=4, verbose=0, shuffle=False).history,
        lambda: other.fit(_X, _Y, batch_size=4, steps_per_epoch=2, verbose=0).history,
        lambda: other.predict(_X, steps=2).shape,
        lambda: other.evaluate(tf.constant(_X), tf.constant(_Y), verbose=0),
        lambda: other.fit(tf.data.Dataset.from_tensors((_X, _Y)), verbose=0).history,
    )


@_eagerly
def callbacks_are_told(tf, stage):
    class Told(tf.keras.callbacks.Callback):
        def __getattribute__(self, name):
            if name.startswith("on_"):
                return functools.partial(self.__dict__["told"], name)
            return super().__getattribute__(name)

        def __init__(self):
            super().__init__()

            def told(name, *given, logs=None):
                *number, logs = given if len(given) == 2 or not logs else (*given, logs)
                stage.say(name, *number, sorted(logs or {}), str((logs or {}).get("size")))

            self.told = told

        def set_params(self, params):
            stage.say([(key, str(params[key])) for key in sorted(params)])

    model = _one(tf, metrics=["mae"])
    rows = tf.data.Dataset.from_tensor_slices((_X[:4], _Y[:4])).batch(3)
    x, y = _X[:4], _Y[:4]
    for call in (
        lambda told: model.fit(x, y, 3, 2, 0, told, validation_data=(x, y)),
        lambda told: model.fit(rows, callbacks=told, verbose=0, validation_data=rows, epochs=2),
        lambda told: model.evaluate(x, y, callbacks=told, verbose=0),
        lambda told: model.predict(rows, callbacks=told),
    ):
        with stage.failing():
            call([Told()])
    of = tf.keras.callbacks
    folder = stage.folder
    for make in (
        lambda: of.EarlyStopping("loss", patience=1, verbose=1, restore_best_weights=True),
        lambda: of.ModelCheckpoint(folder + "/m{epoch}.h5", "loss", 1, save_freq=4),
        lambda: of.ModelCheckpoint(folder + "/w{epoch}", "loss", 1, save_weights_only=True),
        lambda: of.LearningRateScheduler(lambda epoch, rate: rate / 2, verbose=1),
        lambda: of.ReduceLROnPlateau("loss", 0.5, 1, 1, min_delta=10.0),
        lambda: of.TerminateOnNaN(),
    ):
        with _printed(stage), stage.failing():
            found = model.fit(x, y, 2, 3, 0, [make()], shuffle=False).history
            stage.say([float(rate) for rate in found.get("lr", ())])
        stage.files()


@_eagerly
def newer_boards(tf, stage):
    make = tf.compat.v2.keras.callbacks.TensorBoard
    layers = tf.keras.layers
    for number, options in enumerate(
        (
            {},
            {"histogram_freq": 1},
            {"histogram_freq": 2, "write_images": True, "write_graph": False},
            {"update_freq": "batch", "write_graph": False},
            {"update_freq": 2},
            {"embeddings_freq": 2},
            {"embeddings_freq": 1, "embeddings_metadata": {"none": "e.tsv"}},
        )
    ):
        folder = f"{stage.folder}/{number}"
        stage.say(number)
        with stage.failing():
            board = make(folder, profile_batch=0, **options)
            embedding = layers.Embedding(3, 2, name="e", input_length=2)
            model = tf.keras.Sequential([embedding, layers.Flatten(name="f"), _dense(tf)])
            model.compile("sgd", "mse", metrics=["mae"])
            rows = np.array([[0, 1], [2, 1], [1, 1], [0, 0]])
            model.fit(rows, _Y[:4], 2, 3, 0, [board], validation_data=(rows, _Y[:4]))
        if os.path.isdir(folder):
            _written(tf, stage, folder)
            path = folder + "/projector_config.pbtxt"
            if os.path.exists(path):
                stage.say(open(path).read().replace("\n", " "))
