"""ModelCheckpoint: save times and file names, as in TensorFlow 1.15.5."""

import numpy as np
import pytest

import tfmini as tf

NAMES = "{epoch}-{batch}-{size}"


@pytest.fixture
def saved():
    """`saved(epochs, path, ...)` trains for some epochs of five batches of 4 examples and one of 2: the paths."""
    tf.keras.backend.clear_session()
    inputs = tf.keras.Input([2])
    model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(inputs))
    model.compile("sgd", "mse")
    result = []
    model.save = lambda path, overwrite: result.append(path)
    model.save_weights = lambda path, overwrite: result.append(f"weights of {path}")

    def train(epochs, *args, **how):
        checkpoint = tf.keras.callbacks.ModelCheckpoint(*args, **how)
        result.clear()
        x, y = np.ones([22, 2]), np.ones([22, 1])
        model.fit(x, y, batch_size=4, epochs=epochs, verbose=0, callbacks=[checkpoint])
        return result

    return train


@pytest.mark.parametrize(
    "save_freq, expected",
    [
        (1, ["1-0-4", "1-1-4", "1-2-4", "1-3-4", "1-4-4", "1-5-2"]),
        (4, ["1-0-4", "1-1-4", "1-2-4", "1-3-4", "1-4-4"]),
        (10, ["1-2-4", "1-5-2", "2-2-4", "2-5-2", "3-2-4", "3-5-2"]),
        (12, ["1-2-4", "2-0-4", "2-3-4", "3-1-4", "3-4-4"]),
        (13, ["1-3-4", "2-1-4", "2-5-2", "3-3-4"]),
        (1000, []),
    ],
)
def test_save_freq_in_examples(saved, save_freq, expected):
    epochs = 1 if save_freq < 10 else 3
    assert saved(epochs, NAMES, save_freq=save_freq) == expected


@pytest.mark.parametrize(
    "how, expected",
    [
        ({}, ["1", "2", "3", "4", "5"]),
        ({"period": 2}, ["2", "4"]),
        ({"period": 3, "save_weights_only": True}, ["weights of 3"]),
        ({"save_best_only": True, "monitor": "nothing"}, []),
        ({"save_best_only": True, "monitor": "loss"}, ["1", "2", "3", "4", "5"]),
        ({"save_best_only": True, "monitor": "loss", "mode": "max"}, ["1"]),
    ],
)
def test_save_freq_in_epochs(saved, how, expected):
    assert saved(5, "{epoch}", **how) == expected


def test_improvement_is_reported(saved, capsys):
    how = {"save_best_only": True, "mode": "min", "save_freq": 8, "verbose": 1}
    assert saved(1, "{epoch}-{batch}", "size", **how) == ["1-1"]
    assert capsys.readouterr().out == (
        "\nEpoch 00001: size improved from inf to 4.00000, saving model to 1-1\n"
        "\nEpoch 00001: size did not improve from 4.00000\n"
    )


@pytest.mark.parametrize(
    "monitor, mode, better, start",
    [
        ("val_acc", "auto", np.greater, -np.inf),
        ("loss", "auto", np.less, np.inf),
        ("loss", "max", np.greater, -np.inf),
        ("fmeasure_x", "auto", np.greater, -np.inf),
        ("loss", "other", np.less, np.inf),
    ],
)
def test_monitor_direction(monitor, mode, better, start):
    result = tf.keras.callbacks.ModelCheckpoint("x", monitor, mode=mode)
    assert (result.monitor_op, result.best) == (better, start)


def test_lambda_callback_receives_final_logs():
    logs = []
    tf.keras.callbacks.LambdaCallback(on_train_end=logs.append).on_train_end({"loss": 1.5})
    assert logs == [{"loss": 1.5}]
