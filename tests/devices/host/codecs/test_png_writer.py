"""PNG files: Pillow reads the same pixels."""

import io

import numpy as np
import pytest
from PIL import Image

from tfmini._src.devices.host.codecs.png_writer import encode_png

RANDOM = np.random.RandomState(0).randint(256, size=(9, 7, 4)).astype(np.uint8)
SMOOTH = np.add.outer(np.arange(64), np.arange(4, 100, 2)).astype(np.uint8)[..., None]
MODES = {1: "L", 3: "RGB", 4: "RGBA"}


@pytest.mark.parametrize("channels", [pytest.param(1, marks=pytest.mark.quick), 3, 4])
@pytest.mark.parametrize("pixels", [RANDOM, np.repeat(SMOOTH, 4, -1), RANDOM[:1, :1]])
def test_pillow_reads_the_same_pixels(pixels, channels):
    pixels = pixels[..., :channels]
    with Image.open(io.BytesIO(encode_png(pixels))) as image:
        assert (image.format, image.mode) == ("PNG", MODES[channels])
        np.testing.assert_array_equal(np.asarray(image).reshape(pixels.shape), pixels)


def test_a_smooth_picture_is_small():
    assert len(encode_png(SMOOTH)) < SMOOTH.size / 4
