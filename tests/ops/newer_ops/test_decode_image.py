"""Images of any format as integers and floats."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.graph.opdef import raw

PIXELS = np.arange(24, dtype=np.uint8).reshape(2, 4, 3) * 10


def encoded(make, pixels=PIXELS):
    with tf.Graph().as_default(), tf.Session() as session:
        return session.run(make(tf.constant(pixels)))


def decoded(data, **attrs):
    with tf.Graph().as_default(), tf.Session() as session:
        output = raw.DecodeImage(data, **attrs)
        value = session.run(output)
        assert output.shape.is_compatible_with(value.shape)
        return output.shape, value


def test_png_in_every_dtype():
    data = encoded(tf.image.encode_png)
    shape, value = decoded(data)
    assert shape.ndims is None and value.dtype == np.uint8 and (value == PIXELS).all()
    shape, value = decoded(data, expand_animations=False, channels=3)
    assert shape.as_list() == [None, None, 3] and (value == PIXELS).all()
    assert decoded(data, expand_animations=False)[0].as_list() == [None, None, None]
    value = decoded(data, dtype=tf.uint16)[1]
    assert value.dtype == np.uint16 and (value == PIXELS * np.uint16(257)).all()
    value = decoded(data, dtype=tf.float32)[1]
    np.testing.assert_allclose(value, PIXELS / np.float32(255), rtol=1e-6)
    assert value.dtype == np.float32
    assert decoded(data, channels=4)[1][..., 3].tolist() == [[255] * 4] * 2


def test_png_of_sixteen_bits():
    deep = PIXELS.astype(np.uint16) * 270
    data = encoded(tf.image.encode_png, deep)
    assert (decoded(data, dtype=tf.uint16)[1] == deep).all()
    value = decoded(data, dtype=tf.float32)[1]
    np.testing.assert_allclose(value, deep / np.float32(65535), rtol=1e-6)


def test_uniform_jpeg():
    data = encoded(tf.image.encode_jpeg, np.full((8, 8, 3), 100, np.uint8))
    value = decoded(data)[1]
    assert value.shape == (8, 8, 3) and abs(value.astype(int) - 100).max() < 3
    wide = decoded(data, dtype=tf.uint16)[1]
    assert (wide == value.astype(np.uint16) * 256).all()
    assert decoded(data, channels=1)[1].shape == (8, 8, 1)


@pytest.mark.parametrize("channels", [2, 5, -1])
def test_invalid_channel_counts(channels):
    with pytest.raises(
        (tf.errors.InvalidArgumentError, ValueError), match="must be 0, 1, 3 or 4 but got"
    ):
        decoded(encoded(tf.image.encode_png), channels=channels)
