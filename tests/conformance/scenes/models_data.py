"""Keras models' data: arrays, dicts, lists and tensors, sample and class weights, modes, errors."""

import numpy as np

from tests.conformance.scenes import in_own_graph

_X = np.arange(8, dtype=np.float32).reshape(4, 2) / 10
_Y = _X[:, :1]
_STEPS = np.arange(12, dtype=np.float32).reshape(2, 3, 2) / 10


def _constant(tf, units, name, **options):
    half = tf.keras.initializers.Constant(0.5)
    return tf.keras.layers.Dense(units, kernel_initializer=half, name=name, **options)


def _two(tf, **options):
    """A model with two inputs and two outputs."""
    a, b = tf.keras.Input((2,), name="a"), tf.keras.Input((1,), name="b")
    model = tf.keras.Model([a, b], [_constant(tf, 1, "p")(a), _constant(tf, 2, "q")(b)])
    model.compile(**{"optimizer": tf.keras.optimizers.SGD(0.1), "loss": "mse", **options})
    return model


def _one(tf, units=1, **options):
    model = tf.keras.Sequential([_constant(tf, units, "d", input_shape=(2,))])
    model.compile(**{"optimizer": tf.keras.optimizers.SGD(0.1), "loss": "mse", **options})
    return model


@in_own_graph
def of_two_inputs(tf, stage):
    model = _two(tf, metrics={"p": "mae", "q": ["mse", "mae"]}, loss_weights=[1.0, 0.5])
    stage.say(model.metrics_names, model.input_names, model.output_names)
    y = [_Y, np.ones([4, 2])]
    named = {"a": _X, "b": _Y}

    def test(x, y, **options):
        return model.test_on_batch(x, y, **options)

    stage.attempts(
        lambda: test([_X, _Y], [_Y, np.ones([3, 2])]),
        lambda: test([_X, _X], y),
        lambda: test([_X, _STEPS], y),
        lambda: test(named, y, sample_weight={"none": np.arange(4.0)}),
        lambda: test(named, y, sample_weight=np.arange(4.0)),
        lambda: model.train_on_batch(named, y, class_weight={"none": {0: 1.0}}),
        lambda: model.predict_on_batch(named),
    )


@in_own_graph
def compiled_with_options(tf, stage):
    def named(**options):
        model = _two(tf, **options)
        return model.metrics_names, [m.name for m in model.metrics], len(model.total_loss.shape)

    stage.attempts(
        lambda: named(sample_weight_mode={"p": "temporal"}),
        lambda: named(target_tensors={"none": tf.ones([4, 1])}),
        lambda: named(run_eagerly=True),
    )
    added = tf.keras.Sequential([_constant(tf, 1, "d", input_shape=(2,))])
    added.add_loss(tf.reduce_mean(added.outputs[0]))
    added.add_metric(tf.reduce_max(added.outputs[0]), "mean", "top")
    added.compile("sgd")


@in_own_graph
def weighted(tf, stage):
    model = _one(tf, weighted_metrics=["mae"], metrics=["mae"])
    bits = np.array([[0], [1], [1], [0]], np.int32)
    stage.say(model.metrics_names)

    def fit(y=_Y, model=model, x=_X, **options):
        model.set_weights([np.full_like(w, 0.25) for w in model.get_weights()])
        found = model.fit(x, y, verbose=0, batch_size=3, shuffle=False, **options).history
        return sorted(found.items()), [w.tolist() for w in model.get_weights()]

    three = _one(tf, 3, loss="sparse_categorical_crossentropy")
    hot = _one(tf, 3, loss="categorical_crossentropy")
    classes = np.array([[0], [2], [1], [2]])
    onehot = np.eye(3)[classes[:, 0]]
    stage.attempts(
        fit,
        lambda: fit(bits, class_weight={0: 1.0, 1: 3.0}, sample_weight=np.arange(4.0)),
        lambda: fit(classes, three, class_weight={0: 1.0, 1: 2.0, 2: 0.0}),
        lambda: fit(onehot, hot, class_weight={0: 1.0, 1: 2.0, 2: 0.0}),
        lambda: fit(classes, hot),
        lambda: fit(validation_data=_X),
        lambda: fit(validation_split=0.25, sample_weight=np.arange(4.0)),
        lambda: fit(validation_split=-0.5),
        lambda: fit(validation_data=(_X, _Y), validation_freq=[1, 3], epochs=3),
        lambda: fit(validation_data=(_X, _Y), validation_freq=0),
        lambda: fit(validation_data=(_X, _Y), validation_freq="a"),
        lambda: fit(nb_epoch=2),
        lambda: fit(3),
        lambda: fit(_Y, x=_X.tolist()),
    )


