"""Resized images: NaN inputs show which pixels contribute to a result."""

import numpy as np

import tfmini as tf


def rows_with_nan(method, rows, expected, location):
    """The rows of the result that depend on row `place`."""
    images = np.ones((1, rows, 3, 1), "f")
    images[0, location] = np.nan
    with tf.Graph().as_default(), tf.Session() as session:
        result = session.run(method(images, [expected, 3]))
    return np.flatnonzero(np.isnan(result[0, :, 0, 0])).tolist()


def test_bilinear_on_grid_ignores_next_pixel():
    assert rows_with_nan(tf.image.resize_bilinear, 2, 4, 1) == [
        1,
        2,
        3,
    ]  # TensorFlow 1.15.5's message
    assert rows_with_nan(tf.image.resize_bilinear, 2, 1, 1) == []


def test_area_uses_covered_pixels_only():
    assert rows_with_nan(tf.image.resize_area, 2, 7, 1) == [3, 4, 5, 6]
    assert rows_with_nan(tf.image.resize_area, 4, 2, 3) == [1]
