"""Row filters of PNG files against NumPy's: sizes around vector widths, single rows and pixels, later rows."""

import numpy as np
import pytest

from tfmini._src.devices.host.codecs import png
from tfmini._src.devices.host.native.images import png_filters

IMAGES = [(1, 31, 1), (5, 3, 3), (9, 33, 1), (40, 96, 3), (7, 64, 8), (3, 70000, 2)]


@pytest.mark.parametrize(("rows", "size", "step"), IMAGES)
def test_filters_match_numpy(build, use_build, rows, size, step):
    rng = np.random.default_rng(0)
    smooth = np.cumsum(rng.integers(0, 3, (rows, size)), axis=rows % 2)
    image = np.where(rng.random((rows, 1)) < 0.5, smooth, rng.integers(0, 256, (rows, size)))
    image = image.astype(np.uint8)
    for start in (0, rows // 2):
        use_build(build)
        assert png_filters.filter_rows(image, start, rows, step) is not None
        filtered = png._filter_rows(image, start, rows + 1, step)
        use_build("0")
        np.testing.assert_array_equal(filtered, png._filter_rows(image, start, rows + 1, step))
