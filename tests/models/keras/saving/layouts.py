"""Entire models in HDF5 and the contents of the files; TensorFlow 1.15.5 runs it too, to write layouts.json.

python -m tests.models.keras.saving.layouts        layouts.json, by the TensorFlow that is installed
"""

import json
import os
import tempfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))


def classifier(keras):
    layers = keras.layers
    hidden = layers.Dense(5, "relu", input_shape=(4,), kernel_initializer="he_normal")
    limits = keras.regularizers.l1_l2(0.1, 0.2), keras.constraints.MaxNorm(2)
    out = layers.Dense(3, "softmax", kernel_regularizer=limits[0], bias_constraint=limits[1])
    model = keras.Sequential([hidden, layers.Dropout(0.3), layers.BatchNormalization(), out])
    model.compile(keras.optimizers.Adam(0.01), "categorical_crossentropy", metrics=["accuracy"])
    return model


def of_words(keras):
    layers = keras.layers
    words = layers.Embedding(10, 4, input_length=6, mask_zero=True)
    both = layers.Bidirectional(layers.GRU(2))
    first = layers.LSTM(3, return_sequences=True)
    model = keras.Sequential([words, first, both, layers.Dense(1, activation="sigmoid")])
    model.compile("adagrad", "binary_crossentropy", metrics=["accuracy"])
    return model


def of_two_inputs(keras):
    layers = keras.layers
    first, second = keras.Input((4,), name="first"), keras.Input((3,), name="second")
    hidden = layers.concatenate([layers.Dense(3, "tanh")(first), layers.LeakyReLU(0.2)(second)])
    outputs = [layers.Dense(2, name="a")(hidden), layers.Dense(1, "sigmoid", name="b")(hidden)]
    model = keras.Model([first, second], outputs)
    losses, weights = {"a": keras.losses.Huber(), "b": "mse"}, {"a": 1.0, "b": 0.5}
    model.compile("nadam", losses, loss_weights=weights, metrics={"b": "accuracy"})
    return model


def of_models(keras):
    layers = keras.layers
    inner = keras.Sequential([layers.Dense(3, input_shape=(4,)), layers.PReLU(), layers.ELU(0.5)])
    inputs = keras.Input((5, 4))
    cells = layers.RNN([layers.LSTMCell(3), layers.GRUCell(2)], name="cells")
    model = keras.Model(inputs, cells(layers.TimeDistributed(inner)(inputs)))
    model.compile(keras.optimizers.SGD(0.01, momentum=0.9, nesterov=True), "mse")
    return model


def trained(keras, make):
    """A model after one step, which creates the optimizer's variables."""
    keras.backend.clear_session()
    model = make(keras)
    shapes = [[2, *inputs.shape.as_list()[1:]] for inputs in model.inputs]
    targets = [np.ones([2, *out.shape.as_list()[1:]]) for out in model.outputs]
    model.train_on_batch([np.ones(shape) for shape in shapes], targets)
    return model


def _plain(value):
    value = value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value
    if isinstance(value, list):
        return [_plain(one) for one in value]
    value = value.decode() if isinstance(value, bytes) else value
    return json.loads(value) if value[:1] == "{" else value


def layout(h5py, path):
    """A file's groups, arrays and attributes, with the attributes' storage types."""
    result = {}

    def note(name, one):
        is_array = isinstance(one, h5py.Dataset)
        result[name] = [str(one.dtype), list(one.shape)] if is_array else "group"
        for key, value in one.attrs.items():
            attr_id = one.attrs.get_id(key)
            result[name + "@" + key] = [str(attr_id.dtype), list(attr_id.shape), _plain(value)]

    with h5py.File(path, "r") as file:
        note("", file)
        file.visititems(note)
    return result


def layouts(keras, h5py):
    result = {}
    with tempfile.TemporaryDirectory() as folder:
        for make in (classifier, of_words, of_two_inputs, of_models):
            path = os.path.join(folder, make.__name__ + ".h5")
            trained(keras, make).save(path)
            result[make.__name__] = layout(h5py, path)
    return result


if __name__ == "__main__":
    import h5py
    import tensorflow as tf

    with open(os.path.join(HERE, "layouts.json"), "w") as out:
        json.dump(layouts(tf.keras, h5py), out)
        out.write("\n")
