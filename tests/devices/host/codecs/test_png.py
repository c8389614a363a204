"""PNG files that are not whole."""

import numpy as np
import pytest

from tfmini._src.devices.host.codecs import png
from tfmini._src.devices.host.codecs.pillow import Unreadable


def test_a_file_whose_end_is_missing_is_none():
    data = png.encoded(np.zeros((3, 4, 3), np.uint8), -1)
    assert png.decoded(data + b"more", 0, False).shape == (3, 4, 3)
    for size in range(len(data) - 16, len(data)):  # as in TensorFlow 1.15.5
        with pytest.raises(Unreadable, match="not enough pixel data"):
            png.decoded(data[:size], 0, False)
