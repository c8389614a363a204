"""The shape of samples: theirs, the batch's and the event's, as far as they are known."""

import pytest

import tfmini as tf
from tfmini._src.probability.distributions.sample_shapes import set_static_shape


@pytest.mark.parametrize(
    "sample, batch, event, wanted",
    [
        ([2], [3], [4, 5], [2, 3, 4, 5]),
        ([2], [3], None, [2, 3, None, None]),
        (None, [3], [4, 5], [None, 3, 4, 5]),
        ([2], None, [4, 5], [2, None, 4, 5]),
        ([2], [None], [None, 5], [2, None, None, 5]),
        (None, [3], None, [None] * 4),
    ],
)
def test_the_shape_of_samples(sample, batch, event, wanted):
    with tf.Graph().as_default():
        samples = tf.placeholder(tf.float32, [None] * 4)
        of_sample = tf.placeholder(tf.int32, [None]) if sample is None else tf.constant(sample)
        found = set_static_shape(samples, of_sample, *map(tf.TensorShape, (batch, event)))
        assert found.shape.as_list() == wanted
