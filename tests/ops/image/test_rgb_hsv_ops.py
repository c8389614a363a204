"""Colours: gradients against differences of Python's colorsys, known in single precision only; contrast by hand."""

import colorsys

import numpy as np
import pytest

import tfmini as tf

PIXELS = [
    *([0.9, 0.5, 0.2], [0.9, 0.2, 0.5], [0.5, 0.9, 0.2], [0.2, 0.9, 0.5]),
    *([0.5, 0.2, 0.9], [0.2, 0.5, 0.9]),
]


@pytest.mark.parametrize("part", [1, 2])
def test_gradient_of_saturation_and_value(part):
    values = np.array(PIXELS, "f")
    with tf.Graph().as_default(), tf.Session() as session:
        rgb = tf.constant(values)
        got = session.run(tf.gradients(tf.image.rgb_to_hsv(rgb)[:, part], rgb)[0])
    for pixel, row in zip(PIXELS, got):
        for channel in range(3):
            moved = [list(pixel), list(pixel)]
            moved[0][channel] += 1e-6
            moved[1][channel] -= 1e-6
            above, below = (colorsys.rgb_to_hsv(*rgb)[part] for rgb in moved)
            assert row[channel] == pytest.approx((above - below) / 2e-6, abs=1e-4)


def test_a_turn_of_the_hue_by_one_changes_nothing():
    values = np.array([PIXELS], "f")[None]
    with tf.Graph().as_default(), tf.Session() as session:
        turned = session.run(tf.image.adjust_hue(values, 1.0))
    np.testing.assert_allclose(turned, values, atol=1e-6)


@pytest.mark.parametrize(
    "shape", [(7, 60, 300, 3), (40, 20, 30, 3), (2, 3, 4, 5, 2), (700, 300, 1)]
)
def test_contrast_keeps_the_mean_of_each_image_and_channel(session, shape):
    images = np.random.default_rng(0).random(shape, dtype="f")
    wide = images.astype("d")
    mean = wide.mean((-3, -2), keepdims=True)
    got = session.run(tf.image.adjust_contrast(images, 0.3))
    np.testing.assert_allclose(got, (wide - mean) * 0.3 + mean, 0, 1e-6)
