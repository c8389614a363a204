"""Image and attention layers: padding, noise, all kinds of ReLU, depthwise filters, normalization."""

import numpy as np

from tests.conformance.recorded_programs.keras._keras import functions_of, trained

TOLERANCE = 5e-4  # for trained weights


def build(tf):
    layers = tf.keras.layers
    np.random.seed(3)
    x = tf.keras.Input([6, 6, 2])
    y = layers.ZeroPadding2D(((1, 0), (0, 1)))(x)
    y = layers.DepthwiseConv2D(3, depth_multiplier=2, padding="same")(y)
    y = layers.PReLU(shared_axes=[1, 2])(y)
    y = layers.SpatialDropout2D(0.2)(y)
    y = layers.Cropping2D(((1, 0), (0, 1)))(y)
    y = layers.LayerNormalization()(layers.LeakyReLU(0.2)(y))
    y = layers.ELU(0.5)(layers.ReLU(4.0, 0.1, 0.05)(y))
    y = layers.GaussianNoise(0.1)(layers.UpSampling2D((1, 2), interpolation="bilinear")(y))
    y = layers.LayerNormalization(axis=[1, 3])(layers.UpSampling2D(2)(y))
    y = layers.Lambda(lambda t, scale: t * scale, arguments={"scale": 0.5})(y)
    y = layers.ThresholdedReLU(0.1)(layers.GlobalAveragePooling2D()(y))
    steps = layers.Reshape((6, 12))(x)
    steps = layers.ZeroPadding1D((2, 1))(layers.SpatialDropout1D(0.1)(steps))
    steps = layers.Cropping1D((1, 0))(layers.UpSampling1D(2)(steps))
    seen = layers.Attention(use_scale=True, causal=True)([steps, steps])
    more = layers.AdditiveAttention()([steps, steps])
    seen = layers.Dot(axes=2, normalize=True)([seen, more])
    seen = layers.AlphaDropout(0.1)(layers.GaussianDropout(0.1)(layers.Softmax(axis=1)(seen)))
    out = layers.Dense(3)(layers.concatenate([y, layers.Flatten()(seen)]))
    model = tf.keras.Model(x, out)
    model.compile(tf.keras.optimizers.SGD(0.05), "mse")
    functions_of(model)
    draw = np.random.RandomState(4)
    fit = trained(model, draw.rand(10, 6, 6, 2), draw.rand(10, 3), epochs=3)
    configs = [layer.get_config() for layer in model.layers if "lambda" not in layer.name]
    return {"facts": {"configs": configs}, "steps": [("training", fit)]}
