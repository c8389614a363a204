"""Volume and sequence layers: convolutions, pools, padding in one and three dimensions."""

import numpy as np

from tests.conformance.recorded_programs.keras._keras import functions_of, trained

TOLERANCE = 5e-4  # for trained weights


def build(tf):
    layers = tf.keras.layers
    volume = tf.keras.Input([6, 6, 6, 1])
    y = layers.ZeroPadding3D((1, 0, 0))(volume)
    y = layers.Conv3D(2, 3, strides=2, activation="relu", padding="same")(y)
    y = layers.Cropping3D(((1, 0), (0, 0), (0, 0)))(y)
    y = layers.UpSampling3D((1, 2, 2))(layers.MaxPooling3D(2, 1)(y))
    y = layers.AveragePooling3D((1, 2, 2))(y)
    pooled = [layers.GlobalAveragePooling3D()(y), layers.GlobalMaxPooling3D()(y)]
    series = tf.keras.Input([10, 3])
    z = layers.Conv1D(4, 3, padding="causal", dilation_rate=2, activation="elu")(series)
    z = layers.MaxPooling1D(2)(z)
    z = layers.SeparableConv1D(4, 2, depth_multiplier=2, activation="selu")(z)
    z = layers.AveragePooling1D(2, 1, padding="same")(z)
    pooled += [layers.GlobalMaxPool1D()(z), layers.GlobalAvgPool1D()(z)]
    image = layers.Reshape((2, 2, 4))(z)
    image = layers.Conv2DTranspose(3, 3, strides=2, padding="same", activation="softplus")(image)
    image = layers.Conv2D(2, 2, dilation_rate=(1, 2), activation="softsign")(image)
    image = layers.MaxPool2D((2, 1), strides=1)(image)
    pooled.append(layers.Flatten()(image))
    deep = layers.Conv3DTranspose(2, 2, strides=2)(y)
    pooled.append(layers.GlobalAvgPool3D()(deep))
    out = layers.Dense(2, activation="hard_sigmoid")(layers.concatenate(pooled))
    model = tf.keras.Model([volume, series], out)
    model.compile(tf.keras.optimizers.Adamax(0.01), "mse", metrics=["mae"])
    functions_of(model)
    draw = np.random.RandomState(6)
    x = [draw.rand(8, 6, 6, 6, 1), draw.rand(8, 10, 3)]
    facts = {
        "shapes": str([layer.output_shape for layer in model.layers]),
        "counts": [layer.count_params() for layer in model.layers],
        "config": model.to_json(),
    }
    return {"facts": facts, "steps": [("training", trained(model, x, draw.rand(8, 2)))]}
