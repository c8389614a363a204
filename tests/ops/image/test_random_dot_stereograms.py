"""Stereograms: TensorFlow's dots for successive pictures in a separate process."""

import zlib

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.devices.numpy import glibc_rand

DEPTHS = np.array(
    [
        [1, 2, 3, 3, 2, 1],
        [1, 2, 3, 4, 5, 2],
        [1, 2, 3, 4, 5, 3],
        [1, 2, 3, 4, 5, 4],
        [6, 5, 4, 4, 5, 5],
    ]
)
SIZES = {"output_image_shape": [60, 30, 1], "output_data_window": [50, 20]}
COLOURS = {"number_colors": 300, "convergence_dots_size": 0, "hidden_surface_removal": False}
RANGE = {"normalize_max": 5.0, "normalize_min": 1.0, "border_level": 0.5}


@pytest.fixture
def from_the_start():
    glibc_rand._stream.restart()


def stereogram(depths, **settings):
    return tf.contrib.image.single_image_random_dot_stereograms(depths, **settings)


def test_c_library_random_numbers(from_the_start):
    assert glibc_rand.draw(3).tolist() == [1804289383, 846930886, 1681692777]


def test_stereograms_match_tensorflow(from_the_start):
    narrow = {"eye_separation": 0.2, "convergence_dots_size": 3}
    window = {"output_data_window": [50, 26]}
    with tf.Graph().as_default(), tf.Session() as session:
        images = [
            stereogram(DEPTHS.astype("f"), convergence_dots_size=8),
            stereogram(
                DEPTHS.astype("i4"),
                **SIZES,
                number_colors=2,
                eye_separation=0.3,
                convergence_dots_size=3,
            ),
            stereogram(DEPTHS[..., None], **SIZES, **COLOURS, **RANGE, eye_separation=0.2),
            stereogram(DEPTHS.astype("d"), **{**SIZES, **window}, **narrow, normalize=False),
        ]
        shapes = [tuple(image.shape.as_list()) for image in images]
        result = [session.run(image) for image in images]
    assert [value.shape for value in result] == shapes
    assert shapes == [(768, 1024, 1), (30, 60, 1), (30, 60, 3), (30, 60, 1)]
    assert result[0].ravel()[:5].tolist() == [50, 102, 154, 201, 159]
    assert [zlib.crc32(value.tobytes()) for value in result[1:]] == [
        2869908393,
        2524924563,
        1396374637,
    ]


@pytest.mark.parametrize("sizes", [{"output_image_shape": [60]}, {"output_data_window": [5]}])
def test_invalid_size_ranks(sizes):
    with tf.Graph().as_default(), pytest.raises(ValueError, match="should have 3 dimensions"):
        stereogram(DEPTHS, **sizes)
