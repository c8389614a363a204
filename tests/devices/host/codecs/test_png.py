"""PNG files: TensorFlow's bytes, and truncated files."""

import zlib

import numpy as np
import pytest

from tfmini._src.devices.host.codecs import png
from tfmini._src.devices.host.codecs.pillow import UnreadableImageError


def test_truncated_file_is_rejected():
    data = png.encode(np.zeros((3, 4, 3), np.uint8), -1)
    assert png.decode(data + b"more", 0, False).shape == (3, 4, 3)
    for size in range(len(data) - 16, len(data)):  # as in TensorFlow 1.15.5
        with pytest.raises(UnreadableImageError, match="not enough pixel data"):
            png.decode(data[:size], 0, False)


@pytest.mark.quick
@pytest.mark.skipif("ng" in zlib.ZLIB_RUNTIME_VERSION, reason="zlib-ng compresses differently")
@pytest.mark.parametrize(
    ("shape", "dtype", "size", "checksum"),
    [
        ((1, 9, 1), "u1", 75, 0x68E1B564),
        ((9, 1, 3), "u1", 102, 0x69649E25),
        ((16, 16, 4), "u1", 1108, 0x10F27F0C),
        ((70, 80, 3), "u1", 3882, 0x0FB93C81),
        ((64, 64, 2), "u2", 5067, 0x750AADE4),
    ],
)
def test_encoded_bytes_match_tensorflow(shape, dtype, size, checksum):
    values = np.arange(np.prod(shape)) ** 2 * 7919 % 1009
    data = png.encode(values.astype(dtype).reshape(shape), -1)
    assert (len(data), zlib.crc32(data)) == (size, checksum)
