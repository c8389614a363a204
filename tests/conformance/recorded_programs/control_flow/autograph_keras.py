"""Subclassed layers and models with Python control flow in `call`: by `training`, by values, in loops."""

from tests.conformance.recorded_programs.control_flow._autograph import settle
from tests.conformance.recorded_programs.keras._keras import data, trained

TOLERANCE = 2e-4  # of trained weights


def build(tf):
    settle()
    layers, keras = tf.keras.layers, tf.keras

    class Shrink(layers.Layer):
        def call(self, x):
            while tf.reduce_max(tf.abs(x)) > 2.0:
                x = x * 0.5
            return x

    class Chooser(keras.Model):
        def __init__(self):
            super().__init__(name="chooser")
            self.hidden = layers.Dense(5, activation="tanh")
            self.shrink = Shrink()
            self.out = layers.Dense(3, activation="softmax")

        def call(self, x, training=None):
            x = self.shrink(x)
            if training:
                x = x + 0.1
            if tf.reduce_mean(x) > 0.0:
                hidden = self.hidden(x)
            else:
                hidden = self.hidden(-x)
            for _ in range(2):
                hidden = hidden * 1.5
            return self.out(hidden)

    keras.backend.manual_variable_initialization(True)
    model = Chooser()
    x, y = data(24)
    model._set_inputs(x)
    model.compile(keras.optimizers.SGD(0.05), "sparse_categorical_crossentropy")
    model._make_train_function()
    model._make_test_function()
    model._make_predict_function()
    keras.backend.manual_variable_initialization(False)
    return {
        "steps": [("training", trained(model, x, y, validation_data=(x[:6], y[:6]), shuffle=False))]
    }
