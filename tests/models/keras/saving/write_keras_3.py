"""Writes keras_3/ with Keras 3: models as `.keras` archives and HDF5 files, and their outputs.

usage: python write_keras_3.py      (a Python with TensorFlow 2)
"""

import os

import keras
import numpy as np
from keras import layers

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "keras_3")


def functional():
    x = keras.Input((6, 6, 2))
    y = layers.BatchNormalization()(layers.Conv2D(3, 3, activation="relu")(x))
    y = layers.Flatten()(layers.MaxPooling2D()(y))
    y = layers.Concatenate()([layers.Dropout(0.2)(y), layers.Dense(4)(y)])
    model = keras.Model(x, layers.Dense(2, "softmax")(y))
    model.compile("adam", "mse")
    return model


def sequential():
    both = layers.Bidirectional(layers.LSTM(2, return_sequences=True))
    last = layers.Dense(1, kernel_regularizer="l2")
    return keras.Sequential([keras.Input((5, 3)), both, layers.GRU(3, reset_after=True), last])


def nested():
    x = keras.Input((4,))
    inner = keras.Sequential(
        [
            keras.Input((4,)),
            layers.Dense(3, kernel_initializer="he_normal", name="first"),
            layers.ReLU(),
        ]
    )
    return keras.Model(x, layers.Dense(2, name="last")(inner(x)))


def unknown():
    x = keras.Input((4, 8))
    return keras.Model(x, layers.MultiHeadAttention(2, 3)(x, x))


if __name__ == "__main__":
    rng = np.random.default_rng(3)
    kept = {}
    for make in (functional, sequential, nested, unknown):
        keras.utils.set_random_seed(3)
        model, name = make(), make.__name__
        for weight in model.weights:
            weight.assign(rng.uniform(0.1, 1, weight.shape))
        model.save(f"{FOLDER}/{name}.keras")
        model.save(f"{FOLDER}/{name}.h5")
        fed = rng.standard_normal((3, *model.input_shape[1:])).astype("f")
        kept[f"{name}/fed"], kept[f"{name}/given"] = fed, model.predict(fed, verbose=0)
    np.savez(f"{FOLDER}/values.npz", **kept)
