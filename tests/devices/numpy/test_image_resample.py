"""Images interpolated by runs of rows and by gathered ones: the same numbers; Python's loops say which."""

import numpy as np
import pytest

import tfmini as tf


def line(image, at, axis, count):
    """Line `at` of `count` that an axis is resized to."""
    size = image.shape[axis]
    place = np.float32(at) * np.float32(size / count)
    low = int(place)
    share = place - np.float32(low)
    start, end = (image.take(min(n, size - 1), axis) for n in (low, low + 1))
    return start + (end - start) * share


@pytest.mark.parametrize("dtype", ["f", "u1"])
@pytest.mark.parametrize("sizes", [(60, 61), (128, 100), (20, 64), (64, 200)])
def test_bilinear(sizes, dtype):
    image = (np.random.RandomState(1).rand(64, 64, 3) * 255).astype(dtype)
    with tf.Graph().as_default(), tf.Session() as session:
        got = session.run(tf.image.resize_bilinear(image[None], sizes))[0]
    wide = image.astype("f")
    wide = np.stack([line(wide, n, 1, sizes[1]) for n in range(sizes[1])], 1)
    expected = np.stack([line(wide, n, 0, sizes[0]) for n in range(sizes[0])], 0)
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-4)
