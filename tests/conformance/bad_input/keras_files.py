"""tf.keras models with mismatched HDF5 files."""

import os
import tempfile

import numpy as np

from tests.conformance.bad_input.keras_models import _layers, _model

NEEDS = "h5py"


def weights_of_another_model(tf):
    layers = _layers(tf)
    path = os.path.join(tempfile.mkdtemp(), "weights.h5")
    one = tf.keras.Sequential([layers.Dense(5, input_shape=(4,), name="one")])
    one.save_weights(path)
    _model(tf).load_weights(path)


def weights_by_name_of_other_sizes(tf):
    layers = _layers(tf)
    path = os.path.join(tempfile.mkdtemp(), "weights.h5")
    tf.keras.Sequential([layers.Dense(5, input_shape=(3,), name="one")]).save_weights(path)
    _model(tf).load_weights(path, by_name=True)


def weights_of_an_unbuilt_model_saved(tf):
    layers = _layers(tf)
    tf.keras.Sequential([layers.Dense(3)]).save_weights(
        os.path.join(tempfile.mkdtemp(), "weights.h5")
    )


def saving_a_subclassed_model_as_hdf5(tf):
    layers = _layers(tf)

    class Own(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = layers.Dense(3)

        def call(self, x):
            return self.dense(x)

    model = Own()
    model.compile("sgd", "mse")
    model.train_on_batch(np.ones([2, 4]), np.ones([2, 3]))
    model.save(os.path.join(tempfile.mkdtemp(), "model.h5"))


def a_model_of_weights_alone(tf):
    path = os.path.join(tempfile.mkdtemp(), "weights.h5")
    _model(tf).save_weights(path)
    tf.keras.models.load_model(path)
