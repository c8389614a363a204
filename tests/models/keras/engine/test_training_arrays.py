"""Training with `fit`: accepted data, callback arguments, errors and their texts."""

import re

import numpy as np
import pytest

import tfmini as tf
from tests.support.waiting import no_thread_stays

X = np.random.RandomState(0).rand(20, 4).astype(np.float32)

Y = np.random.RandomState(1).randint(0, 3, 20)


@pytest.fixture(autouse=True)
def _fresh():
    tf.keras.backend.clear_session()
    tf.set_random_seed(7)
    np.random.seed(2)
    yield
    tf.keras.backend.clear_session()


def compiled(**how):
    layers = tf.keras.layers
    model = tf.keras.Sequential([layers.Dense(5, input_shape=(4,)), layers.Dense(3, "softmax")])
    model.compile(**{"optimizer": "sgd", "loss": "sparse_categorical_crossentropy", **how})
    return model


class Batches(tf.keras.utils.Sequence):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        part = slice(5 * index, 5 * index + 5)
        return X[part], Y[part]


def batches():
    while True:
        yield from Batches()


def dataset():
    return tf.data.Dataset.from_tensor_slices((X, Y)).batch(5)


@pytest.mark.parametrize(
    "train",
    [
        lambda model: model.fit(X, Y, batch_size=5, shuffle=False, epochs=2, verbose=0),
        lambda model: model.fit_generator(batches(), 4, epochs=2, verbose=0),
        lambda model: model.fit_generator(Batches(), epochs=2, verbose=0, shuffle=False),
        lambda model: model.fit(dataset(), epochs=2, verbose=0),
        lambda model: model.fit(dataset().repeat(), epochs=2, steps_per_epoch=4, verbose=0),
    ],
)
def test_data_sources_train_alike(train):
    model = compiled()
    start = model.get_weights()
    history = train(model).history["loss"]
    result = model.get_weights()
    model.set_weights(start)
    for _ in range(2):
        losses = [model.train_on_batch(*batch) for batch in Batches()]
    np.testing.assert_allclose(history[1], np.mean(losses), rtol=1e-5)
    for one, other in zip(result, model.get_weights()):
        np.testing.assert_allclose(one, other, rtol=1e-5)


def test_results_agree_for_arrays_generators_and_datasets():
    model = compiled(metrics=["accuracy"])
    expected = model.predict(X)
    np.testing.assert_allclose(model.predict_generator(Batches()), expected, rtol=1e-5)
    np.testing.assert_allclose(model.predict(dataset()), expected, rtol=1e-5)
    right = (expected.argmax(-1) == Y).mean()
    for result in (
        model.evaluate(X, Y, verbose=0),
        model.evaluate_generator(Batches()),
        model.evaluate(dataset(), verbose=0),
    ):
        np.testing.assert_allclose(result[1], right, rtol=1e-6)


def test_subclass_is_built_by_first_data():
    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.hidden = [tf.keras.layers.Dense(4) for _ in range(2)]
            self.last = tf.keras.layers.Dense(3, activation="softmax")

        def call(self, inputs):
            for layer in self.hidden:
                inputs = layer(inputs)
            return self.last(inputs)

    model = Net()
    model.compile("adam", "sparse_categorical_crossentropy")
    first = model.fit(X, Y, epochs=1, verbose=0).history["loss"][0]
    assert model.fit(X, Y, epochs=30, verbose=0).history["loss"][-1] < first
    assert len(model.trainable_weights) == 6


def test_trainable_weights_come_first():
    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.hidden = [tf.keras.layers.BatchNormalization() for _ in range(2)]
            self.last = tf.keras.layers.BatchNormalization()

        def call(self, inputs):
            return self.last(self.hidden[1](self.hidden[0](inputs)))

    model = Net()
    model(tf.keras.Input([4]))
    ends = [weight.name.split("/")[-1] for weight in model.weights]
    trained, others = ["gamma:0", "beta:0"], ["moving_mean:0", "moving_variance:0"]
    assert ends == trained * 2 + others * 2 + trained + others


