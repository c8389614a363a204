"""Files of the keras package of 2018 and 2019, and its reading of tfmini's; runs under it, on TensorFlow 1.15.5.

python -m tests.models.keras.saving.old_keras write         old_keras_VERSION.h5 and .json, of the installed version
python -m tests.models.keras.saving.old_keras read FOLDER   weights.h5, sequential.h5 and their predictions: found.json
"""

import json
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))


def data():
    draw = np.random.RandomState(0)
    x = [draw.rand(10, 6, 6, 1), draw.randint(0, 8, (10, 4))]
    return x, np.eye(3)[draw.randint(0, 3, 10)]


def sequences():
    return np.random.RandomState(1).rand(4, 5, 2)


def made(keras):
    """Two inputs, layers of most kinds, but no random ones."""
    layers = keras.layers
    image, words = keras.Input((6, 6, 1), name="image"), keras.Input((4,), name="words")
    x = layers.Conv2D(2, 3, activation="relu", name="convolution")(image)
    x = layers.Flatten()(layers.MaxPooling2D()(layers.BatchNormalization(name="norm")(x)))
    y = layers.Embedding(8, 2, name="embedding")(words)
    lstm = layers.LSTM(
        2, recurrent_activation="hard_sigmoid", name="lstm"
    )  # keras 2.3 has another default
    y = layers.Bidirectional(lstm, name="both_ways")(y)
    out = layers.Dense(3, activation="softmax", kernel_regularizer="l2", name="classes")
    model = keras.models.Model([image, words], out(layers.concatenate([x, y])))
    model.compile(keras.optimizers.Adam(0.01), "categorical_crossentropy", metrics=["accuracy"])
    return model


def made_in_sequence(keras):
    layers = keras.layers
    how = {"recurrent_activation": "hard_sigmoid", "return_sequences": True}
    first = layers.GRU(3, input_shape=(5, 2), **how)
    rows = layers.TimeDistributed(layers.Dense(2))
    model = keras.models.Sequential([first, rows, layers.SimpleRNN(3)])
    model.compile("rmsprop", "mse")
    return model


def further(model):
    """The losses of two more epochs."""
    x, y = data()
    return model.fit(x, y, epochs=2, batch_size=5, shuffle=False, verbose=0).history["loss"]


def write(keras):
    path = os.path.join(HERE, "old_keras_" + keras.__version__)
    x, _ = data()
    model = made(keras)
    further(model)
    model.save(path + ".h5")
    found = {"predictions": model.predict(x).tolist(), "losses": [float(v) for v in further(model)]}
    with open(path + ".json", "w") as out:
        json.dump(found, out)
        out.write("\n")


def read(keras, folder):
    model = made(keras)
    model.load_weights(os.path.join(folder, "weights.h5"))
    sequential = made_in_sequence(keras)
    sequential.load_weights(os.path.join(folder, "sequential.h5"))
    with open(os.path.join(folder, "found.json")) as file:
        wanted = json.load(file)
    np.testing.assert_allclose(model.predict(data()[0]), wanted["model"], rtol=1e-4)
    np.testing.assert_allclose(sequential.predict(sequences()), wanted["sequential"], rtol=1e-4)


if __name__ == "__main__":
    import keras as installed

    if sys.argv[1] == "write":
        write(installed)
    else:
        read(installed, sys.argv[2])
