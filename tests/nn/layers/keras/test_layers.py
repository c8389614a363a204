"""Individual `tf.keras` layers against numpy or hand-computed values."""

import numpy as np
import pytest

import tfmini as tf
from tests.nn.layers.keras.outputs import outputs

pytestmark = pytest.mark.usefixtures("keras_session")

LAYERS = tf.keras.layers

DRAW = np.random.RandomState(0)

STEPS = DRAW.randn(2, 4, 3).astype(np.float32)

IMAGES = DRAW.randn(2, 3, 4, 2).astype(np.float32)


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("LeakyReLU", {"alpha": 0.2}, lambda x: np.where(x > 0, x, 0.2 * x)),
        ("PReLU", {"alpha_initializer": "ones"}, lambda x: x),
        ("ELU", {"alpha": 0.5}, lambda x: np.where(x > 0, x, 0.5 * np.expm1(x))),
        ("ThresholdedReLU", {"theta": 0.4}, lambda x: np.where(x > 0.4, x, 0)),
        ("Softmax", {"axis": 1}, lambda x: softmax(x, 1)),
        ("ReLU", {"max_value": 0.9}, lambda x: np.clip(x, 0, 0.9)),
        (
            "ReLU",
            {"negative_slope": 0.1, "threshold": 0.3},
            lambda x: np.where(x > 0.3, x, 0.1 * (x - 0.3)),
        ),
        ("Lambda", {"function": lambda t, mask: t + 1}, lambda x: x + 1),
        ("Lambda", {"function": lambda t: t[:, 0], "output_shape": (3,)}, lambda x: x[:, 0]),
        (
            "Lambda",
            {"function": lambda t, k: t * k, "arguments": {"k": 3.0}},
            lambda x: x * 3,
        ),
        ("ZeroPadding1D", {"padding": (1, 2)}, lambda x: np.pad(x, [(0, 0), (1, 2), (0, 0)])),
        ("Cropping1D", {"cropping": (1, 0)}, lambda x: x[:, 1:]),
        ("UpSampling1D", {"size": 3}, lambda x: x.repeat(3, 1)),
        ("SpatialDropout1D", {"rate": 0.5}, lambda x: x),
        ("GaussianNoise", {"stddev": 0.5}, lambda x: x),
        ("GaussianDropout", {"rate": 0.5}, lambda x: x),
        ("AlphaDropout", {"rate": 0.5}, lambda x: x),
        (
            "LayerNormalization",
            {"axis": [1, 2]},
            lambda x: (
                (x - x.mean((1, 2), keepdims=True)) / np.sqrt(x.var((1, 2), keepdims=True) + 1e-3)
            ),
        ),
    ],
)
def test_sequence_layers(name, arguments, expected):
    output = outputs(getattr(LAYERS, name)(**arguments), STEPS)
    np.testing.assert_allclose(output, expected(STEPS), rtol=1e-5, atol=1e-6)


def test_noise_layers_in_training():
    ones = np.ones((200, 50, 4), np.float32)
    tf.set_random_seed(1)
    noisy = outputs(LAYERS.GaussianNoise(0.5), ones, training=True)
    assert abs(noisy.std() - 0.5) < 0.02 and abs(noisy.mean() - 1) < 0.02
    noisy = outputs(LAYERS.GaussianDropout(0.2), ones, training=True)
    assert abs(noisy.std() - 0.5) < 0.02 and abs(noisy.mean() - 1) < 0.02
    start = np.random.RandomState(2).randn(200, 50, 4).astype(np.float32)
    retained = outputs(LAYERS.AlphaDropout(0.2), start, training=True)
    assert abs(retained.std() - 1) < 0.03 and abs(retained.mean()) < 0.03
    whole = outputs(LAYERS.SpatialDropout1D(0.5), ones, training=True)
    np.testing.assert_array_equal(whole, np.broadcast_to(whole[:, :1], whole.shape))
    assert set(np.unique(whole)) == {0.0, 2.0}
    images = np.ones((50, 2, 3, 4), np.float32)
    first = outputs(LAYERS.SpatialDropout2D(0.5, "channels_first"), images, training=True)
    np.testing.assert_array_equal(first, np.broadcast_to(first[:, :, :1, :1], images.shape))


def test_lambda_tracks_variables_and_deserializes():
    scale = 2.0
    layer = LAYERS.Lambda(lambda t: t * tf.Variable(3.0, name="w") * scale)
    x = tf.constant(STEPS)
    first, second = layer(x), layer(x)
    assert [v.op.name for v in layer.trainable_weights] == ["lambda/w"]
    restored = LAYERS.deserialize(LAYERS.serialize(layer))
    third = restored(x)
    session = tf.keras.backend.get_session()
    session.run(tf.global_variables_initializer())
    for result in session.run([first, second, third]):
        np.testing.assert_allclose(result, STEPS * 6, rtol=1e-6)


@pytest.mark.parametrize("causal", [False, True])
def test_attention(causal):
    query, value = STEPS, DRAW.randn(2, 4, 3).astype(np.float32)
    of_query, of_value = DRAW.rand(2, 4) > 0.3, np.array([[1, 1, 0, 1], [1, 1, 1, 0]], bool)
    allowed = np.broadcast_to(of_value[:, None], (2, 4, 4))
    allowed = allowed & np.tri(4, dtype=bool) if causal else allowed
    masks = [tf.constant(of_query), tf.constant(of_value)]
    dots = query @ value.transpose(0, 2, 1)
    sums = np.tanh(query[:, :, None] + value[:, None]).sum(-1)
    for layer, scores in (
        (LAYERS.Attention(causal=causal), dots),
        (LAYERS.AdditiveAttention(use_scale=False, causal=causal), sums),
    ):
        output = layer([tf.constant(query), tf.constant(value)], mask=masks)
        expected = softmax(np.where(allowed, scores, -1e9)) @ value * of_query[..., None]
        result = tf.keras.backend.get_session().run(output)
        np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-6)
    with pytest.raises(ValueError, match="must be called on a list of inputs"):
        LAYERS.Attention()(tf.constant(query))


def test_depthwise_convolution():
    layer = LAYERS.DepthwiseConv2D(2, depth_multiplier=2, bias_initializer="ones")
    created = outputs(layer, IMAGES)
    kernel = tf.keras.backend.get_value(layer.depthwise_kernel)
    created = tf.keras.backend.get_session().run(layer(tf.constant(IMAGES)))
    windows = np.lib.stride_tricks.sliding_window_view(IMAGES, (2, 2), (1, 2))
    expected = np.einsum("bijcrs,rscm->bijcm", windows, kernel).reshape(2, 2, 3, 4) + 1
    np.testing.assert_allclose(created, expected, rtol=1e-4, atol=1e-5)