@in_own_graph
def weighted_in_time(tf, stage):
    def made(mode, mask=False, **options):
        layers = tf.keras.layers
        parts = [layers.Masking(0.0, input_shape=(3, 2), name="m")] if mask else []
        dense = _constant(tf, 1, "d", **({} if mask else {"input_shape": (3, 2)}))
        model = tf.keras.Sequential([*parts, layers.TimeDistributed(dense, name="t")])
        model.compile("sgd", "mse", sample_weight_mode=mode, **options)
        return model

    y = np.ones([2, 3, 1])
    weights = np.array([[1.0, 0.0, 2.0], [0.0, 0.5, 1.0]])
    timed = made("temporal", weighted_metrics=["mae"])
    stage.attempts(
        lambda: timed.test_on_batch(_STEPS, y, sample_weight=weights[:, :2]),
        lambda: timed.test_on_batch(_STEPS, y, sample_weight=weights[:, :, None]),
        lambda: _one(tf, sample_weight_mode="samplewise").test_on_batch(_X, _Y, np.ones(4)),
    )


@in_own_graph
def tensors_and_datasets(tf, stage):
    model = _one(tf, metrics=["mae"])
    x, y = tf.constant(_X), tf.constant(_Y)
    data = tf.data.Dataset.from_tensor_slices
    rows = data((_X, _Y)).batch(2)

    def fit(*given, **options):
        model.set_weights([np.full_like(w, 0.25) for w in model.get_weights()])
        return sorted(model.fit(*given, verbose=0, **options).history.items())

    stage.attempts(
        lambda: fit(x, y, steps_per_epoch=1, validation_split=0.5),
        lambda: fit(x, y, steps_per_epoch=1, validation_data=(x, y)),
        lambda: model.evaluate(x, y, verbose=0),
        lambda: fit(rows, class_weight={0: 1.0}, steps_per_epoch=1),
        lambda: fit(tf.data.make_initializable_iterator(rows), steps_per_epoch=2),
        lambda: model.train_on_batch(rows),
    )


@in_own_graph
def generators(tf, stage):
    model = _one(tf)

    def rows(*parts, times=4):
        for _ in range(times):
            yield parts

    class Two(tf.keras.utils.Sequence):
        ended = 0

        def __len__(self):
            return 2

        def __getitem__(self, index):
            return _X[index : index + 2], _Y[index : index + 2]

        def on_epoch_end(self):
            self.ended += 1

    def fit(given, kind="fit", **options):
        model.set_weights([np.full_like(w, 0.25) for w in model.get_weights()])
        made = getattr(model, kind)(given, verbose=0, workers=0, **options)
        return sorted(made.history.items()), model.get_weights()[0].tolist()

    two = Two()
    by = "fit_generator"
    stage.attempts(
        lambda: fit(rows(_X, _Y), by, steps_per_epoch=2),
        lambda: fit(rows(_X, _Y, np.arange(4.0)), by, steps_per_epoch=1),
        lambda: fit(
            rows(_X, (_Y * 4).astype(int)), by, steps_per_epoch=1, class_weight={0: 2, 1: 1}
        ),
        lambda: fit(rows(_X, _Y), by, steps_per_epoch=2, validation_data=(_X, _Y)),
        lambda: fit(rows(_X, _Y), by, steps_per_epoch=1, validation_data=rows(_X, _Y)),
        lambda: fit(
            rows(_X, _Y), by, steps_per_epoch=1, validation_data=rows(_X, _Y), validation_steps=2
        ),
        lambda: fit(rows(_X, _Y), by, steps_per_epoch=1, validation_data=two),
        lambda: fit(two, by, epochs=2),
        lambda: fit(two, by, steps_per_epoch=1, shuffle=False),
        lambda: fit(two),
        lambda: fit(two, sample_weight=np.ones(2)),
        lambda: fit(two, validation_split=0.5),
        lambda: fit(two, batch_size=2),
        lambda: fit(rows(_X, _Y), steps_per_epoch=3, epochs=2),
        lambda: fit(rows(_X, _Y)),
        lambda: model.fit(rows(_X, _Y), _Y, steps_per_epoch=1),
        lambda: model.evaluate_generator(two, workers=0),
        lambda: model.predict_generator(rows(_X), 2, workers=0).shape,
        lambda: model.predict_generator(rows(_X, _Y), 5, workers=0),
        lambda: model.predict(two).shape,
        lambda: model.evaluate(two, verbose=0),
        lambda: tf.keras.utils.Sequence()[0],
        lambda: len(tf.keras.utils.Sequence()),
    )
