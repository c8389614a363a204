"""Subclassed models: layers in attributes and lists, a training argument, models within models."""

import numpy as np

from tests.conformance.recorded_programs.keras._keras import data, trained

TOLERANCE = 2e-4  # for trained weights


def build(tf):
    layers, keras = tf.keras.layers, tf.keras

    class Block(keras.Model):
        def __init__(self, units, name=None):
            super().__init__(name=name)
            self.steps = [layers.Dense(units, activation="relu") for _ in range(2)]
            self.norm = layers.BatchNormalization()

        def call(self, inputs, training=None):
            for step in self.steps:
                inputs = step(inputs)
            return self.norm(inputs, training=training)

    class Classifier(keras.Model):
        def __init__(self):
            super().__init__(name="classifier")
            self.block = Block(6, "block")
            self.drop = layers.Dropout(0.3, seed=5)
            self.heads = {"out": layers.Dense(3, activation="softmax")}

        def call(self, inputs, training=False):
            hidden = self.drop(self.block(inputs, training=training), training=training)
            self.add_loss(0.01 * tf.reduce_mean(tf.square(hidden)), inputs=True)
            return self.heads["out"](hidden)

    keras.backend.manual_variable_initialization(True)
    model = Classifier()
    x, y = data(24)
    model._set_inputs(x)
    model.compile(keras.optimizers.SGD(0.05), "categorical_crossentropy", metrics=["accuracy"])
    model._make_train_function()
    model._make_test_function()
    model._make_predict_function()
    keras.backend.manual_variable_initialization(False)
    y = np.eye(3)[y]
    weights = {0: 1.0, 1: 2.0, 2: 0.5}
    facts = {
        "names": [w.name for w in model.weights],
        "layers": [layer.name for layer in model.layers],
        "trained": [w.name for w in model.trainable_weights],
        "updates": len(model.updates),
        "metrics": model.metrics_names,
    }
    held = (x[:6], y[:6])
    fit = trained(model, x, y, class_weight=weights, validation_data=held, shuffle=False)
    return {"facts": facts, "steps": [("training", fit)]}
