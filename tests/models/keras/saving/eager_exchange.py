"""Saves objects as SavedModels in eager mode, or loads and trains them further, printing a line of facts for each.

python eager_exchange.py write|read FOLDER      with TensorFlow 1.15.5, or as a program of tfmini
"""

import json
import sys

import numpy as np
import tensorflow as tf

tf.enable_eager_execution()
layers = tf.keras.layers
X = np.random.RandomState(0).rand(8, 3).astype("float32")
Y = np.random.RandomState(1).rand(8, 2).astype("float32")


class Net(tf.keras.Model):
    """A subclassed model with layers in a list."""

    def __init__(self):
        super().__init__()
        l2 = tf.keras.regularizers.l2(0.1)
        self.hidden = [
            layers.Dense(4, activation="relu", kernel_regularizer=l2),
            layers.BatchNormalization(),
        ]
        self.dropped = layers.Dropout(0.0)
        self.last = layers.Dense(2)

    def call(self, rows, training=None):
        for layer in self.hidden:
            rows = layer(rows)
        return self.last(self.dropped(rows, training=training))


class Scale(layers.Layer):
    """A user-defined layer with an input-dependent loss."""

    def build(self, shape):
        self.factors = self.add_weight("factors", (shape[-1],), initializer="ones")
        super().build(shape)

    def call(self, rows):
        self.add_loss(tf.reduce_mean(rows), inputs=True)
        return rows * self.factors * 2.0


class Adder(tf.Module):
    """A module with variables in a list and a dict."""

    def __init__(self):
        super().__init__()
        self.factors = tf.Variable([1.0, 2.0])
        self.held = [tf.Variable(3.0), {"bias": tf.Variable(4.0)}]

    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
    def add(self, rows):
        return rows * self.factors + self.held[0]


def made():
    """The models by name."""
    rows = tf.keras.Input((3,), name="rows")
    hidden = layers.Dense(4, activation="tanh")(rows)
    return {
        "functional": tf.keras.Model(rows, layers.Dense(2, name="out")(hidden)),
        "sequential": tf.keras.Sequential(
            [
                layers.Dense(2, input_shape=(3,), activity_regularizer="l2"),
                layers.BatchNormalization(),
                Scale(),
            ]
        ),
        "subclassed": Net(),
    }


def facts(model):
    """A model's outputs, before and during further training."""
    predicted = model.predict(X).ravel().tolist()
    measured = np.array(model.evaluate(X, Y, verbose=0)).tolist()
    trained = model.fit(X, Y, verbose=0, epochs=2, shuffle=False).history["loss"]
    sizes = [len(model.weights), len(model.trainable_weights), len(model.losses)]
    return [*predicted, *measured, *[float(loss) for loss in trained], *sizes]


mode, folder = sys.argv[1:]
found = {}
for name in ("functional", "sequential", "subclassed"):
    if mode == "write":
        model = made()[name]
        model.compile("sgd", "mse", metrics=["mae"])
        model.fit(X, Y, verbose=0)
        tf.keras.models.save_model(model, folder + "/" + name, save_format="tf")
    else:
        model = tf.keras.models.load_model(folder + "/" + name)
    found[name] = facts(model)
if mode == "write":
    module = Adder()
    tf.saved_model.save(module, folder + "/module")
else:
    module = tf.compat.v2.saved_model.load(folder + "/module")
sums = module.add(tf.constant([[1.0, 2.0]])).numpy().ravel().tolist()
found["module"] = [*sums, float(module.held[1]["bias"].numpy())]
print(json.dumps(found))