def test_zero_batch_size_is_refused():
    with pytest.raises(ZeroDivisionError, match="^(float )?division by zero$"):
        compiled().fit(X, Y, batch_size=0, verbose=0)


def test_epoch_line_text(capsys):
    compiled(metrics=["acc"]).fit(X, Y, epochs=2, verbose=2, validation_split=0.5)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Train on 10 samples, validate on 10 samples"
    assert lines[1] == "Epoch 1/2"
    assert re.match("10/10 - [0-9]+s - loss: ", lines[2])
    assert [part.split(":")[0] for part in lines[2].split(" - ")[2:]] == [
        "loss",
        "acc",
        "val_loss",
        "val_acc",
    ]


WRONG = [
    (lambda m: m.fit(X[:, :3], Y), "expected dense_input to have shape (4,) but got array with"),
    (
        lambda m: m.fit({"other": X}, Y),
        'No data provided for "dense_input". Need data for each key in',
    ),
    (lambda m: m.fit(X, Y[:5]), "Found 20 input samples and 5 target samples."),
    (lambda m: m.fit(X, Y, validation_steps=2), "`validation_steps` should not be specified"),
    (lambda m: m.compile("sgd", "nothing"), "Unknown loss function:nothing"),
    (lambda m: m.compile("nothing", "mse"), "Unknown optimizer: nothing"),
    (lambda m: m.compile("sgd", ["mse", "mse"]), "it should have one entry per model outputs"),
    (lambda m: m.fit(dataset(), Y), "you should not specify a target (`y`) argument"),
    (lambda m: m.get_layer("nothing"), "No such layer: nothing"),
    (lambda m: tf.keras.Sequential([tf.keras.layers.Dense(2)]).summary(), "not yet been built"),
    (lambda m: tf.keras.Model(m.input, tf.keras.Input([2])), "Graph disconnected"),
]


@pytest.mark.parametrize("call, message", WRONG, ids=[row[1][:24] for row in WRONG])
def test_invalid_arguments(call, message):
    with pytest.raises(ValueError) as caught:
        call(compiled())
    assert message in str(caught.value)


def test_outputs_of_other_row_count():
    """Several batches fill an array of the first output's shape, as in Keras; one batch is returned unchanged."""

    def predicted(function, size):
        at = tf.keras.Input((2,))
        return tf.keras.Model(at, tf.keras.layers.Lambda(function)(at)).predict(x, batch_size=size)

    x = np.arange(6, dtype=np.float32).reshape(3, 2)
    result = predicted(lambda x: tf.reduce_mean(x, 0, keepdims=True), 2)
    assert result.tolist() == [[1, 2], [1, 2], [4, 5]]
    assert predicted(lambda x: tf.tile(x[:, :1], [1, tf.shape(x)[0]]), 2).tolist() == [
        [0, 0],
        [2, 2],
        [4, 4],
    ]
    with pytest.raises(ValueError, match=r"could not broadcast input array from shape \(4,2\)"):
        predicted(lambda x: tf.concat([x, x], 0), 2)
    with pytest.raises(ValueError, match="Mismatch between expected batch size and model output"):
        predicted(lambda x: tf.concat([x, x], 0), 3)
    with pytest.raises(RuntimeError, match="Attempted to aggregate unsupported object"):
        predicted(tf.reduce_sum, 3)


def test_dataset_first_models_are_fed_every_epoch():
    layers = tf.keras.layers
    columns = [tf.feature_column.numeric_column(name) for name in ("a", "b")]
    model = tf.keras.Sequential([layers.DenseFeatures(columns), layers.Dense(1)])
    model.compile("sgd", "mse")
    rows = {"a": np.ones((6, 1), np.float32), "b": np.zeros((6, 1), np.float32)}
    data = tf.data.Dataset.from_tensor_slices((rows, np.ones((6, 1), np.float32))).batch(2)
    assert len(model.fit(data, epochs=3, verbose=0).history["loss"]) == 3
    assert [x.op.type for x in model.inputs.values()] == ["Placeholder", "Placeholder"]


