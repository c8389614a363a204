"""JPEG files are decoded to TensorFlow's values with each transform, kind of chroma and scale."""

import zlib

import numpy as np
import pytest

import tfmini as tf

# CRC-32 of TensorFlow 1.15.5's pixels, by quality and chroma_downsampling: for each ratio, dct_method and
# fancy_upscaling, in this order.
RATIOS, METHODS, SMOOTH = (1, 2), ("", "INTEGER_ACCURATE"), (True, False)
PIXELS = {
    (50, True): [
        849209500,
        1997612931,
        666917094,
        1919437374,
        2875374245,
        2875374245,
        640610677,
        640610677,
    ],
    (50, False): [
        2231647294,
        2231647294,
        665297869,
        665297869,
        3467077243,
        3467077243,
        3467077243,
        3467077243,
    ],
    (100, True): [
        2866094940,
        3488530460,
        3385553054,
        1740291530,
        1640597151,
        1640597151,
        3848183732,
        3848183732,
    ],
    (100, False): [
        649917364,
        649917364,
        2398595671,
        2398595671,
        1579076175,
        1579076175,
        1579076175,
        1579076175,
    ],
}


def picture():
    rows, columns = np.mgrid[0:21, 0:35]
    colours = [128 + 100 * np.sin(columns / 9), 128 + 90 * np.cos(rows / 7), columns * 7 + rows * 2]
    return (np.stack(colours, -1) % 256).astype("uint8")


def checksums(tf, quality, small_chroma):
    with tf.Graph().as_default(), tf.Session() as session:
        file = tf.image.encode_jpeg(picture(), quality=quality, chroma_downsampling=small_chroma)
        images = [
            tf.image.decode_jpeg(file, ratio=ratio, dct_method=method, fancy_upscaling=smooth)
            for ratio in RATIOS
            for method in METHODS
            for smooth in SMOOTH
        ]
        return [zlib.crc32(image.tobytes()) for image in session.run(images)]


@pytest.mark.parametrize(("quality", "small_chroma"), PIXELS)
def test_pixels_are_those_of_tensorflow(quality, small_chroma):
    pytest.importorskip("simplejpeg")
    assert checksums(tf, quality, small_chroma) == PIXELS[quality, small_chroma]
