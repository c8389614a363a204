"""JPEG decoding equals TensorFlow's for each transform, chroma subsampling and scale."""

import itertools
import zlib

import numpy as np
import pytest

import tfmini as tf

# CRC-32 of the pixels of TensorFlow 1.15.5, by quality and chroma_downsampling.
PIXELS = {
    (50, True): 902246122,
    (50, False): 1522672906,
    (100, True): 3619130600,
    (100, False): 2451519446,
}


def checksum(tf, quality, small_chroma):
    """Checksum of an image, encoded and then decoded with all settings."""
    rows, columns = np.mgrid[0:21, 0:35]
    colours = [128 + 100 * np.sin(columns / 9), 128 + 90 * np.cos(rows / 7), columns * 7 + rows * 2]
    picture = (np.stack(colours, -1) % 256).astype("uint8")
    with tf.Graph().as_default(), tf.Session() as session:
        file = tf.image.encode_jpeg(picture, quality=quality, chroma_downsampling=small_chroma)
        images = [
            tf.image.decode_jpeg(file, ratio=ratio, fancy_upscaling=smooth, dct_method=method)
            for ratio, smooth, method in itertools.product(
                (1, 2, 4), (True, False), ("", "INTEGER_ACCURATE")
            )
        ]
        return zlib.crc32(b"".join(image.tobytes() for image in session.run(images)))


@pytest.mark.parametrize(("quality", "small_chroma"), PIXELS)
def test_checksums_match_tensorflow(quality, small_chroma):
    pytest.importorskip("simplejpeg")
    assert checksum(tf, quality, small_chroma) == PIXELS[quality, small_chroma]
