"""ConvLSTM2D with 1x1 filters is an LSTM per pixel."""

import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("keras_session")

layers = tf.keras.layers


def _films():
    return np.random.RandomState(0).rand(2, 4, 3, 2, 5).astype("f")


@pytest.mark.parametrize("order", ["channels_last", "channels_first"])
@pytest.mark.parametrize("sequences", [False, True])
def test_one_pixel_filters_match_lstm(sequences, order):
    first = order == "channels_first"
    x = _films()
    layer = layers.ConvLSTM2D(
        6,
        1,
        return_sequences=sequences,
        data_format=order,
        input_shape=(4, 5, 3, 2) if first else (4, 3, 2, 5),
    )
    model = tf.keras.Sequential([layer])
    lstm = tf.keras.Sequential([layers.LSTM(6, return_sequences=sequences, input_shape=(4, 5))])
    weights = model.get_weights()
    lstm.set_weights([w.reshape(w.shape[-2:]) if w.ndim == 4 else w for w in weights])
    result = model.predict(x.transpose(0, 1, 4, 2, 3) if first else x)
    result = np.moveaxis(result, -3, -1) if first else result
    pixels = x.transpose(0, 2, 3, 1, 4).reshape(12, 4, 5)
    expected = lstm.predict(pixels).reshape((2, 3, 2, 4, 6) if sequences else (2, 3, 2, 6))
    expected = np.moveaxis(expected, 3, 1) if sequences else expected
    np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-6)
    restored = tf.keras.Sequential.from_config(model.get_config())
    assert restored.layers[0].get_config() == layer.get_config()


def test_stateful():
    layer = layers.ConvLSTM2D(
        2, 3, strides=2, padding="same", stateful=True, batch_input_shape=(2, 4, 3, 2, 5)
    )
    model = tf.keras.Sequential([layer])
    x = _films()
    first = model.predict(x, batch_size=2)
    assert first.shape == (2, 2, 1, 2)
    twice = np.concatenate([x, x], 1)
    other = tf.keras.Sequential(
        [layers.ConvLSTM2D(2, 3, strides=2, padding="same", input_shape=(8, 3, 2, 5))]
    )
    other.set_weights(model.get_weights())
    second = model.predict(x, batch_size=2)
    np.testing.assert_allclose(second, other.predict(twice), rtol=1e-4, atol=1e-6)
    model.reset_states()
    np.testing.assert_allclose(model.predict(x, batch_size=2), first, rtol=1e-5)
    layer.reset_states([np.ones((2, 2, 1, 2))] * 2)
    assert np.abs(model.predict(x, batch_size=2) - first).max() > 1e-3
    with pytest.raises(ValueError, match="expects 2 states, but it received 1"):
        layer.reset_states([np.ones((2, 2, 1, 2))])


def test_shapes_and_invalid_arguments():
    film = tf.keras.Input((4, 3, 2, 5))
    layer = layers.ConvLSTM2D(6, 2, return_state=True, dropout=0.5, recurrent_dropout=0.5)
    output, state, carry = layer(film)
    assert [x.shape.as_list()[1:] for x in (output, state, carry)] == [[2, 1, 6]] * 3
    assert [s.as_list() for s in layer.compute_output_shape(film.shape)] == [[None, 2, 1, 6]] * 3
    with pytest.raises(TypeError, match="Unrolling isn't possible"):
        layers.ConvLSTM2D(6, 2, unroll=True)
    with pytest.raises(ValueError, match="channel dimension of the inputs should be defined"):
        layers.ConvLSTM2D(6, 2)(tf.keras.Input((4, 3, 2, None)))
