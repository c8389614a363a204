"""tf.image.adjust_contrast, adjust_hue and adjust_saturation."""

import numpy as np
import pytest

import tfmini as tf

PIXELS = [[77, 33, 81], [90, 50, 20], [90, 20, 50], [50, 90, 20], [50, 20, 90], [9, 9, 9]]
HUES = {  # by TensorFlow 1.15.5
    1.0: [[76, 33, 81], [90, 49, 20], [90, 20, 50], [50, 90, 20], [50, 20, 90], [9, 9, 9]],
    -0.5: [[37, 81, 33], [20, 59, 90], [20, 90, 59], [59, 20, 90], [60, 90, 20], [9, 9, 9]],
}


@pytest.mark.parametrize("delta", HUES)
def test_hue_of_integers(session, delta):
    shifted = tf.image.adjust_hue(tf.constant([PIXELS]), delta)
    np.testing.assert_array_equal(session.run(shifted), [HUES[delta]])


@pytest.mark.parametrize(
    "shape", [(7, 60, 300, 3), (40, 20, 30, 3), (2, 3, 4, 5, 2), (700, 300, 1)]
)
def test_contrast_preserves_means(session, shape):
    images = np.random.default_rng(0).random(shape, dtype="f")
    wide = images.astype("d")
    mean = wide.mean((-3, -2), keepdims=True)
    actual = session.run(tf.image.adjust_contrast(images, 0.3))
    np.testing.assert_allclose(actual, (wide - mean) * 0.3 + mean, 0, 1e-6)


def test_saturation_of_integers(session):
    pixels = np.array([[[2, 5, 1], [1, 3, 2], [5, 2, 2], [2, 1, 3], [3, 1, 5]]], np.int32)
    same, less = (tf.image.adjust_saturation(tf.constant(pixels), scale) for scale in (1.0, 0.5))
    np.testing.assert_array_equal(session.run(same), pixels)  # as in TensorFlow 1.15.5
    np.testing.assert_array_equal(session.run(less)[0, 1::2], [[2, 3, 2], [2, 2, 3]])
