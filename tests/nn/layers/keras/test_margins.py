"""Cropping and padding layers."""

import numpy as np
import pytest

import tfmini as tf
from tests.nn.layers.keras.outputs import outputs

pytestmark = pytest.mark.usefixtures("keras_session")

LAYERS = tf.keras.layers

DRAW = np.random.RandomState(0)

IMAGES = DRAW.randn(2, 3, 4, 2).astype(np.float32)

VOLUMES = DRAW.randn(1, 2, 3, 2, 2).astype(np.float32)


def _padded(x, first):
    pairs = [(1, 0), (0, 2)]
    return np.pad(x, [(0, 0), (0, 0), *pairs] if first else [(0, 0), *pairs, (0, 0)])


@pytest.mark.parametrize("first", [False, True])
def test_padding_and_cropping_of_images_and_volumes(first):
    order = "channels_first" if first else "channels_last"
    axes = (2, 3, 4) if first else (1, 2, 3)
    output = outputs(LAYERS.ZeroPadding2D(((1, 0), (0, 2)), data_format=order), IMAGES)
    np.testing.assert_array_equal(output, _padded(IMAGES, first))
    cropped = outputs(LAYERS.Cropping2D(((0, 1), (1, 0)), data_format=order), _padded(IMAGES, True))
    whole = _padded(IMAGES, True)
    np.testing.assert_array_equal(cropped, whole[:, :, :-1, 1:] if first else whole[:, :-1, 1:])
    larger = outputs(LAYERS.UpSampling2D((2, 3), data_format=order), IMAGES)
    np.testing.assert_array_equal(larger, IMAGES.repeat(2, axes[0]).repeat(3, axes[1]))
    padded = outputs(LAYERS.ZeroPadding3D(1, data_format=order), VOLUMES)
    np.testing.assert_array_equal(
        padded, np.pad(VOLUMES, [(int(n in axes),) * 2 for n in range(5)])
    )
    back = outputs(LAYERS.Cropping3D(data_format=order), padded)
    np.testing.assert_array_equal(back, VOLUMES)
    larger = outputs(LAYERS.UpSampling3D((2, 1, 3), data_format=order), VOLUMES)
    np.testing.assert_array_equal(larger, VOLUMES.repeat(2, axes[0]).repeat(3, axes[2]))


def test_invalid_margins():
    with pytest.raises(ValueError, match="`padding` should have two elements"):
        LAYERS.ZeroPadding2D((1, 2, 3))
    with pytest.raises(ValueError, match="`cropping` should have 3 elements"):
        LAYERS.Cropping3D((1, 2))
    with pytest.raises(ValueError, match="symmetric_height_crop, symmetric_width_crop"):
        LAYERS.Cropping2D(1.5)
    with pytest.raises(ValueError, match="2nd entry of padding"):
        LAYERS.ZeroPadding2D(((1, 2), (1, 2, 3)))
    with pytest.raises(ValueError, match="should be one of"):
        LAYERS.UpSampling2D(interpolation="cubic")
    with pytest.raises(ValueError, match="cannot be negative value"):
        LAYERS.ReLU(negative_slope=-1.0)
