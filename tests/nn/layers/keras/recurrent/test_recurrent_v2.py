"""LSTM and GRU of `tf.compat.v2` in eager mode, with TensorFlow 1.15.5's values."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.session.eager.enable import eager_mode

layers = tf.compat.v2.keras.layers

INPUTS = np.arange(24, dtype=np.float32).reshape(2, 4, 3) / 10


@pytest.mark.parametrize("made", [layers.LSTM, layers.GRU])
@pytest.mark.parametrize(
    "others",
    [
        *({"activation": "relu"}, {"recurrent_activation": "relu"}, {"recurrent_dropout": 0.1}),
        *({"unroll": True}, {"use_bias": False}, {"activation": tf.nn.tanh}),
    ],
)
def test_cudnn_requires_default_arguments(made, others):
    with eager_mode():
        assert made(1).could_use_cudnn
        assert made(1, dropout=0.5).could_use_cudnn
        assert not made(1, **others).could_use_cudnn


def test_gru_cudnn_requires_reset_after_and_eager_program():
    with eager_mode():
        assert not layers.GRU(1, reset_after=False).could_use_cudnn
    assert not layers.GRU(1).could_use_cudnn


@pytest.mark.parametrize(
    "made, first, second, drawn_after",
    [
        (
            layers.LSTM,
            [0.13388270, 0.48946303, 0.91605341, 0.98891628],
            [0.05943682, 0.64040089, 0.89003825, 0.99280244],
            875,
        ),
        (
            layers.GRU,
            [0.15247823, 0.30700576, 0.33365363, 0.33985564],
            [0.08885165, 0.26415932, 0.36436963, 0.36512896],
            256,
        ),
    ],
)
def test_each_step_has_a_separate_dropout_mask(made, first, second, drawn_after):
    with eager_mode():
        np.random.seed(3)
        tf.set_random_seed(3)
        ones = {"kernel_initializer": "ones", "recurrent_initializer": "ones"}
        layer = made(2, dropout=0.5, return_sequences=True, **ones)
        for expected in (first, second):
            outputs = layer(INPUTS, training=True).numpy()
            np.testing.assert_allclose(outputs[0, :, 0], expected, rtol=1e-5)
        assert np.random.randint(1000) == drawn_after
        state = tf.zeros((2, 2))
        states = [state] * len(layer.states)
        np.testing.assert_array_equal(layer([INPUTS, *states]), layer(INPUTS))
