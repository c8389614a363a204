"""Colors: single-precision gradients against differences of colorsys; hand-computed contrast."""

import colorsys

import numpy as np
import pytest

import tfmini as tf

PIXELS = [
    *([0.9, 0.5, 0.2], [0.9, 0.2, 0.5], [0.5, 0.9, 0.2], [0.2, 0.9, 0.5]),
    *([0.5, 0.2, 0.9], [0.2, 0.5, 0.9]),
]


@pytest.mark.parametrize("part", [1, 2])
def test_hsv_gradient_of_saturation_and_value(part):
    values = np.array(PIXELS, "f")
    with tf.Graph().as_default(), tf.Session() as session:
        rgb = tf.constant(values)
        actual = session.run(tf.gradients(tf.image.rgb_to_hsv(rgb)[:, part], rgb)[0])
    for pixel, row in zip(PIXELS, actual):
        for channel in range(3):
            moved = [list(pixel), list(pixel)]
            moved[0][channel] += 1e-6
            moved[1][channel] -= 1e-6
            above, below = (colorsys.rgb_to_hsv(*rgb)[part] for rgb in moved)
            assert row[channel] == pytest.approx((above - below) / 2e-6, abs=1e-4)
