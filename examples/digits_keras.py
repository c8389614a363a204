"""Classifies handwritten digits with a convolutional network in tf.keras: scikit-learn's 1,797 scans of 8 x 8 pixels.

`fit` stops when the validation loss stops improving and saves the best weights as a checkpoint; the model is saved as
JSON next to it, and both are loaded again. TensorBoard plots the curves: `tensorboard --logdir FOLDER`.

    python examples/digits_keras.py                  # takes some seconds
    python examples/digits_keras.py --folder digits  # keeps the model and the curves there
"""

import argparse
import tempfile
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

import tfmini as tf

layers = tf.keras.layers


def load():
    """The scans as [n, 8, 8, 1] floats from 0 to 1 and their digits as [n] ints, split 80 to 20."""
    digits = load_digits()
    pixels = (digits.images[..., np.newaxis] / 16).astype(np.float32)
    return train_test_split(pixels, digits.target, test_size=0.2, random_state=0)


def build():
    """The compiled network."""
    model = tf.keras.Sequential(
        [
            layers.Conv2D(32, 3, padding="same", activation="relu", input_shape=(8, 8, 1)),
            layers.Conv2D(32, 3, padding="same", activation="relu"),
            layers.MaxPooling2D(),
            layers.Flatten(),
            layers.Dropout(0.3),
            layers.Dense(64, activation="relu"),
            layers.Dense(10, activation="softmax"),
        ]
    )
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


def train(model, pixels, digits, folder, epochs):
    """Trains with the last tenth of the scans as validation set; saves the weights of the best epoch."""
    callbacks = [
        tf.keras.callbacks.ModelCheckpoint(
            str(folder / "best"), save_best_only=True, save_weights_only=True
        ),
        tf.keras.callbacks.EarlyStopping(patience=5),
        tf.keras.callbacks.TensorBoard(str(folder / "curves")),
    ]
    return model.fit(
        pixels,
        digits,
        epochs=epochs,
        validation_split=0.1,
        callbacks=callbacks,
        verbose=2,
    )


def read_again(folder):
    """The model, from its description and its best weights."""
    model = tf.keras.models.model_from_json((folder / "model.json").read_text())
    model.load_weights(str(folder / "best")).expect_partial()  # not the optimizer's state
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--epochs", type=int, default=30, help="maximum number of epochs")
    parser.add_argument(
        "--folder", help="folder for the model and the curves (default: a temporary one)"
    )
    options = parser.parse_args()

    np.random.seed(0)
    tf.set_random_seed(0)
    train_pixels, test_pixels, train_digits, test_digits = load()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(options.folder or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        model = build()
        model.summary()
        history = train(model, train_pixels, train_digits, folder, options.epochs)
        print(f"stopped after {len(history.epoch)} epochs")
        (folder / "model.json").write_text(model.to_json())
        model.load_weights(str(folder / "best"))
        loss, accuracy = model.evaluate(test_pixels, test_digits, verbose=0)
        again = read_again(folder).evaluate(test_pixels, test_digits, verbose=0)
    assert np.allclose(again, [loss, accuracy], rtol=1e-5), "the file has other weights"
    print(f"test accuracy: {accuracy:.3f}")


if __name__ == "__main__":
    main()
