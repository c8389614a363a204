"""Keras 3 models, exported by Keras."""

import numpy as np
import tensorflow as tf

keras = tf.keras
layers = keras.layers
rng = np.random.default_rng(31)

WORDS = [b"the cat sat on the mat", b"a dog, and another cat!", b"no known word"]


def floats(*shape):
    return rng.standard_normal(shape).astype("f")


def exported(model, *arrays):
    """A Keras model written by its own `export`, served by "serve" and "serving_default"."""

    def save(folder):
        model.export(folder, verbose=False)
        served = tf.saved_model.load(folder).signatures["serving_default"]
        feeds = dict(zip((tensor.name for tensor in model.inputs), arrays, strict=True))
        return {"serving_default": (feeds, served)}

    return save


def perceptron():
    x = keras.Input((4,))
    y = layers.Dense(3, "softmax")(layers.Dropout(0.5)(layers.Dense(8, "gelu")(x)))
    return exported(keras.Model(x, y), floats(5, 4))


def convolutions():
    x = keras.Input((12, 12, 3))
    y = layers.BatchNormalization()(layers.Conv2D(4, 3, padding="same", activation="relu")(x))
    y = layers.MaxPooling2D()(layers.DepthwiseConv2D(3, activation="swish")(y))
    y = layers.UpSampling2D(2, interpolation="bilinear")(layers.SeparableConv2D(5, 2)(y))
    y = layers.Conv2DTranspose(2, 3, strides=2)(layers.ZeroPadding2D(1)(y))
    return exported(keras.Model(x, layers.GlobalAveragePooling2D()(y)), floats(2, 12, 12, 3))


def conv1d_and_3d():
    x, z = keras.Input((10, 3)), keras.Input((5, 6, 6, 1))
    y = layers.Conv1D(4, 3, padding="causal", dilation_rate=2)(x)
    y = layers.GlobalMaxPooling1D()(layers.AveragePooling1D(2)(y))
    w = layers.GlobalAveragePooling3D()(layers.Conv3D(4, 3)(z))
    return exported(
        keras.Model([x, z], layers.Add()([y, w])), floats(2, 10, 3), floats(2, 5, 6, 6, 1)
    )


def application(make, shape, **settings):
    """A network of Keras's applications, with weights chosen to make its logits differ."""
    model = make(
        input_shape=shape, weights=None, classes=10, classifier_activation=None, **settings
    )
    for weight in model.weights:
        if weight.dtype == "float32" and len(weight.shape) == 1:
            spread = rng.uniform(0.5, 1.5, weight.shape).astype("f")
            weight.assign(
                spread if "gamma" in weight.name or "variance" in weight.name else spread - 1
            )
    return model


def mobilenet_v2():
    model = application(keras.applications.MobileNetV2, (64, 64, 3), alpha=0.35)
    return exported(model, floats(2, 64, 64, 3))


def mobilenet_v3():
    model = application(keras.applications.MobileNetV3Small, (64, 64, 3))
    return exported(model, 127 + 50 * floats(2, 64, 64, 3))


def efficientnet():
    model = application(keras.applications.EfficientNetB0, (64, 64, 3))
    return exported(model, 127 + 50 * floats(1, 64, 64, 3))


def densenet():
    model = application(keras.applications.DenseNet121, (64, 64, 3))
    return exported(model, floats(1, 64, 64, 3))


def text():
    vectorize = layers.TextVectorization(max_tokens=20, output_sequence_length=6)
    vectorize.adapt(WORDS[:2])
    x = keras.Input((), dtype="string")
    y = layers.GlobalAveragePooling1D()(layers.Embedding(20, 4, mask_zero=True)(vectorize(x)))
    return exported(keras.Model(x, layers.Dense(2)(y)), np.array(WORDS))


def transformer():
    tokens = keras.Input((7,), dtype="int32")
    x = layers.Embedding(30, 16)(tokens)
    x = layers.LayerNormalization()(x + layers.MultiHeadAttention(4, 4)(x, x, use_causal_mask=True))
    x = layers.LayerNormalization()(x + layers.Dense(16)(layers.Dense(32, "gelu")(x)))
    return exported(keras.Model(tokens, layers.Dense(30)(x)), rng.integers(0, 30, (3, 7), "i"))


def lstm():
    x = keras.Input((None, 3))
    y = layers.LSTM(5)(layers.LSTM(4, return_sequences=True)(x))
    return exported(keras.Model(x, layers.Dense(2)(y)), floats(2, 6, 3))


def bidirectional():
    tokens = keras.Input((None,), dtype="int32")
    x = layers.Embedding(20, 4, mask_zero=True)(tokens)
    x = layers.Bidirectional(layers.GRU(3, return_sequences=True))(x)
    x = layers.TimeDistributed(layers.Dense(4))(x)
    fed = np.array([[3, 4, 5, 0, 0], [1, 2, 3, 4, 5]], "i")
    return exported(keras.Model(tokens, layers.SimpleRNN(3)(x)), fed)


def features():
    """Keras's preprocessing layers: lookups, buckets, hashes, normalization."""
    word, number, price = (
        keras.Input((1,), dtype="string", name="word"),
        keras.Input((1,), dtype="int64", name="number"),
        keras.Input((1,), name="price"),
    )
    words = layers.StringLookup(vocabulary=["cat", "dog"], output_mode="one_hot")(word)
    numbers = layers.IntegerLookup(vocabulary=[3, 5, 9], output_mode="multi_hot")(number)
    hashed = layers.CategoryEncoding(4, "one_hot")(layers.Hashing(4)(word))
    scale = layers.Normalization(mean=2.0, variance=4.0)(price)
    bucket = layers.CategoryEncoding(3, "one_hot")(layers.Discretization([0.0, 1.0])(price))
    y = layers.Concatenate()([words, numbers, hashed, scale, bucket])
    return exported(
        keras.Model([word, number, price], y),
        np.array([[b"cat"], [b"cow"], [b"dog"]]),
        np.array([[3], [4], [9]]),
        np.array([[-1.0], [0.5], [7.0]], "f"),
    )


LARGE = [mobilenet_v2, mobilenet_v3, efficientnet, densenet]
MODELS = [
    perceptron, convolutions, conv1d_and_3d, text, transformer, lstm, bidirectional, features, *LARGE,
]  # fmt: skip
