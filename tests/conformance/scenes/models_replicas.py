"""Keras models under multi-device strategies: arguments and errors of compile and fit, sizes, weights, callbacks."""

import functools

import numpy as np

_X = np.arange(24, dtype=np.float32).reshape(12, 2) / 10
_Y = _X[:, :1]


def _in_a_session(scene):
    """Runs the scene in a separate graph, and in a Keras session with two CPUs."""

    @functools.wraps(scene)
    def inside(tf, stage):
        with tf.Graph().as_default():
            config = tf.ConfigProto(device_count={"CPU": 2})
            tf.keras.backend.set_session(tf.Session(config=config))
            scene(tf, stage, tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"]))
            tf.keras.backend.set_session(None)

    return inside


def _dense(tf, units=1, name="d", **options):
    half = tf.keras.initializers.Constant(0.5)
    return tf.keras.layers.Dense(units, kernel_initializer=half, name=name, **options)


def _one(tf, strategy, **options):
    with strategy.scope():
        model = tf.keras.Sequential([_dense(tf, input_shape=(2,))])
        model.compile(**{"optimizer": tf.keras.optimizers.SGD(0.1), "loss": "mse", **options})
    return model


@_in_a_session
def refused(tf, stage, strategy):

    def compiled(make, **options):
        with strategy.scope():
            model = make()
            model.compile("sgd", "mse", **options)
            return model.metrics_names

    plain = lambda: tf.keras.Sequential([_dense(tf, input_shape=(2,))])  # noqa: E731
    stage.attempts(
        lambda: compiled(plain, weighted_metrics=["mae"]),
        lambda: compiled(plain, sample_weight_mode="temporal"),
        lambda: compiled(plain, target_tensors=[tf.zeros([2, 1])]),
        lambda: compiled(plain, metrics=["mae"], loss_weights=[2.0]),
        lambda: compiled(lambda: tf.keras.Sequential([_dense(tf)])),
    )
    model = _one(tf, strategy, metrics=["mae"])
    rows = tf.data.Dataset.from_tensor_slices((_X, _Y)).batch(6)
    fit = functools.partial(model.fit, verbose=0, shuffle=False)
    stage.attempts(
        lambda: fit(_X, _Y, class_weight={0: 1.0}),
        lambda: fit(_X, _Y, validation_split=0.5),
        lambda: fit(_X, _Y, batch_size=5, steps_per_epoch=5),
        lambda: fit(rows, _Y),
        lambda: fit(rows, batch_size=3),
        lambda: fit(rows.repeat()),
        lambda: model.evaluate(_X, _Y, batch_size=5, verbose=0),
        lambda: model.predict(_X, batch_size=5),
        lambda: model.fit_generator(iter([(_X, _Y)]), 1),
        lambda: model.evaluate_generator(iter([(_X, _Y)]), 1),
        lambda: model.predict_generator(iter([_X]), 1),
    )


@_in_a_session
def sizes_and_values(tf, stage, strategy):
    model = _one(tf, strategy, metrics=["mae"])
    rows = tf.data.Dataset.from_tensor_slices((_X, _Y)).batch(6)

    def fit(*given, **options):
        model.set_weights([np.full_like(w, 0.25) for w in model.get_weights()])
        options = {"verbose": 0, "shuffle": False, **options}
        history = model.fit(*given, **options)
        params = sorted((k, str(v)) for k, v in history.params.items() if k != "metrics")
        return sorted(history.history.items()), [w.tolist() for w in model.get_weights()], params

    weights = np.arange(12, dtype=np.float32)
    stage.attempts(
        lambda: fit(_X, _Y, batch_size=8),
        lambda: fit(_X, _Y, steps_per_epoch=3),
        lambda: fit(_X, _Y, batch_size=4, validation_data=(_X, _Y, weights)),
        lambda: fit(rows.repeat(), steps_per_epoch=3),
        lambda: model.evaluate(_X, _Y, batch_size=4, steps=2, verbose=0),
        lambda: model.evaluate(_X, _Y, batch_size=4, verbose=0, sample_weight=weights),
        lambda: model.evaluate(rows, verbose=0),
        lambda: model.predict(_X, batch_size=4, steps=2).shape,
        lambda: [str(w.device) for w in model.weights[0].values],
    )
    path = stage.folder + "/m.h5"
    model.save(path)
    again = tf.keras.models.load_model(path)
    stage.say(again.predict(_X[:2]), again.metrics_names)
    model.save_weights(stage.folder + "/w")
    stage.say([name for name, _ in tf.train.list_variables(stage.folder + "/w")])


@_in_a_session
def several_outputs(tf, stage, strategy):
    with strategy.scope():
        a, b = tf.keras.Input((2,), name="a"), tf.keras.Input((1,), name="b")
        x = tf.keras.layers.BatchNormalization(name="norm")(a)
        model = tf.keras.Model([a, b], [_dense(tf, 1, "p")(x), _dense(tf, 2, "q")(b)])
        model.compile("sgd", "mse", metrics={"p": ["mae"]}, loss_weights=[1.0, 0.5])
    named, targets = {"a": _X, "b": _Y}, {"p": _Y, "q": _X}
    stage.say(model.metrics_names)
    fit = functools.partial(model.fit, verbose=0, shuffle=False, batch_size=6)
    stage.attempts(
        lambda: sorted(fit([_X, _Y], [_Y, _X]).history.items()),
        lambda: sorted(
            model.fit(
                tf.data.Dataset.from_tensor_slices((named, targets)).batch(6), verbose=0
            ).history
        ),
    )


@_in_a_session
def named_in_another_order(tf, stage, strategy):
    with strategy.scope():
        z, a = tf.keras.Input((1,), name="z"), tf.keras.Input((1,), name="a")
        first, second = _dense(tf, 1, "p")(z), _dense(tf, 1, "o")(a)
        model = tf.keras.Model([z, a], [first, second])
        model.compile(tf.keras.optimizers.SGD(0.1), ["mse", "mae"], ["mse"])
    x, y = _X[:4, :1], _X[4:8, 1:] * 2.0
    data = tf.data.Dataset.from_tensor_slices
    stage.say(model.metrics_names)

    def fit(*given, **options):
        model.set_weights([np.full_like(w, 0.25) for w in model.get_weights()])
        options = {"verbose": 0, "shuffle": False, **options}
        found = sorted(model.fit(*given, **options).history.items())
        return found, [w.tolist() for w in model.get_weights()]

    named = {"a": y, "z": x}
    rows = data((named, (x, y)))
    stage.attempts(lambda: fit(rows.batch(2), validation_data=rows.batch(4)))


def values_reduced(tf, stage):
    op = tf.distribute.ReduceOp
    for devices in (["/cpu:0", "/cpu:1"], ["/cpu:0"]):
        strategy = tf.distribute.MirroredStrategy(devices)
        for value in (0, 0.0, False, np.float32(0), 3, 1.5, None, "", np.zeros(2), tf.zeros([])):
            for way in (op.SUM, op.MEAN):
                with stage.failing(), strategy.scope():
                    stage.say(type(value).__name__, way.name)
                    made = strategy.reduce(way, value)
                    stage.say(type(made).__name__, made)