def test_short_dataset_stops_training(caplog):
    dataset = tf.data.Dataset.from_tensor_slices((X, Y)).batch(5)
    history = compiled().fit(dataset, epochs=3, steps_per_epoch=3, verbose=0)
    assert history.epoch == [0, 1] and len(history.history["loss"]) == 2
    assert (
        "can generate at least `steps_per_epoch * epochs` batches (in this case, 9 batches)"
        in caplog.text
    )


def test_unshuffled_dataset_warns(caplog):
    dataset = tf.data.Dataset.from_tensor_slices((X, Y))
    warning = "Expected a shuffled dataset but input dataset `x` is not shuffled."
    compiled().fit(dataset.map(lambda x, y: (2 * x, y)).batch(5).prefetch(1), verbose=0)
    assert caplog.text.count(warning) == 1
    caplog.clear()
    compiled().fit(dataset.batch(5), verbose=0, shuffle=False)
    compiled().fit(dataset.shuffle(20).batch(5), verbose=0)
    compiled().fit(
        tf.data.Dataset.zip((dataset.shuffle(20), dataset)).map(lambda a, b: a).batch(5), verbose=0
    )
    assert warning not in caplog.text


def test_loading_into_unbuilt_model_is_refused(tmp_path):
    pytest.importorskip("h5py")
    path = str(tmp_path / "weights.h5")
    compiled().save_weights(path)
    with pytest.raises(
        ValueError, match="Weights for model .* have not yet been created. Weights are created when"
    ):
        tf.keras.Sequential([tf.keras.layers.Dense(3)]).load_weights(path)


def test_input_size_may_change_after_build():
    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.first = tf.keras.layers.Conv2D(2, 3, padding="same")

        def call(self, x):
            return self.first(x)

    model = Net()
    model.compile("sgd", "mse")
    model.train_on_batch(np.ones((2, 6, 6, 1)), np.ones((2, 6, 6, 2)))
    larger = model.predict(np.ones((1, 9, 8, 1)))
    same = model.predict(np.ones((1, 6, 6, 1)))
    assert larger.shape == (1, 9, 8, 2)
    np.testing.assert_allclose(larger[0, 1:5, 1:5], same[0, 1:5, 1:5], rtol=1e-5)


def test_training_resumes_from_latest_checkpoint(tmp_path):
    path = str(tmp_path / "at_{epoch}")
    saving = tf.keras.callbacks.ModelCheckpoint(path, save_weights_only=True)
    first = compiled()
    first.fit(X, Y, epochs=2, verbose=0, callbacks=[saving])
    loaded = tf.keras.callbacks.ModelCheckpoint(path, load_weights_on_restart=True)
    second = compiled()
    loaded.set_model(second)
    loaded.on_train_begin()
    for one, other in zip(first.get_weights(), second.get_weights()):
        np.testing.assert_array_equal(one, other)


def test_learning_phase_replaces_missing_targets():
    """As in TensorFlow, which feeds values by position: a pair of inputs and targets trains toward 1.0."""
    models = [compiled(loss="mse") for _ in range(2)]
    models[1].set_weights(models[0].get_weights())
    got = models[0].fit((X, Y), verbose=0, shuffle=False).history
    assert got == models[1].fit(X, np.ones((20, 3)), verbose=0, shuffle=False).history


def test_layers_property_is_read_only():
    with pytest.raises(AttributeError, match='Can\'t set the attribute "layers", likely because'):
        compiled().layers = []


@pytest.mark.parametrize("data", [Batches, batches])
def test_failed_training_leaves_no_thread(data):
    def fail(batch, logs):
        raise RuntimeError("enough")

    callback = tf.keras.callbacks.LambdaCallback(on_batch_end=fail)
    with no_thread_stays(), pytest.raises(RuntimeError, match="enough") as caught:
        compiled().fit_generator(data(), 4, epochs=2, verbose=0, workers=2, callbacks=[callback])
    assert caught.tb  # freeing its frames stops no thread
