"""tf.contrib.resampler: shapes that do not fit are found where it runs, as in TensorFlow 1.15.5."""

import numpy as np
import pytest

import tfmini as tf

UNFIT = [
    ((2, 3, 4, 5, 6), (2, 7, 2), (2, 7, 6), tf.errors.UnimplementedError, "Only bilinear interp"),
    ((2, 3, 4), (2, 7, 2), (2, 7, 4), tf.errors.UnimplementedError, "Only bilinear interp"),
    ((2, 3, 4, 5), (2,), (5,), tf.errors.InvalidArgumentError, "warp should be at least a matrix"),
]


@pytest.mark.parametrize("data, warp, shape, error, text", UNFIT)
def test_what_does_not_fit(data, warp, shape, error, text):
    with tf.Graph().as_default(), tf.Session() as session:
        found = tf.contrib.resampler.resampler(np.zeros(data), np.zeros(warp))
        assert tuple(found.shape.as_list()) == shape
        with pytest.raises(error, match=text):
            session.run(found)
