"""Output of `fit` in eager mode, and callback parameters, as in TensorFlow 1.15.5."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.models.keras.engine.epoch_batches import rows_of_batches

pytestmark = pytest.mark.usefixtures("eager")

X, Y = np.random.RandomState(0).rand(10, 4).astype(np.float32), np.ones((10, 1), np.float32)


class Noted(tf.keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.sizes, self.begun = [], {}

    def note(self, mode):
        names = ("batch_size", "samples", "steps")
        self.begun[mode] = tuple(self.params[name] for name in names)

    def on_train_begin(self, logs=None):
        self.note("train")

    def on_test_begin(self, logs=None):
        self.note("test")

    def on_predict_begin(self, logs=None):
        self.note("predict")

    def on_train_batch_begin(self, batch, logs=None):
        self.sizes.append([logs["size"]])

    def on_train_batch_end(self, batch, logs=None):
        self.sizes[-1].append(logs["size"])


class Batches(tf.keras.utils.Sequence):
    def __len__(self):
        return 3

    def __getitem__(self, index):
        return X[index * 3 : index * 3 + 3], Y[index * 3 : index * 3 + 3]


def _generator():
    while True:
        yield X[:5], Y[:5]


def _dataset():
    return tf.data.Dataset.from_tensor_slices((X, Y)).batch(4)


def _model():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
    model.compile("sgd", "mse")
    return model


@pytest.mark.parametrize(
    "arguments, line, parameters, sizes",
    [
        (
            {"x": X, "y": Y, "batch_size": 4, "validation_split": 0.3},
            "Train on 7 samples, validate on 3 samples",
            (4, 7, 2),
            [[4, 4], [3, 3]],
        ),
        (
            {"x": X, "y": Y, "steps_per_epoch": 2},
            "Train on 10 samples",
            (5, 10, 2),
            [[5, 5], [5, 5]],
        ),
        (
            {"x": _dataset, "validation_data": _dataset},
            None,
            (None, None, None),
            [[1, 4], [1, 4], [1, 2], [1]],
        ),
        (
            {"x": lambda: _dataset().repeat(), "steps_per_epoch": 2},
            "Train for 2 steps",
            (None, 2, 2),
            [[1, 4], [1, 4]],
        ),
        (
            {"x": Batches, "validation_data": _dataset},
            "Train on 9 samples, validate for 3 steps",
            (None, 9, 3),
            [[3, 3]] * 3,
        ),
        (
            {"x": _generator, "steps_per_epoch": 2, "validation_data": (X, Y)},
            "Train for 2 steps, validate on 10 samples",
            (None, 2, 2),
            [[1, 5], [1, 5]],
        ),
    ],
    ids=["arrays", "arrays in steps", "dataset", "endless dataset", "sequence", "generator"],
)
def test_fit(capsys, arguments, line, parameters, sizes):
    inputs = {k: v() if callable(v) else v for k, v in arguments.items()}
    noted = Noted()
    _model().fit(**inputs, verbose=2, callbacks=[noted])
    printed = capsys.readouterr().out.split("\n")
    assert printed[0] == line if line else not printed[0].startswith("Train")
    assert (noted.begun["train"], noted.sizes) == (parameters, sizes)


@pytest.mark.parametrize(
    "data, parameters",
    [
        (lambda: X, (32, True, 1)),
        (_dataset, (None, False, 3)),
        (Batches, (None, True, 3)),
    ],
    ids=["arrays", "dataset", "sequence"],
)
def test_evaluate_and_predict(data, parameters):
    noted, model = Noted(), _model()
    targets = {"y": Y} if data() is X else {}
    model.evaluate(data(), **targets, verbose=0, callbacks=[noted])
    model.predict(data(), callbacks=[noted])
    assert noted.begun == {"test": parameters, "predict": parameters}


def test_progress_bar_learns_dataset_length(capsys):
    _model().fit(_dataset(), epochs=2, verbose=1)
    first, second = capsys.readouterr().out.split("Epoch 2/2")
    assert "1/Unknown" in first and "3/3 [====" in first
    assert "1/3 [====" in second


def test_mismatched_steps_are_refused(caplog):
    with pytest.raises(ValueError, match="^The number of samples 10 is not divisible by steps 3."):
        _model().fit(X, Y, steps_per_epoch=3)
    with pytest.raises(ValueError, match="^Number of samples 10 is less than samples required for"):
        _model().fit(X, Y, batch_size=5, steps_per_epoch=3)
    history = _model().fit(X, Y, batch_size=4, steps_per_epoch=1, epochs=3, verbose=0)
    assert len(history.history["loss"]) == 3
    _model().fit(X, Y, verbose=0, validation_data=(X, Y), validation_steps=2)
    assert "Your input ran out of data; interrupting training." in caplog.text


def test_exhausted_generator_reveals_step_count():
    outputs = _model().predict(x for x in (X[:4], X[4:]))
    assert outputs.shape == (10, 1)


def test_batch_shuffle_keeps_short_batch_last():
    np.random.seed(3)
    orders = set()
    rows = rows_of_batches(9, 2, "batch")
    for _ in range(8):
        epoch = [next(rows).tolist() for _ in range(5)]
        assert epoch[-1] == [8]
        assert sorted(epoch[:4]) == [[0, 1], [2, 3], [4, 5], [6, 7]]
        orders.add(str(epoch))
    assert len(orders) > 3
