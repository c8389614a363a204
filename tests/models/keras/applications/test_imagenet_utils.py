"""Image preprocessing for PyTorch weights, against hand-computed values; application scenes cover the other modes."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.models.keras.applications import imagenet_utils

EXPECTED = [(10 / 255 - 0.485) / 0.229, (20 / 255 - 0.456) / 0.224, (30 / 255 - 0.406) / 0.225]


@pytest.mark.parametrize("shape", [(1, 1, 3), (3, 1, 1), (1, 1, 1, 3), (1, 3, 1, 1)])
def test_images(shape):
    data_format = "channels_last" if shape[-1] == 3 else "channels_first"
    image = np.array([10, 20, 30], "u1").reshape(shape)
    result = imagenet_utils.preprocess_input(image, data_format, "torch")
    assert result.shape == image.shape and result.dtype == "f4"
    np.testing.assert_allclose(result.ravel(), EXPECTED, rtol=1e-5)
    tensor = imagenet_utils.preprocess_input(tf.constant(image, tf.float32), data_format, "torch")
    with tf.Session() as session:
        np.testing.assert_allclose(session.run(tensor), result, rtol=1e-5)
