"""Merging, rearranging, masking and pooling layers; callbacks that stop training and change the rate."""

import numpy as np

from tests.conformance.recorded_programs.keras._keras import functions_of, trained

TOLERANCE = 5e-4  # for trained weights


def build(tf):
    layers = tf.keras.layers
    x = tf.keras.Input([6, 4])
    masked = layers.Masking()(x)
    mean = layers.GlobalAveragePooling1D()(masked)
    largest = layers.GlobalMaxPooling1D()(x)
    both = layers.concatenate([layers.add([mean, largest]), layers.Multiply()([mean, largest])])
    both = layers.Average()([both, layers.Maximum()([both, layers.Minimum()([both, both])])])
    turned = layers.Permute((2, 1))(x)
    turned = layers.Reshape((3, -1))(turned)
    rows = layers.RepeatVector(3)(layers.Subtract()([mean, largest]))
    joined = layers.Concatenate(axis=2)([turned, rows])
    image = layers.Reshape((3, 4, 3))(joined)
    image = layers.SeparableConv2D(2, 2, padding="same")(image)
    pooled = layers.GlobalAveragePooling2D()(image)
    pooled = layers.ActivityRegularization(l2=0.1)(pooled)
    out = layers.Dense(2)(layers.concatenate([both, pooled, layers.GlobalMaxPool2D()(image)]))
    model = tf.keras.Model(x, out)
    model.compile(tf.keras.optimizers.SGD(0.05), "mse")
    functions_of(model)
    draw = np.random.RandomState(4)
    data = draw.rand(10, 6, 4) * (draw.rand(10, 6, 1) > 0.3)
    callbacks = [
        tf.keras.callbacks.LearningRateScheduler(lambda epoch, rate: rate * 0.9),
        tf.keras.callbacks.ReduceLROnPlateau("loss", factor=0.5, patience=1, min_delta=10.0),
        tf.keras.callbacks.EarlyStopping("loss", patience=2, min_delta=10.0),
    ]
    fit = trained(model, data, draw.rand(10, 2), epochs=5, callbacks=callbacks)
    facts = {"config": model.to_json(), "layers": [layer.name for layer in model.layers]}
    return {"facts": facts, "steps": [("training", fit)]}
